package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// verdictOf returns the sentence on which a reader of a page can act, without a full stop: of a change, whether it is safe to approve, and
// otherwise what is open.
func verdictOf(r *finding.Result) string {
	if (r.Fixing || r.Preview) && len(r.Changes) > 0 && r.Permissions != nil && r.Permissions.Made {
		return verdictOfFixes(r)
	}
	if verdict := strings.TrimSuffix(openSentence(r), "."); verdict != "" {
		return verdict + fixableText(r) + suppressedText(r)
	}
	return "Findings"
}

// verdictOfFixes says that fixes are safe to approve only if all was checked, no fix can change behavior, no identity has other permissions,
// no account stops limiting an extension, the repository shows no other release, and no error is left but what can be pruned later.
func verdictOfFixes(r *finding.Result) string {
	g, covered := gainsOf(r.Permissions), r.Coverage()
	what := fixedText(r)
	switch {
	case g.gain > 0:
		return words.Count(g.gain, "identity") + verb(g.gain, " gains", " gain") + " permissions: " + what
	case !covered.Complete():
		return "To review, because not all was checked: " + what
	case g.where != "":
		return "To review, because something else reads the changed files: " + what
	case r.Summary.NotShown > r.Summary.Notes: // the conflict of releases is a warning
		return "To review, because --min-severity leaves out warnings: " + what
	case hasOpen(r, releaseConflict):
		return "To review, because the repository shows another release than the one that is set: " + what
	case g.lose > 0 || g.unlimited > 0:
		return "To review: " + what + "; " + words.LowerFirst(strings.TrimSuffix(g.sentence(), "."))
	}
	same := "no identity gains or loses permissions"
	if n := otherIdentities(r); n > 0 {
		return fmt.Sprintf("To review: %s; for %s OLM acts as another identity, with the same permissions", what, words.Count(n, "extension"))
	}
	if n := fixesOf(r, finding.Unsafe); n > 0 {
		return fmt.Sprintf("To review: %s, %d of them in a way that can change behavior; %s", what, n, same)
	}
	if n := openInChange(r); n > 0 {
		return fmt.Sprintf("To review: %s; the fixes change no permissions, but the change since %s has %s", what, r.ChangedSince, words.Count(n, "open finding"))
	}
	left, later := openErrors(r)
	if left > later {
		return fmt.Sprintf("To review: %s; %s, and %s open", what, same, words.CountOf(left, "error is", "errors are"))
	}
	if later > 0 {
		same += "; left to prune: " + words.Count(later, "error")
	}
	return covered.Assure("Safe to approve: " + what + "; " + same)
}

// releaseConflict is the rule about a release that is set and that the repository contradicts: the cluster may reject what is safe on the other one.
const releaseConflict = "olm/target-conflict"

func hasOpen(r *finding.Result, rule string) bool {
	isOpen := func(f finding.Finding) bool { return f.Rule == rule && !isMade(f, r) }
	return slices.ContainsFunc(r.Findings, isOpen) || slices.ContainsFunc(r.Suppressed, isOpen)
}

// openErrors counts the errors that are left, and those among them that --prune resolves later: what the fix leaves without use.
func openErrors(r *finding.Result) (left, later int) {
	for _, f := range r.Findings {
		if f.Severity != finding.Error || isMade(f, r) {
			continue
		}
		if left++; f.Fix != nil && f.Fix.Kind == finding.Prune {
			later++
		}
	}
	return left, later
}

// openInChange counts the errors and warnings that are left in what changed, if a run is about a change: those are part of what is approved.
// What the fix leaves without use is no part of it.
func openInChange(r *finding.Result) (n int) {
	if r.ChangedSince == "" {
		return 0
	}
	for _, f := range slices.Concat(r.Findings, r.Suppressed) {
		if f.Severity != finding.Note && !isMade(f, r) && (f.Fix == nil || f.Fix.Kind != finding.Prune) {
			n++
		}
	}
	return n
}

// otherIdentities counts the extensions for which OLM acts as another identity than before.
func otherIdentities(r *finding.Result) (n int) {
	for _, x := range r.Permissions.Extensions {
		if x.From != x.To {
			n++
		}
	}
	return n
}

// isMade returns whether a run makes the fix of a finding or, in a preview, would.
func isMade(f finding.Finding, r *finding.Result) bool {
	return f.Fixed() || r.Preview && f.Fix != nil && len(f.Fix.Files) > 0
}

func fixesOf(r *finding.Result, kind finding.FixKind) (n int) {
	for _, f := range r.Findings {
		if isMade(f, r) && f.Fix.Kind == kind {
			n++
		}
	}
	return n
}

// fixedText counts the findings that a run fixes, with their clusters and releases as far as all are known.
func fixedText(r *finding.Result) string {
	n, isKnown := 0, true
	var clusters, targets []string
	for _, f := range r.Findings {
		if !isMade(f, r) {
			continue
		}
		n++
		isKnown = isKnown && len(f.Clusters) > 0
		clusters = append(clusters, f.Clusters...)
		if f.Target != "" && f.Target != olm.AutoTarget {
			targets = append(targets, f.Target)
		}
	}
	text := words.CountOf(n, "finding is fixed", "findings are fixed")
	if r.Preview {
		text = words.CountOf(n, "finding would be fixed", "findings would be fixed")
	}
	slices.Sort(clusters)
	if clusters = slices.Compact(clusters); isKnown && len(clusters) > 0 {
		text += " on " + words.Count(len(clusters), "cluster")
	}
	slices.Sort(targets)
	if targets = slices.Compact(targets); len(targets) > 0 {
		text += " with " + finding.List(targets, 3)
	}
	return text
}

// fixableText counts the open findings that have a safe fix.
func fixableText(r *finding.Result) string {
	n := 0
	for _, f := range r.Findings {
		if f.Fix != nil && !isMade(f, r) && f.Fix.Kind == finding.Safe {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "; " + words.CountOf(n, "has a safe fix", "have a safe fix")
}

// suppressedText counts the findings that comments, settings, or the baseline silence.
func suppressedText(r *finding.Result) string {
	if r.Summary.Suppressed == 0 {
		return ""
	}
	return "; " + words.CountOf(r.Summary.Suppressed, "is suppressed", "are suppressed")
}

// nameOf returns the name of the repository for the head of a page: the last part of its address, or that of its folder.
func nameOf(r *finding.Result) string {
	name := r.Origin.Repository
	if name == "" {
		name = r.Root
	}
	name = path.Base(filepath.ToSlash(name))
	if name == "." || name == "/" {
		return ""
	}
	return safetext.Text(name)
}
