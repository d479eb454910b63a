// Package textpaths finds the files and folders that texts name: a Makefile, a script, or a Terraform module that applies a
// manifest by its name.
package textpaths

import (
	"path"
	"strings"
)

// Place is a line of a text that names a file or folder.
type Place struct {
	File string
	Line int
	// Document is set for documentation whose line contains no command: it can describe the file without applying it.
	Document bool
	// Pattern is set if the place names the file by a pattern, so that it may name others instead.
	Pattern bool
}

// Index has the paths that texts name. The zero value is empty.
type Index struct {
	// Exists reports whether the repository has a file or folder; nil if that is unknown. A path that leads to one names nothing else
	// that ends like it, unless the text also names the folder above that.
	Exists func(path string) bool
	// byBase are the named paths by their last component.
	byBase map[string][]named
	// words are all paths and words of the texts with paths that depend on a working directory, to find its name in them.
	words map[string]map[string]bool
	// patterns are the paths with a variable or glob in their last component, by the name of their folder.
	patterns map[string][]named
	// embedded are the patterns of go:embed, by the folder of the Go file.
	embedded map[string][]named
}

// named is a path in a text, without the slashes and dots before its first component.
type named struct {
	Place
	path string
	// open is set if the beginning of the path is unknown: a variable, an absolute path, or a URL.
	open bool
}

// maxText is the size of the largest text that is read: what applies files by name is written by hand.
const maxText = 1 << 20

// Add adds the paths that a text names. It ignores binary and very large files.
func (x *Index) Add(file string, data []byte) {
	if len(data) > maxText || strings.IndexByte(string(data[:min(len(data), 1024)]), 0) >= 0 {
		return
	}
	if x.byBase == nil {
		x.byBase, x.words = map[string][]named{}, map[string]map[string]bool{}
		x.patterns, x.embedded = map[string][]named{}, map[string][]named{}
	}
	if isGo(file) {
		x.addEmbedded(file, string(data))
		return
	}
	words, relative := map[string]bool{}, false
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		place := Place{File: file, Line: number, Document: IsDocument(file) && !hasCommand(line)}
		afterFlag := false
		for _, t := range tokens(line) {
			n := named{place, t.text, t.open}
			words[n.path] = true
			manifest := isManifest(n.path)
			if manifest || afterFlag || strings.Contains(n.path, "/") {
				n.path = strings.Clone(n.path) // or the whole text would stay in memory
				base := path.Base(n.path)
				x.byBase[base] = append(x.byBase[base], n)
			}
			relative = relative || !n.open && (manifest || afterFlag)
			afterFlag = isFlag[t.text]
		}
		place.Pattern = true
		for _, t := range patternsIn(line) {
			x.addPattern(named{place, t.text, t.open})
			relative = relative || !strings.Contains(t.text, "/")
		}
	}
	if relative {
		x.words[file] = words
	}
}

// isFlag are the words after which kubectl, kustomize and helm expect a file or folder.
var isFlag = map[string]bool{
	"-f": true, "-k": true, "-Rf": true, "-R": true, "--filename": true, "--kustomize": true, "build": true, "cd": true, "chdir": true,
}

// Find returns the first place that names a file or folder, given by its path from the root of the repository. Places that
// only describe it come last; ok is false if no text names it.
func (x *Index) Find(target string) (place Place, ok bool) {
	for _, n := range x.byBase[path.Base(target)] {
		if !x.means(n, target) {
			continue
		}
		if !n.Document {
			return n.Place, true
		}
		if !ok {
			place, ok = n.Place, true
		}
	}
	if ok {
		return place, true
	}
	if place, ok = x.findEmbedded(target); ok {
		return place, true
	}
	return x.findPattern(target)
}

// means reports whether a path in a text may be that of a target.
func (x *Index) means(n named, target string) bool {
	dir := path.Dir(n.File)
	beside := path.Join(dir, n.path)
	if !n.open && (path.Clean(n.path) == target || beside == target) {
		return beside == target || !runsInFolder(n.File) || !x.exists(beside)
	}
	end := strings.TrimLeft(strings.ReplaceAll("/"+n.path, "/../", "/"), "/")
	switch {
	case !n.open && strings.Contains(end, "/") && (x.exists(beside) || x.exists(path.Clean(n.path))):
		above, isBelow := strings.CutSuffix(target, "/"+end)
		return isBelow && x.namesFolder(n.File, above)
	case n.open && strings.Contains(target, "/") && strings.HasSuffix(end, "/"+target): // a URL of this repository
		return true
	case strings.Contains(end, "/"): // the working directory or a variable supplies the beginning
		return target == end || strings.HasSuffix(target, "/"+end)
	case path.Base(target) != end:
		return false
	case n.open:
		return dir == "." || strings.HasPrefix(target, dir+"/")
	}
	return isManifest(end) && x.namesFolder(n.File, path.Dir(target))
}

func (x *Index) exists(target string) bool { return x.Exists != nil && x.Exists(target) }

// runsInFolder reports whether the program that reads a text starts in its folder: make.
func runsInFolder(file string) bool {
	base := strings.ToLower(path.Base(file))
	return base == "makefile" || base == "gnumakefile"
}

// namesFolder reports whether a text names a folder, as in cd deploy && kubectl apply -f rbac.yaml.
func (x *Index) namesFolder(file, folder string) bool {
	words := x.words[file]
	if folder == "." {
		return false // a file at the root is found by its name alone only in texts at the root
	}
	relative := strings.TrimPrefix(folder, path.Dir(file)+"/")
	return words[folder] || words[relative] || words[path.Base(folder)]
}

// token is a path or word of a line.
type token struct {
	text string
	open bool
}

// tokens returns the paths and words of a line.
func tokens(line string) []token {
	var found []token
	for at := 0; at < len(line); {
		start := at
		for at < len(line) && isPathByte(line[at]) {
			at++
		}
		if at == start {
			at++
			continue
		}
		if t, ok := newToken(line[start:at], line[:start]); ok {
			found = append(found, t)
		}
	}
	return found
}

// newToken returns a path without what does not identify a file. A variable before it, or as its first component, stands for
// unknown folders.
func newToken(text, before string) (token, bool) {
	t := token{text: strings.TrimRight(text, "./"), open: strings.HasPrefix(text, "/")}
	if strings.HasSuffix(before, "$") {
		_, rest, found := strings.Cut(t.text, "/")
		if !found {
			return token{}, false
		}
		t.text, t.open = rest, true
	}
	if strings.HasSuffix(before, "}") || strings.HasSuffix(before, ")") || strings.HasSuffix(before, "*") {
		t.open = true
	}
	for strings.HasPrefix(t.text, "./") || strings.HasPrefix(t.text, "/") {
		t.text = strings.TrimPrefix(strings.TrimPrefix(t.text, "."), "/")
	}
	return t, t.text != ""
}

func isPathByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._-/+", c) >= 0 || c > 127
}

func isManifest(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
