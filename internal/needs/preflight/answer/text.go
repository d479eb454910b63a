package answer

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/needs/preflight"
)

// shown is how many lines of one kind are printed unless --verbose asks for all.
const shown = 12

// text is the answer for a person: the verdict first, then who is asked about, what is missing and why, and what to do.
func (a Answer) text() string {
	t := &page{verbose: a.Verbose}
	t.line("%s", a.verdict())
	a.head(t)
	switch {
	case a.NotActing != "":
	case a.Errors != nil:
		a.fromErrors(t)
	case a.All:
		a.needed(t)
	default:
		a.missing(t)
		a.ways(t)
		a.unneeded(t)
	}
	a.closing(t)
	return t.String()
}

func (a Answer) verdict() string {
	what := a.Extension
	if what == "" {
		what = "the extension"
	}
	n := countRules(a.Result.Missing)
	verdict := fmt.Sprintf("%s: %s missing", what, count(n, "rule is", "rules are"))
	switch {
	case a.NotActing != "":
		return fmt.Sprintf("%s: nothing is missing: %s", what, a.NotActing)
	case n == 0 && a.Errors != nil:
		return fmt.Sprintf("%s: %s", what, a.Errors.verdict())
	case n == 0:
		verdict = what + ": nothing is missing"
	case len(a.Result.Effective.Unknown) > 0:
		verdict += ", as far as is known"
	}
	if a.Condition != "" {
		verdict += ", " + a.Condition
	}
	return verdict
}

// verdict is for a text that says of nothing that the repository does not grant.
func (e Errors) verdict() string {
	switch {
	case len(e.Granted) > 0:
		n := countRules(e.Granted)
		return fmt.Sprintf("granted in the repository, not applied: the text says that %s missing, and the repository grants all of it",
			count(n, "rule is", "rules are"))
	case len(e.Owners) > 0:
		return "a permission on an owner is missing, which the text does not name"
	case len(e.Admission) > 0 && len(e.Unread) == 0:
		return "the text says of no permission that it is missing: admission refused what permissions allow"
	}
	return "no missing permission could be read out of the text"
}

// head says who would install what, and where the permissions come from.
func (a Answer) head(t *page) {
	t.line("")
	switch {
	case a.NotActing != "":
		t.field("identity", "OLM's own account")
	case a.Identity.User != "" && len(a.Identity.Groups) > 0:
		t.field("identity", a.who())
		t.field("", "in "+strings.Join(a.Identity.Groups, ", "))
	default:
		t.field("identity", a.who())
	}
	if a.Unit != nil && a.NotActing == "" {
		a.sources(t)
	}
	if a.Errors != nil {
		t.field("errors of", a.Errors.Source)
	}
	if a.Content != "" {
		t.field("installs", a.Content)
	}
	if a.Target.Name != "" {
		t.field("target", a.Target.String())
	}
}

// String says what a target is and how it is known.
func (r Target) String() string {
	text := r.Name
	if r.Model != "" && r.Model != r.Name {
		text += " (" + r.Model + ")"
	}
	if r.Runtime != "" {
		text += ", " + r.Runtime + " runtime"
	}
	switch {
	case r.DetectedFrom != "":
		text += ", from " + r.DetectedFrom
	case !r.Known:
		text += ", for nothing in the repository says which release it is for; --target sets it"
	}
	return text
}

func (a Answer) sources(t *page) {
	label := "granted by"
	for _, b := range a.Bindings {
		scope := "everywhere"
		if b.Scope != "" {
			scope = "in namespace " + b.Scope
		}
		via := ""
		if b.Via != "" {
			via = ", to the group " + b.Via
		}
		t.field(label, fmt.Sprintf("%s: %s, %s%s", a.bindingPlace(b), roleName(b.Role), scope, via))
		label = ""
	}
	if len(a.Bindings) == 0 {
		t.field(label, "nothing in the repository")
	}
}

// missing lists what is missing by namespace, and within it by what it is needed for.
func (a Answer) missing(t *page) {
	for _, scoped := range a.Result.Missing {
		t.line("\nMissing %s", where(scoped.Namespace))
		for _, section := range sections(a.Result.Gaps, scoped.Namespace) {
			section.print(t)
		}
	}
}

// needed lists all needs in the same form.
func (a Answer) needed(t *page) {
	var all []preflight.Gap
	for _, need := range a.Result.Needs {
		gap := preflight.Gap{Need: need, Hold: need.Rules, Chosen: need.Rules}
		if need.Instead != nil && (a.Escalation == preflight.Verbs || need.Unknown) {
			gap.Chosen = []rbacv1.PolicyRule{*need.Instead}
		}
		all = append(all, gap)
	}
	for _, scoped := range a.Result.Needed {
		t.line("\nNeeded %s", where(scoped.Namespace))
		for _, section := range sections(all, scoped.Namespace) {
			section.print(t)
		}
	}
}

