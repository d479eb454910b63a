package ignore

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// gitRule is one line of a .gitignore file, as gitignore(5) describes it.
type gitRule struct {
	glob string
	// literal and suffix replace the glob if it is simple, as most are: a name, or a star before a text.
	literal, suffix string
	negate          bool // the line began with !
	dirOnly         bool // the line ended in /
	nameOnly        bool // the line has no other slash: it matches names at any depth
	line            int  // counted from 1
}

// ruleSet are the rules of one file, indexed so that a path is compared with few of them: a file can have 100,000.
type ruleSet struct {
	rules []gitRule
	// names and paths are the indexes of the literal rules, ascending, by the name or the path.
	names, paths map[string][]int
	// suffixes are those of rules such as *.yaml, by the suffix; lengths are the lengths of these.
	suffixes map[string][]int
	lengths  []int
	// globs are all others.
	globs []int
}

func newRuleSet(rules []gitRule) *ruleSet {
	s := &ruleSet{rules: rules, names: map[string][]int{}, paths: map[string][]int{}, suffixes: map[string][]int{}}
	for i := range rules {
		switch r := &rules[i]; {
		case r.literal != "" && r.nameOnly:
			s.names[r.literal] = append(s.names[r.literal], i)
		case r.literal != "":
			s.paths[r.literal] = append(s.paths[r.literal], i)
		case r.suffix != "":
			if !slices.Contains(s.lengths, len(r.suffix)) {
				s.lengths = append(s.lengths, len(r.suffix))
			}
			s.suffixes[r.suffix] = append(s.suffixes[r.suffix], i)
		default:
			s.globs = append(s.globs, i)
		}
	}
	return s
}

// lastMatch returns the last rule that matches, or nil. It does not decide about paths below a match: the walk does not go there. It
// differs from git in one detail: ? matches a character, in git a byte.
func (s *ruleSet) lastMatch(p string, isDir bool) *gitRule {
	name := path.Base(p)
	last := max(s.last(s.names[name], isDir), s.last(s.paths[p], isDir))
	for _, length := range s.lengths {
		if length <= len(name) {
			last = max(last, s.last(s.suffixes[name[len(name)-length:]], isDir))
		}
	}
	for _, i := range slices.Backward(s.globs) {
		r := &s.rules[i]
		if i < last {
			break
		}
		if (isDir || !r.dirOnly) && (r.nameOnly && r.match(name) || !r.nameOnly && r.match(p)) {
			last = i
			break
		}
	}
	if last < 0 {
		return nil
	}
	return &s.rules[last]
}

// last returns the last of some rules that applies to a file or a folder, or -1.
func (s *ruleSet) last(indexes []int, isDir bool) int {
	for _, i := range slices.Backward(indexes) {
		if isDir || !s.rules[i].dirOnly {
			return i
		}
	}
	return -1
}

func (r *gitRule) match(s string) bool {
	switch {
	case r.literal != "":
		return s == r.literal
	case r.suffix != "":
		return strings.HasSuffix(s, r.suffix)
	}
	return doublestar.MatchUnvalidated(r.glob, s)
}

func parseGitignore(data []byte) *ruleSet {
	var rules []gitRule
	for i, line := range lines(data) {
		if r, ok := parseGitRule(line); ok {
			r.line = i + 1
			rules = append(rules, r)
		}
	}
	return newRuleSet(rules)
}

// parseGitRule reads one line. ok is false for comments, empty lines, and patterns that match nothing.
func parseGitRule(line string) (r gitRule, ok bool) {
	line = trimSpaces(line)
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.nameOnly = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" || strings.HasSuffix(line, "/") {
		return r, false
	}
	if r.glob, ok = translateGlob(line); !ok || !doublestar.ValidatePattern(r.glob) {
		return r, false
	}
	if !strings.ContainsAny(line, `*?[\`) {
		r.literal = line
	}
	if rest, star := strings.CutPrefix(line, "*"); star && r.nameOnly && !strings.ContainsAny(rest, `*?[\`) {
		r.suffix = rest
	}
	return r, true
}

// trimSpaces removes the spaces at the end of a line, except those after a backslash.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	slashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if slashes%2 == 1 && len(trimmed) < len(line) {
		return trimmed + " "
	}
	return trimmed
}

// translateGlob translates git's glob to the syntax of doublestar: braces are literal, a trailing /** does not match the
// folder before it, and brackets never match a slash.
func translateGlob(glob string) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '\\':
			if i++; i == len(glob) {
				return "", false
			}
			out.WriteByte('\\')
			out.WriteByte(glob[i])
		case '{', '}':
			out.WriteByte('\\')
			out.WriteByte(c)
		case '*':
			stars, length := translateStars(glob, i)
			out.WriteString(stars)
			i += length - 1
		case '[':
			class, length, ok := translateClass(glob[i:])
			if !ok {
				return "", false
			}
			out.WriteString(class)
			i += length - 1
		default:
			out.WriteByte(c)
		}
	}
	if text := out.String(); strings.HasSuffix(text, "/**") {
		return text + "/*", true
	}
	return out.String(), true
}

// translateStars reads the run of stars at i. Two or more match folders if slashes or the ends of the glob enclose them;
// otherwise they match like one.
func translateStars(glob string, i int) (stars string, length int) {
	length = len(glob[i:]) - len(strings.TrimLeft(glob[i:], "*"))
	opens := i == 0 || glob[i-1] == '/'
	closes := i+length == len(glob) || glob[i+length] == '/'
	if length > 1 && opens && closes {
		return "**", length
	}
	return "*", length
}

// posixClasses are the named classes of a bracket expression, limited to ASCII.
var posixClasses = map[string]string{
	"alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \t", "cntrl": "\x01-\x1f\x7f", "digit": "0-9",
	"graph": `!-.0-\[\\\]-~`, "lower": "a-z", "print": ` -.0-\[\\\]-~`, "punct": `!-.:-@\[\\\]-` + "`{-~",
	"space": " \t\n\v\f\r", "upper": "A-Z", "xdigit": "0-9a-fA-F",
}

// translateClass translates the bracket expression that s begins with, and returns its length in s. ok is false for an
// unclosed expression or an unknown class: git then matches nothing.
func translateClass(s string) (class string, length int, ok bool) {
	i, out := 1, "["
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		out, i = `[!/`, i+1
	}
	for first := i; i < len(s); {
		switch {
		case s[i] == ']' && i > first:
			return out + "]", i + 1, true
		case s[i] == '\\' && i+1 < len(s):
			out, i = out+s[i:i+2], i+2
		case strings.HasPrefix(s[i:], "[:"):
			name, _, closed := strings.Cut(s[i+2:], ":]")
			set, known := posixClasses[name]
			if !closed || !known {
				return "", 0, false
			}
			out, i = out+set, i+len(name)+4
		case s[i] == ']' || s[i] == '[':
			out, i = out+`\`+s[i:i+1], i+1
		default:
			out, i = out+s[i:i+1], i+1
		}
	}
	return "", 0, false
}
