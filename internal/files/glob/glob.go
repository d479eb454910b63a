// Package glob matches the path patterns and rule-name patterns that users write.
package glob

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Path is a pattern of paths relative to the root of the repository: * matches anything but a slash, ** any number of
// folders, and {a,b} either alternative. A pattern without a slash matches at any depth, as in .gitignore.
type Path struct{ pattern string }

// ParsePath reads a pattern. Leading ./ and trailing slashes are ignored. It returns an error for an invalid or too complex
// pattern.
func ParsePath(pattern string) (Path, error) {
	clean := strings.TrimLeft(strings.TrimPrefix(pattern, "./"), "/")
	clean = strings.TrimRight(clean, "/")
	if clean == "" {
		return Path{}, fmt.Errorf("%q is not a path pattern", pattern)
	}
	if !strings.Contains(strings.TrimRight(pattern, "/"), "/") {
		clean = "**/" + clean
	}
	if err := check(clean); err != nil {
		return Path{}, fmt.Errorf("%q %w", pattern, err)
	}
	return Path{clean}, nil
}

// String returns the pattern in a form that ParsePath reads as the same pattern.
func (p Path) String() string {
	if strings.Contains(p.pattern, "/") {
		return p.pattern
	}
	return "/" + p.pattern
}

// Below returns the same pattern for paths below a folder.
func (p Path) Below(folder string) Path {
	if folder == "" || folder == "." {
		return p
	}
	return Path{escaper.Replace(folder) + "/" + p.pattern}
}

var escaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`)

// Quote returns a pattern that matches the given path only.
func Quote(name string) string { return escaper.Replace(name) }

// Match reports whether the pattern matches the path itself.
func (p Path) Match(name string) bool {
	return doublestar.MatchUnvalidated(p.pattern, name)
}

// Covers reports whether the pattern matches the path or a folder that contains it.
func (p Path) Covers(name string) bool {
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if p.Match(name) {
			return true
		}
	}
	return false
}

// Rule reports whether a pattern, such as olm/* or *, matches the name of a rule.
func Rule(pattern, name string) bool {
	return pattern == name || pattern == "*" || doublestar.MatchUnvalidated(pattern, name)
}

// CheckRule returns an error if a pattern of rule names is invalid.
func CheckRule(pattern string) error {
	if err := check(pattern); err != nil {
		return fmt.Errorf("%q %w", pattern, err)
	}
	return nil
}

const (
	maxLength       = 1000
	maxAlternatives = 1000
)

// check rejects invalid patterns and patterns that are too expensive: each {a,b} doubles the work.
func check(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return errors.New("is not a valid pattern: it ends with an unclosed bracket, brace, or backslash")
	}
	if len(pattern) > maxLength {
		return fmt.Errorf("is longer than %d bytes", maxLength)
	}
	if alternatives(pattern) > maxAlternatives {
		return fmt.Errorf("has more than %d alternatives", maxAlternatives)
	}
	return nil
}

// alternatives multiplies the sizes of all {a,b}, nested or not, and stops at the limit.
func alternatives(pattern string) int {
	total, open := 1, []int{}
	for _, c := range pattern {
		last := len(open) - 1
		switch {
		case c == '{':
			open = append(open, 1)
		case c == ',' && last >= 0:
			open[last]++
		case c == '}' && last >= 0:
			total = min(total*open[last], maxAlternatives+1)
			open = open[:last]
		}
	}
	return total
}
