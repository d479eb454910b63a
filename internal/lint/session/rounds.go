package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/reading"
)

// maxRounds limits the number of rounds. One fix can make another necessary or possible: a subject that is corrected becomes a
// grant, and a placeholder can be removed after that.
const maxRounds = 5

// fixRounds applies fixes in rounds until a round changes nothing, so that a second run of the program changes nothing. It reports
// the fixed findings of all rounds and the findings that the last round has left. A preview reports the same, at
// the places in the files as they are, with the fixes of all rounds.
func (s *Session) fixRounds(ctx context.Context, first *Outcome) (*Outcome, error) {
	r := &roundResults{tree: reading.NewEditedTree(s.options.Tree), writes: map[string]commit.Write{}}
	var before places
	if s.options.Fixes.Preview {
		before = newPlaces(s.options.Tree, s.snapshot.Units)
	}
	out := first
	for range maxRounds {
		r.apply(out)
		s.addChanged(r.tree.Created())
		var err error
		if out, err = s.round(ctx, r.tree); err != nil {
			return nil, err
		}
		if len(out.Writes) == 0 {
			break
		}
	}
	incomplete := r.incomplete || out.Incomplete
	if s.options.Fixes.Preview {
		r.addLaterFixes(first)
		r.preview(first, out, before)
		out = first
	} else {
		r.report(out, first, s.snapshot.Units)
	}
	out.Incomplete, out.Stacks = incomplete, r.stacks
	out.Writes, out.Steps = sortedWrites(r.writes), r.steps
	out.Leftovers, out.LeftoversElsewhere = r.leftovers, r.elsewhere
	out.Notes, out.Permissions, out.ChangedUnits = r.notes, &r.permissions, r.units
	return out, nil
}

// addChanged counts created files as changed, where only findings in changed files are reported.
func (s *Session) addChanged(created map[string]bool) {
	if s.options.Revision.Changed == nil {
		return
	}
	changed := maps.Clone(s.options.Revision.Changed)
	for file, is := range created {
		changed[file] = changed[file] || is
	}
	s.options.Revision.Changed = changed
}

// roundResults are the results of the rounds so far.
type roundResults struct {
	tree   *reading.EditedTree
	writes map[string]commit.Write
	// steps are the writes of all rounds in their sequence.
	steps []commit.Write
	// leftovers are what the writes of all rounds prune. elsewhere is set if the paths do not select all that earlier runs have left.
	leftovers fixing.Leftovers
	elsewhere bool
	// fixed are the findings that are fixed, left the findings about what the fixes leave behind.
	fixed, left []finding.Finding
	// previewed are the findings whose fixes the rounds of a preview write.
	previewed []finding.Finding
	// fixable are the findings of all rounds that are fixed, in a preview.
	fixable     []finding.Finding
	notes       []string
	incomplete  bool
	stacks      []string
	permissions permission.Report
	units       []finding.Unit
}

// apply adds the result of a round.
func (r *roundResults) apply(out *Outcome) {
	for _, w := range out.Writes {
		r.writes[w.Path] = joinWrites(r.writes, w)
		r.tree.Write(w, r.writes[w.Path].Before == nil)
	}
	r.leftovers, r.elsewhere = r.leftovers.Join(out.Leftovers), r.elsewhere || out.LeftoversElsewhere
	after := 0 // the steps of the earlier rounds
	if n := len(r.steps); n > 0 {
		after = r.steps[n-1].Order + 1
	}
	for _, w := range out.Steps {
		w.Order += after
		r.steps = append(r.steps, w)
	}
	for _, found := range out.Findings {
		if found.Fixed() {
			r.fixed = append(r.fixed, found)
		}
		if hasEdits(found) {
			r.fixable = append(r.fixable, found)
		}
	}
	r.left = append(r.left, slices.DeleteFunc(slices.Clone(out.left), finding.Finding.Fixed)...) // no later round can find them
	r.previewed = append(r.previewed, out.previewed...)
	r.incomplete = r.incomplete || out.Incomplete
	for _, stack := range out.Stacks {
		r.stacks = words.AddOnce(r.stacks, stack)
	}
	r.permissions = r.permissions.Follow(*out.Permissions)
	r.units = fixing.JoinUnits(r.units, out.ChangedUnits)
	for _, note := range out.Notes {
		r.notes = words.AddOnce(r.notes, note)
	}
}

// hasEdits reports whether a run made or showed a fix of a finding.
func hasEdits(f finding.Finding) bool { return f.Fix != nil && len(f.Fix.Edits) > 0 }

// notWritten returns the findings of the last round as open: the writes of that round are dropped, so none of them is fixed.
func notWritten(findings []finding.Finding) []finding.Finding {
	open := slices.Clone(findings)
	for i, f := range open {
		if f.Fixed() {
			fix := *f.Fix
			fix.Applied = false
			open[i].Fix = &fix
		}
	}
	return open
}

// report adds the findings of all rounds to the outcome of the last. The counts of files are those of the first.
func (r *roundResults) report(out, first *Outcome, units []*objects.Unit) {
	open := notWritten(out.Findings)
	out.Findings = slices.Concat(r.fixed, open, newPlaces(r.tree, units).relocated(r.left, open))
	out.Target, out.Extensions, out.Summary.Files = first.Target, first.Extensions, first.Summary.Files
	out.Summary.Documents, out.Reported, out.Unread = first.Summary.Documents, first.Reported, first.Unread
	finding.Sort(out.Findings)
	out.Summary.Count(out.Findings)
	out.Source = func(file string) []byte {
		data, _ := r.tree.Read(file) // without the content, reports show no code frame
		return data
	}
}

// preview sets the findings of a run that shows its changes: those of the first round that are fixed or stay open, and those that
// only a later round reports. The others are resolved together with them.
func (r *roundResults) preview(first, last *Outcome, before places) {
	open := slices.Concat(last.Findings, r.left)
	isOpen, isFixable := againKeys(open), againKeys(r.fixable)
	shown := slices.DeleteFunc(slices.Clone(first.Findings), func(f finding.Finding) bool {
		key := againKey(f)
		return !hasEdits(f) && !isOpen[key] && !isFixable[key]
	})
	first.Findings = append(shown, before.relocated(notWritten(open), shown)...)
	finding.Sort(first.Findings)
	first.Summary.Count(first.Findings)
}

// againKey returns what a finding has in common with the same finding of another round, whose fixes can change its path.
func againKey(f finding.Finding) finding.Identity {
	return finding.Identity{Rule: f.Rule, File: f.File, Object: f.Resource}
}

func againKeys(findings []finding.Finding) map[finding.Identity]bool {
	keys := make(map[finding.Identity]bool, len(findings))
	for _, f := range findings {
		keys[againKey(f)] = true
	}
	return keys
}

// joinWrites joins a write with an earlier one to the same file.
func joinWrites(writes map[string]commit.Write, w commit.Write) commit.Write {
	before, again := writes[w.Path]
	if !again {
		return w
	}
	w.Before = before.Before
	return w
}

func sortedWrites(writes map[string]commit.Write) []commit.Write {
	var all []commit.Write
	for _, w := range writes {
		if w.Before != nil || w.After != nil {
			all = append(all, w)
		}
	}
	return sortedByPath(all)
}

func sortedByPath(all []commit.Write) []commit.Write {
	slices.SortFunc(all, func(a, b commit.Write) int { return strings.Compare(a.Path, b.Path) })
	return all
}
