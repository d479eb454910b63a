package ignore

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzGitignore checks that the index of the rules finds the same rule as comparing them one by one.
func FuzzGitignore(f *testing.F) {
	for _, seed := range [][2]string{
		{"*.yaml\n!a.yaml\n/b/\nc/d\n", "b/a.yaml"}, {"**/x/**\n\\#a\n\\!b\na\\ \n[a-\n[]a]\n", "x/y/z"},
		{"a*a*a*a*b\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaa"}, {"{a,b}\n[!c]\n?\n", "{a,b}"}, {"\ufeff*\r\n!*/\r\n", "a/b"},
		{"/**\n**/\n**\n//\n/\n", "a"}, {"*\\\n\\\n[[:alpha:]]\n", "\\"},
	} {
		f.Add(seed[0], seed[1], true)
	}
	f.Fuzz(func(t *testing.T, text, path string, isDir bool) {
		if !utf8.ValidString(text) || !fs.ValidPath(path) || path == "." {
			return // the glob library takes invalid bytes for each other, which the index does not
		}
		rules := parseGitignore([]byte(text))
		got := rules.lastMatch(path, isDir)
		var want *gitRule
		for i := range rules.rules {
			r := &rules.rules[i]
			plain := gitRule{glob: r.glob}
			subject := path
			if r.nameOnly {
				subject = path[strings.LastIndexByte(path, '/')+1:]
			}
			if (isDir || !r.dirOnly) && plain.match(subject) {
				want = r
			}
		}
		if got != want {
			t.Errorf("%q, %q: got %+v, want %+v", text, path, got, want)
		}
	})
}
