// Package glob matches the patterns that users write: of paths, and of rule names.
package glob

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Path is a pattern of paths relative to the root of the repository, in which * stands for anything but a slash, ** for
// any number of folders, and {a,b} for either. A pattern without a slash holds at any depth, as in .gitignore.
type Path struct{ pattern string }

// ParsePath reads a pattern. Leading ./ and trailing slashes mean nothing.
func ParsePath(pattern string) (Path, error) {
	clean := strings.TrimLeft(strings.TrimPrefix(pattern, "./"), "/")
	clean = strings.TrimRight(clean, "/")
	if clean == "" {
		return Path{}, fmt.Errorf("%q is not a pattern of paths", pattern)
	}
	if !strings.Contains(strings.TrimRight(pattern, "/"), "/") {
		clean = "**/" + clean
	}
	if err := check(clean); err != nil {
		return Path{}, fmt.Errorf("%q %w", pattern, err)
	}
	return Path{clean}, nil
}

// String gives the pattern in a form that ParsePath reads as the same.
func (p Path) String() string {
	if strings.Contains(p.pattern, "/") {
		return p.pattern
	}
	return "/" + p.pattern
}

// Below gives the same pattern for paths that begin with a folder.
func (p Path) Below(folder string) Path {
	if folder == "" || folder == "." {
		return p
	}
	return Path{escaper.Replace(folder) + "/" + p.pattern}
}

var escaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`)

// Quote makes a pattern of a path that matches nothing but the path.
func Quote(name string) string { return escaper.Replace(name) }

// Match tells whether the pattern matches the path itself.
func (p Path) Match(name string) bool {
	return doublestar.MatchUnvalidated(p.pattern, name)
}

// Covers tells whether the pattern matches the path or a folder that it lies in.
func (p Path) Covers(name string) bool {
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if p.Match(name) {
			return true
		}
	}
	return false
}

// Rule tells whether a pattern matches the name of a rule: olm/*, or * for all.
func Rule(pattern, name string) bool {
	return pattern == name || pattern == "*" || doublestar.MatchUnvalidated(pattern, name)
}

// CheckRule says what is wrong with a pattern of rule names.
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

// check refuses what is no pattern, and what would take too long: each {a,b} doubles the work.
func check(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return errors.New("is not a valid pattern: a bracket, brace or backslash at its end is left open")
	}
	if len(pattern) > maxLength {
		return fmt.Errorf("is longer than %d bytes", maxLength)
	}
	if alternatives(pattern) > maxAlternatives {
		return fmt.Errorf("has more than %d alternatives", maxAlternatives)
	}
	return nil
}

// alternatives multiplies the sizes of all {a,b}, nested or not, up to where it is too much anyway.
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
