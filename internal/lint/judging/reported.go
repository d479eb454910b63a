package judging

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Reported reports whether findings in a file are reported. The rest of the repository is context.
func (r *Report) Reported(file string) bool {
	return r.snapshot.Selected(file) && (r.options.Revision.Changed == nil || r.options.Revision.Changed[file])
}

// Selects reports whether the paths select the file of an object, or a unit that applies it.
func (r *Report) Selects(o *objects.Object) bool {
	return r.snapshot.Selected(o.File) || r.judge.Scope.Applies(r.snapshot.Units, o.File)
}

// Concerns reports whether an object is in a file whose findings are reported, or is applied by a selected unit.
func (r *Report) Concerns(o *objects.Object) bool {
	return r.Reported(o.File) || r.options.Revision.Changed == nil && r.judge.Scope.Applies(r.snapshot.Units, o.File)
}

// Reports reports whether a finding is reported: the paths of the command line select it and, with --changed-since, its file or
// one of its causes changed, or the revision did not have it.
func (r *Report) Reports(f Finding) bool {
	if f.Selected && (r.options.Revision.Changed == nil || r.options.Revision.Changed[f.File] || r.isCaused(f.Finding)) {
		return true
	}
	_, changed := r.changedCause(f.Finding)
	return changed && (f.Selected || slices.ContainsFunc(f.Causes, func(p finding.Place) bool { return r.snapshot.Selected(p.File) }))
}

// Place moves a finding in an unchanged file to the cause that changed, so that it appears in a review of the change.
func (r *Report) Place(f *finding.Finding) {
	if r.options.Revision.Changed == nil || r.Reported(f.File) {
		return
	}
	cause, changed := r.changedCause(*f)
	if !changed || !r.Reported(cause.File) {
		return
	}
	f.Related = slices.DeleteFunc(slices.Clone(f.Related), func(r finding.Related) bool {
		return r.File == cause.File && r.Line == cause.Line
	})
	f.Related = append(f.Related, finding.Related{File: f.File, Line: f.Range.Line, Message: "the object of the finding"})
	f.ObjectFile, f.File = f.File, cause.File
	f.Range = finding.Range{Line: cause.Line, Column: 1, EndLine: cause.Line, EndColumn: 1}
}

// changedCause returns the first cause of a finding that changed; for a folder, the first file in it that did. The places related to a
// finding that the revision did not have are causes. A cause that does not exist counts as changed: it may have been removed, and git
// does not list removed files.
func (r *Report) changedCause(f finding.Finding) (cause finding.Place, changed bool) {
	for _, p := range f.Causes {
		if r.options.Revision.Changed[p.File] {
			return finding.Place{File: p.File, Line: max(p.Line, 1)}, true
		}
	}
	for _, p := range f.Causes {
		for _, file := range slices.Sorted(maps.Keys(r.options.Revision.Changed)) {
			if strings.HasPrefix(file, p.File+"/") {
				return finding.Place{File: file, Line: 1}, true
			}
		}
	}
	if r.isCaused(f) {
		for _, other := range f.Related {
			if r.options.Revision.Changed[other.File] {
				return finding.Place{File: other.File, Line: max(other.Line, 1)}, true
			}
		}
	}
	return finding.Place{}, slices.ContainsFunc(f.Causes, func(p finding.Place) bool { return r.options.Bundles.Lacks(p.File) })
}

// CountUnreported adds notes with the number of findings that are not reported: findings in files that did not change, because a
// change can break other files, and findings of selected units outside of the selected paths.
func (r *Report) CountUnreported(found []Finding) {
	var unreported []Finding
	caused := 0
	for _, f := range found {
		switch {
		case f.Severity <= finding.Note:
		case !r.Reports(f):
			if f.Selected || f.unitSelected {
				unreported = append(unreported, f)
			}
		case r.options.Revision.Changed != nil && !r.options.Revision.Changed[f.File]:
			if _, placed := r.changedCause(f.Finding); !placed {
				caused++
			}
		}
	}
	unchanged, elsewhere := r.countOpen(found, unreported)
	r.result.Unchanged = unchanged
	r.countNote(unchanged, "1 finding in a file that did not change is not reported"+r.unknownCauses(),
		"%d findings in files that did not change are not reported"+r.unknownCauses())
	r.countNote(caused, "1 finding is in a file that did not change since "+r.options.Revision.Since+": the change causes it",
		"%d findings are in files that did not change since "+r.options.Revision.Since+": the change causes them")
	r.countNote(elsewhere, "1 finding elsewhere is not reported: run without paths to see it",
		"%d findings elsewhere are not reported: run without paths to see them")
}

// countOpen counts those of the unreported findings that nothing silences. What the baseline has of a fingerprint is counted over all that was found.
func (r *Report) countOpen(found, unreported []Finding) (unchanged, elsewhere int) {
	if len(unreported) == 0 {
		return 0, 0
	}
	all := make([]finding.Finding, len(found))
	for i, f := range found {
		all[i] = f.Finding
	}
	suppressed, known, _ := r.silencedOf(all)
	silenced := NewSilenced(suppressed, known)
	for _, f := range unreported {
		switch {
		case silenced.Has(f.Finding):
		case f.Selected:
			unchanged++
		default:
			elsewhere++
		}
	}
	return unchanged, elsewhere
}

// countNote adds a note with a number to the outcome, in the singular or the plural.
func (r *Report) countNote(n int, one, more string) {
	switch n {
	case 0:
	case 1:
		r.result.Notes = append(r.result.Notes, one)
	default:
		r.result.Notes = append(r.result.Notes, fmt.Sprintf(more, n))
	}
}
