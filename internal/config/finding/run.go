package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
)

// Run is how a report was made: what it was limited to, what was left out, and of which files it is.
type Run struct {
	// Date is the day of the run, in UTC, as in 2026-01-31.
	Date string
	// Commit is the one from which the program was built; "" if it is unknown.
	Commit string
	Selection
	Silencing
	// Settings and Policies are SHA-256 hashes of the configuration, and of the user's own policies with their data; "" without any.
	Settings, Policies string
	// Platform are the files that narrow the configuration.
	Platform []Narrowing
	WorkTree
	// Repositories are those of a workspace; nil if the run read one.
	Repositories []RunRepository
}

// RunRepository is a repository of a workspace.
type RunRepository struct {
	// Name is that of the workspace file, and Folder relative to the working directory.
	Name, Folder string
	Provenance
	// Settings is the hash of its configuration, or "".
	Settings string
	WorkTree
}

// Selection is what a run was limited to. Nothing is set if it was the whole repository.
type Selection struct {
	// Paths are relative to the root of the repository.
	Paths        []string
	Only         []string
	ChangedSince string
}

// Partial reports whether the run was limited to a part of the repository.
func (s Selection) Partial() bool { return len(s.Paths)+len(s.Only) > 0 || s.ChangedSince != "" }

// String says what was selected; "" for the whole repository.
func (s Selection) String() string {
	var parts []string
	if len(s.Paths) > 0 {
		parts = append(parts, "paths "+words.First(shownSelected, s.Paths))
	}
	if len(s.Only) > 0 {
		parts = append(parts, "--only "+words.First(shownSelected, s.Only))
	}
	if s.ChangedSince != "" {
		parts = append(parts, "--changed-since "+s.ChangedSince)
	}
	return strings.Join(parts, ", ")
}

// shownSelected is how many paths or rules a sentence names.
const shownSelected = 3

// Silencing is what a run did not report.
type Silencing struct {
	// RulesOff are rules that are on by default and off in this run, for all files or for some, sorted.
	RulesOff []string
	// Exclude are the paths that the settings exclude, as patterns. Implied are others that are not checked: those of bundles, and vendored ones
	// with something to check.
	Exclude, Implied []string
	// Tests are the patterns that make files data of tests.
	Tests []string
	// Baseline is the file with known findings, or "".
	Baseline string
	// Known is the number of findings that the baseline silences, and Ignored that of comments and annotations.
	Known, Ignored int
}

// String says what was left out, as in "2 rules off and 1 exclude"; "" for nothing.
func (s Silencing) String() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{len(s.RulesOff), "rule off", "rules off"}, {len(s.Exclude) + len(s.Implied), "exclude", "excludes"}, {len(s.Tests), "pattern of test data", "patterns of test data"},
		{s.Known, "finding in the baseline", "findings in the baseline"}, {s.Ignored, "ignored finding", "ignored findings"},
	} {
		if part.n > 0 {
			parts = append(parts, words.CountOf(part.n, part.one, part.many))
		}
	}
	return words.And(parts)
}

// Narrowing is a file that narrows the settings of a run.
type Narrowing struct {
	// File is relative to the root of the repository, and the name alone outside.
	File string
	// Origin is what leads to the file: OfCommand or OfRepository.
	Origin string
	// SHA256 is the hash of the file.
	SHA256 string
}

// The origins of a file that narrows the settings: `--config FILE --merge` and what that file extends, or `extends` of the repository's own
// settings. Only the first is the choice of the one who runs salint.
const (
	OfCommand    = "command"
	OfRepository = "repository"
)

// Hashes returns what hashes of a run are of, in words, and the hashes.
func Hashes(settings string, platform []Narrowing, policies string) [][2]string {
	all := [][2]string{{"settings", settings}}
	for _, n := range platform {
		what := "extended settings "
		if n.Origin == OfCommand {
			what = "platform "
		}
		all = append(all, [2]string{what + n.File, n.SHA256})
	}
	all = append(all, [2]string{"policies", policies})
	return slices.DeleteFunc(all, func(hash [2]string) bool { return hash[1] == "" })
}

// WorkTree is how the files of a run differ from the commit of the report.
type WorkTree struct {
	// Compared is set if git compared the two.
	Compared bool
	// Changed is the number of files that differ from the commit, and LeftOut that of the files that a sparse checkout leaves out, which
	// were read from the index of git.
	Changed, LeftOut int
}

// Sentence says how the report was made, on one line.
func (r Run) Sentence(version, revision string) string {
	if r.Date == "" {
		return ""
	}
	parts := []string{r.Date, "salint " + version}
	if r.Commit != "" {
		parts[1] += " (" + r.Commit + ")"
	}
	if revision != "" {
		parts = append(parts, "commit "+revision)
	}
	for _, of := range r.Repositories {
		parts = append(parts, of.String())
	}
	parts = append(parts, r.limits()...)
	for _, hash := range Hashes(r.Settings, r.Platform, r.Policies) {
		parts = append(parts, fmt.Sprintf("%s sha256:%s", hash[0], hash[1][:min(len(hash[1]), shownHash)]))
	}
	return "Run: " + strings.Join(parts, "; ") + "."
}

// Limits says what made the run less than one of the whole repository, as it was committed, with the default rules; "" for nothing. Paths that
// are left out without a setting are the subject of notes.
func (r Run) Limits() string {
	r.Implied = nil
	if limits := r.limits(); len(limits) > 0 {
		return "Run: " + strings.Join(limits, "; ") + "."
	}
	return ""
}

func (r Run) limits() (parts []string) {
	if r.Partial() {
		parts = append(parts, "limited to "+r.Selection.String())
	}
	if off := r.Silencing.String(); off != "" {
		parts = append(parts, "with "+off)
	}
	parts = append(parts, r.WorkTree.limits("")...)
	for _, of := range r.Repositories {
		parts = append(parts, of.WorkTree.limits(" in the repository "+of.Name)...)
	}
	return parts
}

// limits says how the files differ from those of the commit. Where is "" or where the files are.
func (t WorkTree) limits(where string) (parts []string) {
	if t.Changed > 0 {
		parts = append(parts, words.CountOf(t.Changed, "file"+where+" differs", "files"+where+" differ")+" from the commit")
	}
	if t.LeftOut > 0 {
		parts = append(parts, words.Count(t.LeftOut, "file")+where+" read from the index of a sparse checkout")
	}
	return parts
}

// String names the repository, with its commit.
func (r RunRepository) String() string {
	name := "repository " + r.Name
	if r.Revision != "" {
		name += " at commit " + r.Revision
	}
	return name
}

// shownHash is how many digits of a hash a sentence shows.
const shownHash = 16
