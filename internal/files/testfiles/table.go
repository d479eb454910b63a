package testfiles

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/glob"
)

// Pattern is a path pattern of the settings. Not takes out what it matches of the data of tests.
type Pattern struct {
	glob.Path
	Not bool
}

// Table decides for the files of one repository. A nil table has no data of tests.
type Table struct {
	patterns []Pattern
	// marked are the folders with the definition of a test, for tools that keep the data beside it.
	marked map[string]bool
}

// New returns the table for some files: the documented one, with the patterns of the settings in addition. The last pattern that matches
// a file decides.
func New(patterns []Pattern, files []string) *Table {
	t := &Table{patterns: patterns, marked: map[string]bool{}}
	for _, file := range files {
		if slices.Contains(definitions, path.Base(file)) {
			t.marked[path.Dir(file)] = true
		}
	}
	return t
}

// The table, which docs/configuration.md documents (#data-of-tests).
var (
	// folders hold data of tests wherever they are: https://pkg.go.dev/cmd/go#hdr-Package_lists_and_patterns (testdata),
	// https://jestjs.io/docs/snapshot-testing and https://github.com/helm-unittest/helm-unittest (__snapshots__), https://kpt.dev (.expected),
	// https://github.com/kyverno/policies (.chainsaw-test, .kyverno-test).
	folders = []string{"testdata", "__snapshots__", "__fixtures__", ".expected", ".chainsaw-test", ".kyverno-test"}
	// resultFolders hold data of tests in a folder of tests. Elsewhere these are also names of applications and clusters.
	resultFolders = []string{"snapshots", "golden", "goldens", "fixtures", "expected", "expected-output", "expected-outputs", "expected_output"}
	// resultFile matches the names of snapshots and expected results.
	resultFile = lazyregexp.New(`(?i)^(?:.*[._-])?(?:expected|golden|snap)\.(?:ya?ml|json)$|^expected[_-](?:outputs?|results?)\.(?:ya?ml|json)$`)
	// assertFile and errorsFile match the files of kuttl that say what must exist, and what must not: https://kuttl.dev/docs/kuttl-test-harness.html
	assertFile = lazyregexp.New(`^\d+-assert(?:[-.].*)?\.ya?ml$`)
	errorsFile = lazyregexp.New(`^\d+-errors?(?:[-.].*)?\.ya?ml$`)
	// definitions define tests whose data is beside them: https://kyverno.github.io/chainsaw, https://kyverno.io/docs/kyverno-cli/usage/test
	definitions = []string{"chainsaw-test.yaml", "chainsaw-test.yml", "kyverno-test.yaml", "kyverno-test.yml"}
	// testFolder matches the names of folders of tests.
	testFolder = lazyregexp.New(`^(?:.*[-_.])?(?:tests|testing|e2e|kuttl|chainsaw)$|^__tests__$|^.+[-_.]test$`)
)

// Folder returns the folder whose files are data of tests because a file of it is; is is false for other files.
func (t *Table) Folder(file string) (folder string, is bool) {
	if t == nil {
		return "", false
	}
	for _, p := range slices.Backward(t.patterns) {
		if p.Covers(file) {
			return folderOf(p, file), !p.Not
		}
	}
	return t.known(file)
}

// TakesOut reports whether the settings say that a file is no data of tests.
func (t *Table) TakesOut(file string) bool {
	if t == nil {
		return false
	}
	for _, p := range slices.Backward(t.patterns) {
		if p.Covers(file) {
			return p.Not
		}
	}
	return false
}

// folderOf returns the outermost folder all of whose files a pattern matches, or otherwise that of the file.
func folderOf(p Pattern, file string) string {
	found := path.Dir(file)
	for folder := found; folder != "." && folder != "/"; folder = path.Dir(folder) {
		if p.Covers(folder + "/any") {
			found = folder
		}
	}
	return found
}

// known looks a file up in the documented table.
func (t *Table) known(file string) (folder string, is bool) {
	inTests := false
	for i, name := range strings.Split(path.Dir(file), "/") {
		at := func() string { return strings.Join(strings.Split(file, "/")[:i+1], "/") }
		switch {
		case slices.Contains(folders, name), t.marked[at()]:
			return at(), true
		case slices.Contains(resultFolders, name) && (inTests || path.Base(path.Dir(at())) == "test"):
			return at(), true
		}
		inTests = inTests || testFolder().MatchString(name)
	}
	base := path.Base(file)
	inTests = inTests || path.Base(path.Dir(file)) == "test"
	is = resultFile().MatchString(base) || assertFile().MatchString(base) || inTests && errorsFile().MatchString(base)
	return path.Dir(file), is
}
