package golden

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	// extension is that of archives.
	extension = ".txtar"
	// commentFile is the file of a folder that has what an archive has before its first file.
	commentFile = "comment"
)

// Suite is a set of cases. A case is an archive NAME.txtar, or, if an archive cannot hold its files, a folder NAME with
// the same files.
type Suite struct {
	// Cases is a pattern for the archives and folders, as in testdata/*: each one that matches is a case.
	Cases string
	// Inputs are the files that a test reads, and Outputs those that it produces, in the order in which an archive has them.
	// A name that ends in a slash is a folder. A case with any other file is an error.
	Inputs, Outputs []string
	// Except are names that the pattern matches and that are no cases.
	Except []string
}

// Case is what a test knows of a case.
type Case struct {
	// Name is the path of the case below the fixed part of the pattern, without the extension.
	Name string
	// Comment is the text at the beginning of an archive, or the file comment of a folder.
	Comment string
	// Files are the inputs.
	Files map[string]string
}

// Run runs each case as a parallel subtest. The function returns the outputs, which must be the ones of the case; with
// -update they replace them.
func (s Suite) Run(t *testing.T, run func(t *testing.T, c Case) (outputs map[string]string)) {
	t.Helper()
	names := s.Names(t)
	only := namedByFlag(t, names)
	for _, name := range names {
		if only != "" && name != only {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored := s.read(t, name)
			inputs, want := s.split(t, stored)
			got := run(t, Case{Name: name, Comment: stored.comment, Files: maps.Clone(inputs)})
			if *update && !t.Failed() {
				s.update(t, name, stored, got)
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got (%s):\n%s", hint, diff)
			}
		})
	}
}

// namedByFlag returns the case that the flag -run names in full, or "". Patterns of -run match anywhere in a name:
// without this, updating one case would update those whose names it begins. A name without a case fails the test, which would
// otherwise pass without running anything.
func namedByFlag(t *testing.T, names []string) string {
	t.Helper()
	name, ok := strings.CutPrefix(flag.Lookup("test.run").Value.String(), t.Name()+"/")
	switch {
	case !ok:
		return ""
	case slices.Contains(names, name):
		return name
	case isUnknown(name, names):
		t.Fatalf("-run names the case %s, which does not exist: correct the name", name)
	}
	return ""
}

// isUnknown reports whether a name has the form of a case, and neither is a case nor abbreviates one. Each of its parts between
// slashes can be any part of the text in the same place of a case, as for -run. A regular expression is not a name.
func isUnknown(name string, names []string) bool {
	if regexp.QuoteMeta(name) != name {
		return false
	}
	parts := strings.Split(name, "/")
	sameForm := false
	for _, known := range names {
		inKnown := strings.Split(known, "/")
		if len(inKnown) != len(parts) {
			continue
		}
		sameForm = true
		if slices.EqualFunc(inKnown, parts, strings.Contains) {
			return false
		}
	}
	return sameForm
}

// Names returns the names of all cases, sorted.
func (s Suite) Names(t testing.TB) []string {
	t.Helper()
	matches, err := filepath.Glob(s.Cases)
	if err != nil || len(matches) == 0 {
		t.Fatalf("no cases %s: %v", s.Cases, err)
	}
	var names []string
	for _, match := range matches {
		name, err := filepath.Rel(s.root(), match)
		if err != nil {
			t.Fatal(err)
		}
		if name = strings.TrimSuffix(filepath.ToSlash(name), extension); !slices.Contains(s.Except, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names[1:] {
		if name == names[i] {
			t.Errorf("%s is both an archive and a folder", name)
		}
	}
	return slices.Compact(names)
}

// Read returns all files of a case: inputs and outputs.
func (s Suite) Read(t testing.TB, name string) map[string]string {
	t.Helper()
	return s.read(t, name).files
}

// root is the part of the pattern before the first star.
func (s Suite) root() string {
	fixed, _, _ := strings.Cut(s.Cases, "*")
	return filepath.Clean(fixed)
}

func (s Suite) path(name string) string { return filepath.Join(s.root(), filepath.FromSlash(name)) }

func (s Suite) read(t testing.TB, name string) *archive {
	t.Helper()
	text, err := os.ReadFile(s.path(name) + extension)
	if os.IsNotExist(err) {
		files := ReadFolder(t, s.path(name))
		comment := files[commentFile]
		delete(files, commentFile)
		return &archive{comment: comment, files: files, names: slices.Sorted(maps.Keys(files))}
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := parseArchive(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// split returns the inputs and the outputs of a case.
func (s Suite) split(t testing.TB, a *archive) (inputs, outputs map[string]string) {
	t.Helper()
	inputs, outputs = map[string]string{}, map[string]string{}
	for _, name := range a.names {
		switch {
		case matches(s.Inputs, name) >= 0:
			inputs[name] = a.files[name]
		case matches(s.Outputs, name) >= 0:
			outputs[name] = a.files[name]
		default:
			t.Errorf("the file %s is neither among the inputs %v nor among the outputs %v", name, s.Inputs, s.Outputs)
		}
	}
	return inputs, outputs
}

// matches returns the index of the first pattern that is the name, or a folder around it, or -1.
func matches(patterns []string, name string) int {
	return slices.IndexFunc(patterns, func(pattern string) bool {
		return name == pattern || strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern)
	})
}

// update replaces the outputs of a case, and leaves everything else as it is.
func (s Suite) update(t testing.TB, name string, stored *archive, outputs map[string]string) {
	t.Helper()
	for output := range outputs {
		if matches(s.Outputs, output) < 0 {
			t.Fatalf("the test produces %s, which is not among the outputs %v", output, s.Outputs)
		}
	}
	if info, err := os.Stat(s.path(name)); err == nil && info.IsDir() {
		s.updateFolder(t, name, outputs)
		return
	}
	updated := &archive{comment: stored.comment, files: maps.Clone(outputs)}
	for _, input := range stored.names {
		if matches(s.Outputs, input) < 0 {
			updated.names = append(updated.names, input)
			updated.files[input] = stored.files[input]
		}
	}
	updated.names = append(updated.names, s.sorted(outputs)...)
	text, err := updated.format()
	if err != nil {
		t.Fatalf("%v: make the case a folder", err)
	}
	write(t, s.path(name)+extension, text)
}

func (s Suite) updateFolder(t testing.TB, name string, outputs map[string]string) {
	t.Helper()
	for _, output := range s.Outputs {
		if err := os.RemoveAll(filepath.Join(s.path(name), output)); err != nil {
			t.Fatal(err)
		}
	}
	WriteFolder(t, s.path(name), outputs)
}

// sorted returns the names of outputs in the order of the suite, and within a folder by name.
func (s Suite) sorted(outputs map[string]string) []string {
	names := slices.Sorted(maps.Keys(outputs))
	slices.SortStableFunc(names, func(a, b string) int { return matches(s.Outputs, a) - matches(s.Outputs, b) })
	return names
}
