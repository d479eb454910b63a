package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// The sentences of the reports for people who approve a change: html and markdown.

// target is the release or model of findings.
type target struct{ Name, Effect, Source, DetectedFrom string }

var modelEffects = map[olm.Model]string{
	olm.Required: "spec.serviceAccount is required, and OLM acts as that account. Without it, the API server rejects the extension.",
	olm.Synthetic: "spec.serviceAccount is optional. With it, OLM acts as that account. Without it, OLM impersonates the user " +
		"olm:clusterextension:NAME in the group olm:clusterextensions, which has only the permissions bound to the user or the group.",
	olm.Ignored: "spec.serviceAccount is optional, deprecated, and without effect: OLM acts as its own account, a cluster-admin as OLM ships it. " +
		"The permissions of other accounts no longer limit what an extension installs; anyone who can write ClusterExtensions decides that.",
	olm.Removed: "spec.serviceAccount is no longer part of the API, and an extension that sets it is rejected. OLM acts as its own account, " +
		"a cluster-admin as OLM ships it.",
	olm.Unknown: "The release is neither set nor detected. spec.serviceAccount is required through " + olm.RequiredThrough() +
		", and ignored from " + olm.IgnoredFrom() + ". Only what is wrong on both sides is reported.",
}

// targetsOf returns the targets of the findings and of the run.
func targetsOf(r *finding.Result, p paths) []target {
	names := map[string]bool{}
	if r.Target.Name != "" && r.Target.Name != "auto" {
		names[r.Target.Name] = true
	}
	for _, f := range r.Findings {
		if f.Target != "" && (f.Target != olm.AutoTarget || len(r.Extensions) > 0) {
			names[f.Target] = true
		}
	}
	var targets []target
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t := target{Name: safetext.Text(name)}
		if name == olm.AutoTarget {
			t.Name, t.Effect = "unknown", modelEffects[olm.Unknown]
		}
		if known, err := olm.ParseTarget(name); err == nil {
			t.Effect, t.Source = modelEffects[known.Model], known.Source
		}
		if name == r.Target.Name && r.Target.DetectedFrom != "" {
			t.DetectedFrom = safetext.Text(p.place(r.Target.DetectedFrom))
		}
		targets = append(targets, t)
	}
	return targets
}

// leadOf returns what follows the verdict: what changes, and what is open.
func leadOf(r *finding.Result) string {
	var sentences []string
	switch n := words.Count(len(r.Changes), "file"); {
	case !r.Fixing && !r.Preview:
	case len(r.Changes) == 0:
		sentences = append(sentences, noChanges(r))
	case r.Preview:
		sentences = append(sentences, n+" would change.")
	default:
		sentences = append(sentences, n+" changed.")
	}
	for _, line := range changeLines(r, pathsOf(r)) {
		sentences = append(sentences, line+".")
	}
	if len(r.Changes) > 0 {
		sentences = append(sentences, openSentence(r))
	}
	return strings.Join(append(sentences, "Checked: "+checked(r)+"."), " ")
}

// noChanges says why a run that fixes changes nothing.
func noChanges(r *finding.Result) string {
	isRefused := func(f finding.Finding) bool { return f.Rule == finding.RuleUnfixable.Name }
	unsafe := 0
	for _, f := range r.Findings {
		if f.Fix != nil && f.Fix.Kind == finding.Unsafe {
			unsafe++
		}
	}
	switch {
	case slices.ContainsFunc(r.Findings, isRefused):
		return "Nothing was changed: a fix was refused."
	case unsafe > 0:
		return "Nothing was changed: " + words.CountOf(unsafe, "fix is not safe", "fixes are not safe") + "."
	case len(r.Findings) > 0:
		return "Nothing was changed: no finding has a safe fix."
	}
	return "No changes are necessary."
}

