package textpaths

import (
	"path"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// unknown stands for a part of a path that only the program knows that runs the text: a variable, a value of a loop, or a class of
// characters. It differs from *, which takes every file, also one that salint adds.
const unknown = "\x01"

// unknowns are the forms of such parts, in the order in which they are replaced, because one can contain another. A line without one
// of the characters of each text in needs does not have the form: most lines of programs have none, and need no regular expression.
var unknowns = []struct {
	form  func() *regexp.Regexp
	with  string
	needs []string
}{
	{lazyregexp.New(`\$*\{\{[^{}]*\}\}|\$+\{[^{}]*\}`), unknown, []string{"{", "}"}},                                          // {{ item }}, ${{ matrix.f }}, ${f}
	{lazyregexp.New(`\$+(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@<^])`), unknown, []string{"$"}},                                        // $f, and $$f in a Makefile
	{lazyregexp.New(`\$+\(addsuffix\s+([^,()\s]+)\s*,[^()$]*\)`), unknown + `$1`, []string{"$", "("}},                         // $(addsuffix .yaml,a b)
	{lazyregexp.New(`\$+\(addprefix\s+([^,()\s]+)\s*,[^()$]*\)`), `$1` + unknown, []string{"$", "("}},                         // $(addprefix m/,a b)
	{lazyregexp.New(`\$+\([^()/]*\)`), unknown, []string{"$", "("}},                                                           // $(DIR), $(basename $f)
	{lazyregexp.New(`\$+\(addsuffix\s+([^,()\s]+)\s*,\s*([^()\s]*` + unknown + `[^()\s]*)\s*\)`), `$2$1`, []string{"$", "("}}, // $(addsuffix .yaml,$(NAMES))
	{lazyregexp.New(`\$+\(addprefix\s+([^,()\s]+)\s*,\s*([^()\s]*` + unknown + `[^()\s]*)\s*\)`), `$1$2`, []string{"$", "("}}, // $(addprefix m/,$(NAMES))
	{lazyregexp.New(`\$+\(addsuffix\s+([^,()\s]+)\s*,\s*([^()\s]*` + unknown + `[^()\s]*)\s*\)`), `$2$1`, []string{"$", "("}}, // around the former
	{lazyregexp.New(`\{\w[\w.]*\[["']?[\w.-]+["']?\][^{}\s"'/]*\}`), unknown, []string{"{", "["}},                             // {d['f']} in Python
	{lazyregexp.New(`#?\{[^{}\s"'/]*\}`), unknown, []string{"{", "}"}},                                                        // #{f}, {f}, {}, and {a,b}
	{lazyregexp.New(`\[[^\[\]\s"'/]+\]|\?`), unknown, []string{"[?"}},                                                         // [0-9], ?
	{lazyregexp.New(`%\(\w+\)\w|%{1,2}~?\w*%?`), unknown, []string{"%"}},                                                      // %s, %(name)s, %%f, %f%
	{lazyregexp.New(`["']\s*\+\s*[\w.]+\s*\+\s*["']`), unknown, []string{"+", `"'`}},                                          // "m/" + f + ".yaml"
	{lazyregexp.New(`[\w.]+\s*\+\s*["']`), unknown, []string{"+", `"'`}},                                                      // f + ".yaml"
	{lazyregexp.New(`["']\s*\+\s*[\w.]+`), unknown, []string{"+", `"'`}},                                                      // "m/" + f
	{lazyregexp.New(`["']\)?\s*[,/]\s*(?:[bfru]{0,2}["']|(` + unknown + `))`), `/$1`, []string{`"'`, ",/"}},                   // join("m", f + ".yaml")
	{lazyregexp.New(`(join\(\s*|, *)["']([^"']*)["']\s*,\s*[A-Za-z_]\w*\s*\)`), `$1"$2/` + unknown, []string{`"'`, ",", ")"}}, // join("m", f)
}

// maxPatternLine is the length of the longest line in which patterns are looked for: longer ones are generated.
const maxPatternLine = 4096

// patternsIn returns the paths of a line whose last component is known only in part. A glob that takes every file of a folder is
// none: it takes a new file, too, and does not fail without a deleted one.
func patternsIn(line string) []token {
	if len(line) > maxPatternLine || !strings.ContainsAny(line, "$*?{[%+,") || !strings.ContainsAny(line, `./"'`) {
		return nil
	}
	for _, u := range unknowns {
		if containsEach(line, u.needs) {
			line = u.form().ReplaceAllString(line, u.with)
		}
	}
	if !strings.ContainsAny(line, "*"+unknown) {
		return nil
	}
	var found []token
	for _, text := range strings.FieldsFunc(line, func(c rune) bool { return !isPatternRune(c) }) {
		if t, ok := newPattern(text); ok {
			found = append(found, t)
		}
	}
	return found
}

// containsEach reports whether a line contains a character of each text.
func containsEach(line string, needs []string) bool {
	for _, characters := range needs {
		if !strings.ContainsAny(line, characters) {
			return false
		}
	}
	return true
}

func isPatternRune(c rune) bool {
	return c > 127 || c == '*' || string(c) == unknown || isPathByte(byte(c))
}

// newPattern returns a pattern for path.Match. Its folders, or at least its extension, must be known.
func newPattern(text string) (token, bool) {
	t := token{text: strings.TrimRight(text, "./"), open: strings.HasPrefix(text, "/")}
	if i := strings.LastIndex(t.text, "**/"); i >= 0 {
		t.text, t.open = t.text[i+len("**/"):], true
	}
	base := path.Base(t.text)
	if !strings.Contains(base, unknown) && (!strings.Contains(base, "*") || takesAll(base)) {
		return token{}, false
	}
	t.text = strings.ReplaceAll(t.text, unknown, "*")
	for strings.HasPrefix(t.text, "./") || strings.HasPrefix(t.text, "/") || strings.HasPrefix(t.text, "*/") {
		t.open = t.open || t.text[0] != '.'
		t.text = strings.TrimPrefix(t.text[1:], "/")
	}
	hasFolder := strings.Trim(path.Dir(t.text), "*./") != ""
	return t, hasFolder || isManifest(t.text)
}

// takesAll reports whether a glob takes every file with its extension.
func takesAll(base string) bool {
	rest := strings.TrimLeft(base, "*")
	return base != rest && (rest == "" || strings.HasPrefix(rest, ".") && strings.LastIndex(rest, ".") == 0)
}

// addPattern adds a pattern under the name of its folder; all with an unknown folder are under "".
func (x *Index) addPattern(n named) {
	folder := path.Base(path.Dir(n.path))
	if folder == "." || folder == ".." || strings.Contains(folder, "*") {
		folder = ""
	}
	x.patterns[folder] = append(x.patterns[folder], n)
}

// findPattern returns the first place with a pattern that a file or folder matches.
func (x *Index) findPattern(target string) (place Place, ok bool) {
	folder := path.Base(path.Dir(target))
	for _, key := range []string{folder, ""} {
		for _, n := range x.patterns[key] {
			if !x.matches(n, target) || ok && n.Document {
				continue
			}
			place, ok = n.Place, true
			if !n.Document {
				return place, true
			}
		}
	}
	return place, ok
}

// matches is [Index.means] for a pattern.
func (x *Index) matches(n named, target string) bool {
	dir := path.Dir(n.File)
	if !n.open && (isMatch(path.Clean(n.path), target) || isMatch(path.Join(dir, n.path), target)) {
		return true
	}
	end := strings.TrimLeft(strings.ReplaceAll("/"+n.path, "/../", "/"), "/")
	if !strings.Contains(end, "/") { // only the end of the name is known, so the text must name the folder
		return isMatch(end, path.Base(target)) && (path.Dir(target) == dir || x.namesFolder(n.File, path.Dir(target)))
	}
	parts := strings.Split(target, "/")
	from := len(parts) - 1 - strings.Count(end, "/")
	return from >= 0 && isMatch(end, strings.Join(parts[from:], "/"))
}

func isMatch(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
