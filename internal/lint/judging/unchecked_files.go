package judging

import (
	"maps"
	"slices"

	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/reading"
)

// uncheckedFiles finds the files of a snapshot of which nothing became an object that rules judge, although units read them or
// would have to. A file that was judged in one unit is checked, whatever is unknown about other parts and units. Rules find nothing in
// a deferred unit, so it has no gap if it could not be built, which would not be known in every run.
type uncheckedFiles struct {
	snapshot *reading.Snapshot
	units    []*objects.Unit
	judged   map[string]bool
	gaps     *coverage.Gaps
}

func newUncheckedFiles(s *reading.Snapshot) *uncheckedFiles {
	u := &uncheckedFiles{snapshot: s, units: append(objects.NotReplaced(s.Written), s.Unapplied...), judged: map[string]bool{}, gaps: &coverage.Gaps{Files: s.Tree.Files(), Text: s.Text, MayConcern: s.MayConcern, MayAdd: s.MayAdd}}
	for _, unit := range u.units {
		for _, o := range unit.Objects {
			u.judged[o.File] = true
		}
	}
	return u
}

// among returns the gaps of files for which selected returns true, by file.
func (u *uncheckedFiles) among(selected func(file string) bool) map[string]coverage.Gap {
	gaps := map[string]coverage.Gap{}
	for file := range u.suspected(selected) {
		if g, is := u.gaps.Of(u.units, file); is && (g.Hides || !u.judged[file]) {
			gaps[file] = g
		}
	}
	if patches := u.snapshot.UnreadJSONPatches(); len(patches) > 0 {
		testFolder := u.snapshot.TestFolders()
		for _, file := range patches {
			if selected(file) {
				gaps[file] = coverage.Gap{Reason: "no kustomization and no application of the repository applies this patch", Tests: testFolder(file)}
			}
		}
	}
	for file, gap := range u.snapshot.Unreadable() {
		if selected(file) && !u.judged[file] {
			gaps[file] = gap
		}
	}
	for _, unread := range u.snapshot.Unread() {
		if selected(unread.File) && !u.judged[unread.File] {
			gaps[unread.File] = coverage.Gap{Reason: unread.Reason}
		}
	}
	return gaps
}

// suspected returns the selected files for which a unit can have a gap. Most units have none, so most files are not tried in any.
func (u *uncheckedFiles) suspected(selected func(string) bool) map[string]bool {
	named, found := map[string]bool{}, map[string]bool{}
	for _, file := range u.snapshot.Collection.Names {
		if selected(file) {
			named[file] = true
		}
	}
	for _, unit := range u.units {
		for _, file := range u.suspects(unit, named) {
			found[file] = true
		}
	}
	return found
}

// suspects returns those of the named files that a unit reads and for which it can have a gap.
func (u *uncheckedFiles) suspects(unit *objects.Unit, named map[string]bool) []string {
	if unit.NotBuilt || len(unit.LeftOut) > 0 {
		return unit.ReadOf(named)
	}
	var files []string
	for _, r := range unit.Renderings {
		for _, dir := range r.Folders() {
			names := u.snapshot.Collection.Names
			if dir != "." {
				first, _ := slices.BinarySearch(names, dir+"/")
				end, _ := slices.BinarySearch(names, dir+"0") // the character after a slash
				names = names[first:end]
			}
			for _, file := range names {
				if named[file] {
					files = append(files, file)
				}
			}
		}
	}
	return files
}

// UnreadFiles counts the files on which findings are reported and which are not among those that were read, given in order.
func (r *Report) UnreadFiles(read []string) int {
	files := map[string]bool{}
	for _, u := range r.snapshot.Collection.Unread {
		if _, is := slices.BinarySearch(read, u.File); !is && r.Reported(u.File) {
			files[u.File] = true
		}
	}
	return len(files)
}

// notesOnFiles returns a finding for each unchecked file in which none of the findings is, and counts the files. A file that is not delivered
// has the finding about that.
func (r *Report) notesOnFiles(known []finding.Finding) []finding.Finding {
	gaps := newUncheckedFiles(r.snapshot).among(func(file string) bool { return r.Reported(file) && !r.options.Walk.Own(file) })
	undelivered := map[finding.Place]bool{}
	for _, f := range known {
		if f.Rule == finding.RuleNotDelivered.Name {
			undelivered[finding.Place{File: f.File, Line: f.Range.Line}] = true
		}
	}
	maps.DeleteFunc(gaps, func(_ string, g coverage.Gap) bool {
		return undelivered[finding.Place{File: g.Cause.File, Line: g.Cause.Line}]
	})
	r.result.NotChecked = len(gaps)
	for _, f := range known {
		delete(gaps, f.File)
	}
	var notes []finding.Finding
	for file, g := range gaps {
		p := loader.Problem{Position: objects.Position{File: file, Line: 1, Column: 1}, Message: "not checked: " + g.Reason}
		if g.Cause.File != "" && g.Cause.File != file {
			p.Related = []loader.Place{{Position: g.Cause, Message: "the reason"}}
		}
		note := p.Finding()
		if g.Tests == "" {
			note.Unchecked = &finding.Unchecked{Reason: finding.Place{File: g.Cause.File, Line: g.Cause.Line}}
		} else {
			note.Unapplied = &finding.Unapplied{Folder: g.Tests}
		}
		notes = append(notes, note)
	}
	return notes
}
