package judging

import (
	"fmt"
	"path"
	"slices"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/config/silence"
)

// misnamed are names that are taken for the name of the configuration.
var misnamed = []string{".salint.yml", ".salint.json"}

// withoutEffect returns the notes on settings without effect: files with a name similar to that of the configuration, and path patterns
// that match nothing. It runs after everything that silences findings, because a setting cannot silence the note on itself.
func (r *Report) withoutEffect() []finding.Finding {
	var notes []finding.Finding
	add := func(file string, line, column int, message string) {
		f := finding.AboutFile(finding.ProgramRule{Name: silence.NoteRule, Severity: finding.Note}, file, finding.Range{Line: line, Column: column}, message)
		if r.Reported(file) && r.Configure(&f) {
			notes = append(notes, f)
		}
	}
	for _, name := range r.snapshot.Collection.Names {
		if slices.Contains(misnamed, path.Base(name)) && name != r.options.ConfigFile {
			add(name, 1, 1, fmt.Sprintf("this file is not read: the name of a configuration is %s", settings.FileName))
		}
	}
	for i, p := range r.unmatchedPatterns() {
		if i == maxUnmatched {
			add(r.options.ConfigFile, p.Line, p.Column, "this pattern and further ones can have no effect, too: correct or remove the ones before, and run salint again")
			break
		}
		add(r.options.ConfigFile, p.Line, p.Column, fmt.Sprintf("the pattern %q under `%s` has no effect: it matches nothing that is read. Correct it, or remove it.",
			safetext.Limit(p.Text), p.Key))
	}
	return notes
}

// maxUnmatched is how many patterns without effect are reported. One pattern more is searched for, because the search for each
// looks at all files.
const maxUnmatched = 20

// unmatchedPatterns returns the first path patterns of the configuration that match nothing. A run for some paths may not read what they
// match, if it is outside of git.
func (r *Report) unmatchedPatterns() []settings.PathPattern {
	if r.options.ConfigFile == "" || !r.snapshot.Tree.Selected(".") {
		return nil
	}
	hides := r.snapshot.Collection.Hidden.Excluded+r.snapshot.Collection.Hidden.ExcludedFolders > 0 // an override can be about an excluded file, which counts as context
	var unmatched []settings.PathPattern
	for _, p := range r.options.Config.PathPatterns() {
		if len(unmatched) > maxUnmatched {
			break
		}
		if p.Key == "exclude" && r.snapshot.Collection.Hidden.Matched[p.String()] {
			continue
		}
		if p.Key != "exclude" && (hides || slices.ContainsFunc(r.snapshot.Collection.Names, p.Covers)) {
			continue
		}
		unmatched = append(unmatched, p)
	}
	return unmatched
}
