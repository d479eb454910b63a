package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/finding"
)

// reported tells whether findings of a file are asked for. The rest of the repository is context.
func (r *run) reported(file string) bool {
	return r.Tree.Selected(file) && (r.Changed == nil || r.Changed[file])
}

// isReported tells whether a finding is asked for: its file is, or the user asked about the file and what the finding comes
// from changed.
func (r *run) isReported(f finding.Finding) bool {
	if r.reported(f.File) {
		return true
	}
	_, changed := r.changedCause(f)
	return changed && (r.Tree.Selected(f.File) || slices.ContainsFunc(f.Causes, func(p finding.Place) bool { return r.Tree.Selected(p.File) }))
}

// place moves a finding whose file did not change to what changed, so that it shows where a change is reviewed.
func (r *run) place(f *finding.Finding) {
	if r.reported(f.File) {
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
	f.Home, f.File = f.File, cause.File
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

// countUnchanged says how many findings are in files that did not change: a change can break what stands elsewhere.
func (r *run) countUnchanged(found []judged) {
	elsewhere := 0
	for _, f := range found {
		if r.Tree.Selected(f.File) && !r.isReported(f.Finding) && f.Severity > finding.Note {
			elsewhere++
		}
	}
	switch elsewhere {
	case 0:
	case 1:
		r.outcome.Notes = append(r.outcome.Notes, "1 finding in a file that did not change is not reported")
	default:
		r.outcome.Notes = append(r.outcome.Notes, fmt.Sprintf("%d findings in files that did not change are not reported", elsewhere))
	}
}
