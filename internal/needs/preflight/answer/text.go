package answer

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/needs/preflight"
)

// shown limits the lines of one kind without --verbose.
const shown = 12

// text returns the answer for a person: the verdict, the identity, what is missing and why, and the remedy.
func (a Answer) text() string {
	t := &page{verbose: a.Verbose}
	t.line("%s", a.verdict())
	a.header(t)
	switch {
	case a.NothingNeeded:
	case a.Errors != nil:
		a.fromErrors(t)
	case a.All:
		a.needed(t)
	default:
		a.missing(t)
		a.escalationChoice(t)
		a.unneeded(t)
	}
	a.closing(t)
	return t.String()
}

func (a Answer) verdict() string {
	switch verdict := a.ofPermissions(); {
	case len(a.Definitions.Blocked) > 0:
		return verdict + "; the release blocks the upgrade because of definitions"
	case a.Definitions.NotCompared:
		return verdict + "; whether definitions block the upgrade is not known"
	case len(a.Definitions.Deleted) > 0:
		return verdict + "; the upgrade deletes definitions with their objects"
	default:
		return verdict
	}
}

// ofPermissions is the verdict about permissions.
func (a Answer) ofPermissions() string {
	what := a.subject()
	n := countRules(a.Result.Missing)
	verdict := fmt.Sprintf("%s: %s missing", what, words.CountOf(n, "rule is", "rules are"))
	switch {
	case a.NothingNeeded:
		return fmt.Sprintf("%s: nothing is missing: %s", what, a.Reason)
	case n == 0 && a.Errors != nil:
		return fmt.Sprintf("%s: %s", what, a.Errors.verdict())
	case n == 0:
		verdict = what + ": nothing is missing"
	default:
		verdict = finding.Known(len(a.Result.Effective.Unknown) == 0).Assure(verdict)
	}
	if a.Condition != "" {
		verdict += ", " + a.Condition
	}
	if a.GrantedFrom != "" {
		verdict += ", according to " + a.GrantedFrom
	}
	return verdict
}

// subject is what the verdict is about.
func (a Answer) subject() string {
	switch {
	case a.Extension != "":
		return a.Extension
	case !a.installs() && a.hasIdentity():
		return a.who()
	case !a.installs():
		return a.Errors.Source
	}
	return "the extension"
}

// installs reports whether the answer is about the installation of an extension, and not about what else an account was refused.
func (a Answer) installs() bool {
	return a.Errors == nil || a.Extension != "" || a.From != nil || a.Errors.OfOLM
}

func (a Answer) hasIdentity() bool { return a.Identity.User != "" || len(a.Identity.Groups) > 0 }

// verdict is the verdict for a text without permissions that the repository does not grant.
func (e Errors) verdict() string {
	switch {
	case len(e.Granted) > 0:
		n := countRules(e.Granted)
		return fmt.Sprintf("granted in the repository, not applied: according to the text %s missing, and the repository grants all of it",
			words.CountOf(n, "rule is", "rules are"))
	case len(e.Owners) > 0:
		return "a permission on an owner is missing, and the text does not contain the owner"
	case len(e.Fields) > 0:
		return e.verdictOfFields()
	case len(e.Accounts) == 1:
		return fmt.Sprintf("according to the text ServiceAccount %s does not exist, so its permissions do not matter yet", e.Accounts[0])
	case len(e.Accounts) > 1:
		return fmt.Sprintf("according to the text %d accounts do not exist, so their permissions do not matter yet", len(e.Accounts))
	case len(e.Admission) > 0 && len(e.Unread) == 0:
		return "the text contains no missing permission: admission rejected what permissions allow"
	}
	return "the text contains no readable missing permission"
}

