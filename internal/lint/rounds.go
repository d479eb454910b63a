package lint

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// maxRounds limits the number of rounds. One fix can make another necessary or possible: a subject that is corrected becomes a
// grant, and a placeholder can be removed after that.
const maxRounds = 5

// fixRounds applies fixes in rounds until a round changes nothing, so that a second run of the program changes nothing. It reports
// the fixed findings of all rounds and the findings that the last round has left. A preview reports the same, at
// the places in the files as they are, with the fixes of all rounds.
func (s *Session) fixRounds(ctx context.Context, first *Outcome) (*Outcome, error) {
	r := &roundResults{tree: newEditedTree(s.Tree), writes: map[string]repo.Write{}}
	out := first
	for range maxRounds {
		r.apply(out)
		s.addChanged(r.tree.created)
		var err error
		if out, err = s.round(ctx, r.tree); err != nil {
			return nil, err
		}
		if len(out.Writes) == 0 {
			break
		}
	}
	if s.Fixes.Preview {
		r.addLaterFixes(first)
		r.preview(first, out, s.Tree)
		out = first
	} else {
		r.report(out, first)
	}
	out.Writes, out.Notes, out.Permissions, out.ChangedUnits = sortedWrites(r.writes), r.notes, &r.permissions, r.units
	return out, nil
}

// addChanged counts created files as changed, where only findings in changed files are reported.
func (s *Session) addChanged(created map[string]bool) {
	if s.Changed == nil {
		return
	}
	s.Changed = maps.Clone(s.Changed)
	for file, is := range created {
		s.Changed[file] = s.Changed[file] || is
	}
}

// roundResults are the results of the rounds so far.
type roundResults struct {
	tree   *editedTree
	writes map[string]repo.Write
	// fixed are the findings that are fixed, left the findings about what the fixes leave behind.
	fixed, left []finding.Finding
	// previewed are the findings whose fixes the rounds of a preview write.
	previewed []finding.Finding
	// fixable are the findings of all rounds that are fixed, in a preview.
	fixable     []finding.Finding
	notes       []string
	permissions permission.Report
	units       []finding.Unit
}

// apply adds the result of a round.
func (r *roundResults) apply(out *Outcome) {
	for _, w := range out.Writes {
		r.tree.contents[w.Path] = w.After
		r.writes[w.Path] = joinWrites(r.writes, w)
		r.tree.created[w.Path] = r.writes[w.Path].Before == nil
	}
	for _, found := range out.Findings {
		if isFixed(found) {
			r.fixed = append(r.fixed, found)
		}
		if hasEdits(found) {
			r.fixable = append(r.fixable, found)
		}
	}
	r.left = append(r.left, slices.DeleteFunc(slices.Clone(out.left), isFixed)...) // no later round can find them
	r.previewed = append(r.previewed, out.previewed...)
	r.permissions = r.permissions.Follow(*out.Permissions)
	r.units = joinUnits(r.units, out.ChangedUnits)
	for _, note := range out.Notes {
		r.notes = appendOnce(r.notes, note)
	}
}

// hasEdits reports whether a run made or showed a fix of a finding.
func hasEdits(f finding.Finding) bool { return f.Fix != nil && len(f.Fix.Edits) > 0 }

func isFixed(f finding.Finding) bool { return f.Fix != nil && f.Fix.Applied }

// notWritten returns the findings of the last round as open: the writes of that round are dropped, so none of them is fixed.
func notWritten(findings []finding.Finding) []finding.Finding {
	open := slices.Clone(findings)
	for i, f := range open {
		if isFixed(f) {
			fix := *f.Fix
			fix.Applied = false
			open[i].Fix = &fix
		}
	}
	return open
}

// report adds the findings of all rounds to the outcome of the last. The counts of files are those of the first.
func (r *roundResults) report(out, first *Outcome) {
	open := notWritten(out.Findings)
	out.Findings = slices.Concat(r.fixed, open, relocated(r.tree, r.left, open))
	out.Target, out.Summary.Files = first.Target, first.Summary.Files
	out.Summary.Documents, out.Reported = first.Summary.Documents, first.Reported
	finding.Sort(out.Findings)
	out.Summary.Count(out.Findings)
	out.Source = func(file string) []byte {
		data, _ := r.tree.Read(file) // without the content, reports show no code frame
		return data
	}
}

// preview sets the findings of a run that shows its changes: those of the first round that are fixed or stay open, and those that
// only a later round reports. The others are resolved together with them.
func (r *roundResults) preview(first, last *Outcome, tree Tree) {
	open := slices.Concat(last.Findings, r.left)
	shown := slices.DeleteFunc(slices.Clone(first.Findings), func(f finding.Finding) bool {
		return !hasEdits(f) && !slices.ContainsFunc(open, isAgain(f)) && !slices.ContainsFunc(r.fixable, isAgain(f))
	})
	first.Findings = append(shown, relocated(tree, notWritten(open), shown)...)
	finding.Sort(first.Findings)
	first.Summary.Count(first.Findings)
}

// isAgain returns a function that reports whether a finding of another round is the same.
func isAgain(f finding.Finding) func(finding.Finding) bool {
	return func(other finding.Finding) bool {
		return other.Rule == f.Rule && other.Resource == f.Resource && other.File == f.File
	}
}

// relocated moves findings to the places of their objects in the edited files. It drops findings about objects that are removed,
// and findings that the last round reports itself.
func relocated(tree Tree, findings, known []finding.Finding) []finding.Finding {
	var moved []finding.Finding
	for _, f := range findings {
		again := isAgain(f)
		if slices.ContainsFunc(known, again) || slices.ContainsFunc(moved, again) {
			continue
		}
		if o := findObject(tree, f); o != nil {
			at := rangeOf(o.Doc, o.At(nil))
			f.Range.Line, f.Range.Column, f.Range.Start = at.Line, at.Column, at.Start
			f.Range.EndLine, f.Range.EndColumn, f.Range.End = at.Line, at.Column, at.Start
			moved = append(moved, f)
		}
	}
	return moved
}

// findObject returns the object of a file that a finding is about: the one of its name, or otherwise the only one to which a
// kustomization may give that name.
func findObject(tree Tree, f finding.Finding) *objects.Object {
	data, err := tree.Read(f.File)
	if err != nil {
		return nil
	}
	var renamed []*objects.Object
	for _, doc := range manifest.Scan(f.File, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, o := range objects.AllObjects(doc) {
			if resourceOf(o) == f.Resource {
				return o
			}
			if o.Kind == f.Resource.Kind && (strings.Contains(f.Resource.Name, o.Name) || rbac.Templated(o.Name)) {
				renamed = append(renamed, o)
			}
		}
	}
	if len(renamed) != 1 {
		return nil
	}
	return renamed[0]
}

// joinWrites joins a write with an earlier one to the same file.
func joinWrites(writes map[string]repo.Write, w repo.Write) repo.Write {
	before, again := writes[w.Path]
	if !again {
		return w
	}
	w.Before = before.Before
	if w.After != nil {
		w.Order = min(w.Order, before.Order)
	}
	return w
}

func sortedWrites(writes map[string]repo.Write) []repo.Write {
	var all []repo.Write
	for _, w := range writes {
		if w.Before != nil || w.After != nil {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b repo.Write) int { return strings.Compare(a.Path, b.Path) })
	return all
}