// fromErrors lists what an error text says is missing, which has no further reasons.
func (a Answer) fromErrors(t *page) {
	for _, scoped := range a.Result.Missing {
		t.line("\nMissing %s", where(scoped.Namespace))
		t.rules("  ", scoped.Rules, nil)
	}
	if len(a.Errors.Owners) > 0 {
		t.line("\nMissing on the owner of an object, which the text does not name")
		t.some("  ", len(a.Errors.Owners), func(i int) { t.line("  %s  (%s)", a.Errors.Owners[i].missing(), a.Errors.Owners[i].object()) })
		t.line("  %s", ownersOfOLM)
	}
	for _, scoped := range a.Errors.Granted {
		t.line("\nGranted in the repository, and not applied, %s", where(scoped.Namespace))
		t.rules("  ", scoped.Rules, nil)
	}
	a.Errors.list(t, "Not about the installer's permissions: admission (pod security, security context constraints, quotas, webhooks) refused it", a.Errors.Admission)
	a.Errors.list(t, "Not read: these parts of the text say something about permissions in a form that is not known", a.Errors.Unread)
}

// ownersOfOLM says what owns what OLM installs.
const ownersOfOLM = "OLM makes the extension the owner of what it installs (clusterextensions), under Boxcutter its revision " +
	"(clusterextensionrevisions in olm-1.8, clusterobjectsets from olm-1.9 on), all of olm.operatorframework.io; --bundle gives the exact rule"

func (e Errors) list(t *page, title string, sentences []string) {
	if len(sentences) == 0 {
		return
	}
	t.line("\n%s", title)
	t.some("  ", len(sentences), func(i int) { t.line("  %s", shorten(sentences[i])) })
}

func (o Owner) object() string {
	if o.Object == "" {
		return "an object that the text does not name"
	}
	return o.Object
}

// ways tells the two ways to be allowed to create roles, and which was chosen.
func (a Answer) ways(t *page) {
	var hold, verbs []preflight.Scoped
	for _, gap := range a.Result.Gaps {
		if gap.Instead == nil || gap.Unknown {
			continue
		}
		hold = append(hold, preflight.Scoped{Namespace: gap.Namespace, Rules: gap.Hold})
		verbs = append(verbs, preflight.Scoped{Namespace: gap.Namespace, Rules: []rbacv1.PolicyRule{*gap.Instead}})
	}
	if len(hold) == 0 {
		return
	}
	hold, verbs = preflight.Grant(hold), preflight.Grant(verbs)
	t.line("\nThe roles and bindings among it can be allowed in two ways")
	other := verbs
	if a.Escalation == preflight.Verbs {
		other = hold
		t.line("  chosen: verbs; the list is short, but with escalate and bind the identity can make itself an administrator")
		t.line("  other:  hold (--escalation hold); the identity holds every rule that the roles grant, %s:", count(countRules(hold), "rule", "rules"))
	} else {
		t.line("  chosen: hold; the identity can then do what the operator can, and nothing beyond")
		t.line("  other:  verbs (--escalation verbs); escalate and bind, with which it can make itself an administrator:")
	}
	for _, scoped := range other {
		t.line("    %s", where(scoped.Namespace))
		t.rules("      ", scoped.Rules, nil)
	}
}

// unneeded lists what is held beyond the needs.
func (a Answer) unneeded(t *page) {
	if len(a.Result.Unneeded) == 0 {
		return
	}
	t.line("\nHeld beyond that: what nothing needs, or not everywhere, or not for every name")
	for _, scoped := range a.Result.Unneeded {
		t.line("  %s", where(scoped.Namespace))
		t.rules("    ", preflight.Combine(scoped.Rules), nil)
	}
}

// closing says what is not known, and what to do.
func (a Answer) closing(t *page) {
	if notes := a.notes(); len(notes) > 0 {
		t.line("")
		t.some("", len(notes), func(i int) { t.line("note: %s", notes[i]) })
	}
	if a.NotActing != "" || len(a.Wanted()) == 0 {
		if a.Errors != nil && len(a.Errors.Granted) > 0 {
			t.line("\nWhat to do")
			t.line("  Apply what the repository holds. If it has been applied: the text may be older, the sync may have stopped, or it went to another cluster.")
		}
		return
	}
	a.recipe(t)
}

func where(namespace string) string {
	if namespace == "" {
		return "in the whole cluster"
	}
	return "in namespace " + namespace
}

// countRules counts rules, each once: like operator-controller's list, ours has a rule about URLs twice when a role and its
// binding need it.
func countRules(all []preflight.Scoped) int {
	n := 0
	for _, s := range all {
		seen := map[string]bool{}
		for _, rule := range s.Rules {
			seen[rule.String()] = true
		}
		n += len(seen)
	}
	return n
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