// header prints which identity installs what, and where its permissions come from.
func (a Answer) header(t *page) {
	t.line("")
	switch {
	case a.NothingNeeded:
		t.field("identity", "OLM's own account")
	case a.Errors != nil && !a.hasIdentity(): // the text needs none
	case a.Identity.User != "" && len(a.Identity.Groups) > 0:
		t.field("identity", a.who())
		t.field("", "in "+strings.Join(a.Identity.Groups, ", "))
	default:
		t.field("identity", a.who())
	}
	switch {
	case a.GrantedFrom != "" && !a.NothingNeeded:
		t.field("granted by", "the list in "+a.GrantedFrom)
	case a.Unit != nil && !a.NothingNeeded:
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

// String describes a target and how it is known.
func (r Target) String() string {
	text := r.Name
	if !r.Known {
		text, r.Model = "unknown", ""
	}
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
		text += " (set it with --target, see salint targets)"
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

// missing lists what is missing by namespace and purpose.
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

// fromErrors lists what is missing according to an error text, which contains no further reasons.
func (a Answer) fromErrors(t *page) {
	for _, scoped := range a.Result.Missing {
		t.line("\nMissing %s", where(scoped.Namespace))
		t.rules("  ", scoped.Rules, nil)
	}
	if len(a.Errors.Owners) > 0 {
		t.line("\nMissing on the owner of an object (the text does not contain the owner)")
		t.some("  ", len(a.Errors.Owners), func(i int) { t.line("  %s  (%s)", a.Errors.Owners[i].missing(), a.Errors.Owners[i].object()) })
		t.line("  %s", ownersOfOLM)
	}
	for _, scoped := range a.Errors.Granted {
		t.line("\nGranted in the repository, but not applied, %s", where(scoped.Namespace))
		t.rules("  ", scoped.Rules, nil)
	}
	a.Errors.explain(t)
	a.Errors.list(t, "Accounts that do not exist: create them, or correct the name where it is used", a.Errors.Accounts)
	a.Errors.list(t, "Not about the installer's permissions: rejected by admission (pod security, security context constraints, quotas, webhooks)", a.Errors.Admission)
	a.Errors.list(t, "Not read: parts of the text about permissions in an unknown form", a.Errors.Unread)
}

// ownersOfOLM explains the owners of what OLM installs.
const ownersOfOLM = "OLM makes the extension (clusterextensions) the owner of what it installs, or its revision under Boxcutter " +
	"(clusterextensionrevisions in olm-1.8, clusterobjectsets from olm-1.9 on), all in olm.operatorframework.io. --bundle prints the exact rule"

func (e Errors) list(t *page, title string, sentences []string) {
	if len(sentences) == 0 {
		return
	}
	t.line("\n%s", title)
	t.some("  ", len(sentences), func(i int) { t.line("  %s", shorten(sentences[i])) })
}

func (o Owner) object() string {
	if o.Object == "" {
		return "an object that is not in the text"
	}
	return o.Object
}

// escalationChoice prints the two ways to be allowed to create roles, and which one was chosen.
func (a Answer) escalationChoice(t *page) {
	var hold, verbs []preflight.Scoped
	for _, gap := range a.Result.Gaps {
		if gap.Instead == nil || gap.Unknown {
			continue
		}
		hold = append(hold, preflight.Scoped{Namespace: gap.Namespace, Rules: gap.Hold})
		verbs = append(verbs, preflight.Scoped{Namespace: gap.InsteadIn, Rules: []rbacv1.PolicyRule{*gap.Instead}})
	}
	if len(hold) == 0 {
		return
	}
	hold, verbs = preflight.Grant(hold), preflight.Grant(verbs)
	t.line("\nTwo ways to be allowed to create the roles and bindings")
	other := verbs
	if a.Escalation == preflight.Verbs {
		other = hold
		t.line("  chosen: verbs; the list is short, but escalate and bind allow the identity to become an administrator")
		t.line("  other:  hold (--escalation hold); the identity has every rule that the roles grant, %s:", words.Count(countRules(hold), "rule"))
	} else {
		t.line("  chosen: hold; %s", a.held())
		t.line("  other:  verbs (--escalation verbs); escalate and bind, which allow it to become an administrator:")
	}
	for _, scoped := range other {
		t.line("    %s", where(scoped.Namespace))
		t.rules("      ", scoped.Rules, nil)
	}
}

// held says what the identity can do with all rules that the roles grant.
func (a Answer) held() string {
	if a.OtherAccounts {
		return "the identity can do what the operator can, and what the accounts can as which its pods run (see the notes)" + a.enough()
	}
	return "the identity can do what the operator can, and no more" + a.enough()
}

// enough says that what the operator can do is enough to become an administrator.
func (a Answer) enough() string {
	if len(a.Becomes) > 0 || a.powers() != "" {
		return "; that is enough to become an administrator (see the notes)"
	}
	return ""
}

// unneeded lists what the identity has beyond the needs.
func (a Answer) unneeded(t *page) {
	if len(a.Result.Unneeded) == 0 {
		return
	}
	t.line("\nGranted beyond what is needed: other permissions, more namespaces, or more names")
	for _, scoped := range a.Result.Unneeded {
		t.line("  %s", where(scoped.Namespace))
		t.rules("    ", preflight.Combine(scoped.Rules), nil)
	}
}

// closing prints what is unknown, and the remedy.
func (a Answer) closing(t *page) {
	if notes := a.notes(); len(notes) > 0 {
		t.line("")
		t.some("", len(notes), func(i int) { t.line("note: %s", notes[i]) })
	}
	if a.contradicted() {
		t.line("\nWhat to do")
		for _, line := range a.findRelease() {
			t.line("  %s", line)
		}
		return
	}
	if a.Errors != nil && len(a.Errors.Advice) > 0 {
		t.line("\nWhat to do")
		for _, line := range a.Errors.Advice {
			t.line("  %s", line)
		}
		return
	}
	if a.NothingNeeded || len(a.Wanted()) == 0 {
		if a.Errors != nil && len(a.Errors.Granted) > 0 {
			t.line("\nWhat to do")
			t.line("  Apply the manifests in the repository. If they are applied, the text may be older, the sync may have stopped, or it is another cluster.")
		}
		return
	}
	a.remedy(t)
}

func where(namespace string) string {
	if namespace == "" {
		return "in the whole cluster"
	}
	return "in namespace " + namespace
}

// countRules counts rules without duplicates: as in operator-controller's list, a rule for URLs is listed twice if a role
// and its binding need it.
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