func openSentence(r *finding.Result) string {
	s := openSummary(r)
	var found []string
	for _, c := range []struct {
		n    int
		name string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if c.n > 0 {
			found = append(found, words.Count(c.n, c.name))
		}
	}
	covered := r.Coverage()
	open := covered.NoneOpen()
	switch {
	case len(found) > 0:
		open = openCounts(found, s)
	case covered.Unchecked != "":
		return covered.Gap()
	}
	return strings.TrimSpace(covered.Gap() + " " + open)
}

// openCounts is the sentence with the numbers of open findings; there is at least one.
func openCounts(found []string, s finding.Summary) string {
	if len(found) == 1 && s.Errors+s.Warnings+s.Notes == 1 {
		return found[0] + " is open."
	}
	return words.And(found) + " are open."
}

// gains are the numbers of identities, including OLM for an extension, that gain or lose permissions, and of the extensions
// that their account no longer limits.
type gains struct {
	gain, lose, unlimited int
	// where limits an assurance, see proven.
	where string
}

func gainsOf(r *permission.Report) gains {
	var g gains
	gaining, losing := map[rbac.Subject]bool{}, map[rbac.Subject]bool{}
	for _, i := range r.Identities {
		g.gain, gaining[i.Subject] = g.gain+count(i.Gains()), gaining[i.Subject] || i.Gains()
		g.lose, losing[i.Subject] = g.lose+count(i.Loses()), losing[i.Subject] || i.Loses()
	}
	for _, x := range r.Extensions {
		kept := x.From == x.To // OLM acts as an identity that is counted already if it gains or loses something
		g.gain += count(x.Gains() && !(kept && gaining[x.To]))
		g.lose += count(x.Loses() && !(kept && losing[x.To]))
	}
	for _, u := range r.Unlimited {
		if !u.Admin {
			g.unlimited++
		}
	}
	g.where = proven(r)
	return g
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (g gains) none() bool { return g.gain+g.lose == 0 }

func (g gains) sentence() string {
	if g.unlimited > 0 {
		return g.ofIdentities() + " " + unlimitedSentence(g.unlimited)
	}
	return g.ofIdentities()
}

// unlimitedSentence is about extensions that their account no longer limits.
func unlimitedSentence(n int) string {
	if n == 1 {
		return "1 extension is no longer limited by what its account has."
	}
	return fmt.Sprintf("%d extensions are no longer limited by what their accounts have.", n)
}

func (g gains) ofIdentities() string {
	switch {
	case g.none():
		return "No identity gains or loses permissions" + g.where + "."
	case g.lose == 0:
		return words.Count(g.gain, "identity") + verb(g.gain, " gains", " gain") + " permissions; none loses any."
	case g.gain == 0:
		return words.Count(g.lose, "identity") + verb(g.lose, " loses", " lose") + " permissions; none gains any."
	}
	return fmt.Sprintf("%s%s permissions and %d%s permissions.", words.Count(g.gain, "identity"), verb(g.gain, " gains", " gain"), g.lose, verb(g.lose, " loses", " lose"))
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// span is a part of a sentence, formatted as code or not.
type span struct {
	Code bool
	Text string
}

// prose splits a text at its backticks, as Markdown does. A backtick without a partner stays.
func prose(text string) []span {
	parts := strings.Split(safetext.Text(text), "`")
	var spans []span
	for i, part := range parts {
		code := i%2 == 1
		if code && i == len(parts)-1 {
			code, part = false, "`"+part
		}
		if part != "" {
			spans = append(spans, span{code, part})
		}
	}
	return spans
}

// listItem begins an item of a list in the text of a rule.
const listItem = "* "

// firstParagraph returns the first paragraph of a text on one line, up to the last whole sentence: a list can follow.
func firstParagraph(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	if strings.HasPrefix(text, listItem) { // its items are sentences
		text = strings.ReplaceAll("\n"+text, "\n"+listItem, "\n")
	}
	text = strings.Join(strings.Fields(text), " ")
	if end := strings.LastIndex(text, ". "); end >= 0 && !strings.HasSuffix(text, ".") {
		text = text[:end+1]
	}
	return text
}
