package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// reported tells whether findings of a file are asked for. The rest of the repository is context.
func (r *run) reported(file string) bool {
	return r.Tree.Selected(file) && (r.Changed == nil || r.Changed[file])
}

// isReported tells whether a finding is asked for: the paths ask for it, and where only changes count, its file changed, or
// what it comes from.
func (r *run) isReported(f judged) bool {
	if f.asked && (r.Changed == nil || r.Changed[f.File]) {
		return true
	}
	_, changed := r.changedCause(f.Finding)
	return changed && (f.asked || slices.ContainsFunc(f.Causes, func(p finding.Place) bool { return r.Tree.Selected(p.File) }))
}

// place moves a finding whose file did not change to what changed, so that it shows where a change is reviewed.
func (r *run) place(f *finding.Finding) {
	if r.Changed == nil || r.reported(f.File) {
		return
	}
	cause, changed := r.changedCause(*f)
	if !changed || !r.reported(cause.File) {
		return
	}
	f.Related = slices.DeleteFunc(slices.Clone(f.Related), func(r finding.Related) bool {
		return r.File == cause.File && r.Line == cause.Line
	})
	f.Related = append(f.Related, finding.Related{File: f.File, Line: f.Range.Line, Message: "the object that it is about"})
	f.ObjectFile, f.File = f.File, cause.File
	f.Range = finding.Range{Line: cause.Line, Column: 1, EndLine: cause.Line, EndColumn: 1}
}

// changedCause finds the first cause of a finding that changed, and of a folder the first file that did. What is not there
// counts as changed: it may have been, and git does not list what is gone.
func (r *run) changedCause(f finding.Finding) (cause finding.Place, changed bool) {
	for _, p := range f.Causes {
		if r.Changed[p.File] {
			return finding.Place{File: p.File, Line: max(p.Line, 1)}, true
		}
	}
	for _, p := range f.Causes {
		for _, file := range slices.Sorted(maps.Keys(r.Changed)) {
			if strings.HasPrefix(file, p.File+"/") {
				return finding.Place{File: file, Line: 1}, true
			}
		}
	}
	return finding.Place{}, slices.ContainsFunc(f.Causes, func(p finding.Place) bool { return r.Bundles.Lacks(p.File) })
}

// countLeftOut says how many findings are not reported: those in files that did not change, for a change can break what stands
// elsewhere, and those that the named paths do not ask for although they have a part in what is applied there.
func (r *run) countLeftOut(found []judged) {
	unchanged, elsewhere := 0, 0
	for _, f := range found {
		switch {
		case r.isReported(f) || f.Severity <= finding.Note:
		case f.asked:
			unchanged++
		case f.related:
			elsewhere++
		}
	}
	r.countNote(unchanged, "1 finding in a file that did not change is not reported", "%d findings in files that did not change are not reported")
	r.countNote(elsewhere, "1 finding elsewhere is not reported", "%d findings elsewhere are not reported")
}

// countNote adds a note with a number to the outcome, in words for one and for more.
func (r *run) countNote(n int, one, more string) {
	switch n {
	case 0:
	case 1:
		r.outcome.Notes = append(r.outcome.Notes, one)
	default:
		r.outcome.Notes = append(r.outcome.Notes, fmt.Sprintf(more, n))
	}
}
