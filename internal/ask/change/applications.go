package change

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// applicationName identifies an Application. Those of several clusters can have the same, so the file counts, too.
type applicationName struct{ namespace, name, file string }

// applicationsOf returns the Applications of Argo CD by name. Namesakes in one file are left out: which of them is which is unknown.
func applicationsOf(s Side) map[applicationName]*gitops.Application {
	found := map[applicationName]*gitops.Application{}
	if s.Repository.Applications == nil {
		return found
	}
	for _, a := range s.Repository.Applications.Result.Applications {
		if a.Tool != gitops.ArgoCD || a.Name.Value == "" || rbac.Templated(a.Name.Value) {
			continue
		}
		name := applicationName{a.Namespace.Value, a.Name.Value, a.Object.File}
		if _, twice := found[name]; twice {
			found[name] = nil
			continue
		}
		found[name] = a
	}
	return found
}

// accountChange is another account in the project of Applications.
type accountChange struct {
	severity finding.Severity
	// rest follows the names of the Applications and the verb; it is "" if nothing is reported.
	rest  string
	names []string
	place objects.Position
	units []string
}

// accountsOfProjects reports the Applications for which their project, which can be another one than before, sets another account.
func (c *comparison) accountsOfProjects() []ObjectChange {
	before, after := applicationsOf(c.before), applicationsOf(c.after)
	changes := map[string]*accountChange{}
	var order []string
	for _, name := range sortedApplications(after) {
		now := after[name]
		then, known := earlierApplication(name, before, after)
		if now == nil || known && then == nil || !c.after.Selected(name.file) {
			continue
		}
		found := c.accountOfProject(then, now)
		if found.rest == "" {
			continue
		}
		same := changes[found.rest]
		if same == nil {
			same = &found
			changes[found.rest] = same
			order = append(order, found.rest)
		}
		same.names = append(same.names, strings.TrimPrefix(name.namespace+"/"+name.name, "/"))
		same.units = append(same.units, found.units...)
	}
	var all []ObjectChange
	for _, rest := range order {
		all = append(all, changes[rest].report())
	}
	return all
}

// earlierApplication returns the Application that one of the later state was: in the same file, otherwise one of its name whose file has it no
// longer. It is known and nil if it is unknown which.
func earlierApplication(name applicationName, before, after map[applicationName]*gitops.Application) (then *gitops.Application, known bool) {
	if then, known = before[name]; known {
		return then, true
	}
	for other, a := range before {
		if _, kept := after[other]; kept || other.namespace != name.namespace || other.name != name.name {
			continue
		}
		if known {
			return nil, true
		}
		then, known = a, true
	}
	return then, known
}

func sortedApplications(of map[applicationName]*gitops.Application) []applicationName {
	var names []applicationName
	for name := range of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b applicationName) int {
		return compareText(a.namespace, b.namespace, a.name, b.name, a.file, b.file)
	})
	return names
}

func (a *accountChange) report() ObjectChange {
	text := "Application " + a.names[0] + " is " + a.rest
	if len(a.names) > 1 {
		text = "Applications " + some(a.names) + " are " + a.rest
	}
	slices.Sort(a.units)
	namespace, name, _ := strings.Cut(a.names[0], "/")
	return ObjectChange{
		Kind: "Application", Namespace: namespace, Name: name, Rule: extensionRule, Severity: a.severity,
		Text: text, Advice: checkIdentity, Place: a.place, Units: slices.Compact(a.units),
	}
}

// accountOfProject compares as which account an Application is applied. Then is nil for a new one. What only the settings of Argo CD change is
// reported with these.
func (c *comparison) accountOfProject(then, now *gitops.Application) (found accountChange) {
	result := c.after.Repository.Applications.Result
	impersonates, is := result.Impersonates(), result.ProjectAccount(now)
	found.place = now.Object.Position(nil)
	if then == nil {
		if impersonates == gitops.Allowed && is.Verdict == gitops.Allowed {
			c.newAccount(&found, now, is)
		}
		return found
	}
	earlier := c.before.Repository.Applications.Result
	was := earlier.ProjectAccount(then)
	same := was.Verdict == is.Verdict && was.Account == is.Account && (was.Verdict != gitops.Unknown || then.Project.Value == now.Project.Value)
	if same || impersonates == gitops.Denied {
		return found
	}
	view := c.viewOf(now, is.Account)
	found.units = view.after.Names(now.Object)
	if impersonates == gitops.Allowed {
		found.severity, found.rest = view.change(actingAs(earlier, earlier.Impersonates(), was), actingAs(result, impersonates, is))
		return found
	}
	// Unless a project of the repository sets an account, nothing indicates that the unknown settings matter.
	if was.Verdict != gitops.Allowed && is.Verdict != gitops.Allowed {
		return found
	}
	found.severity, found.rest = view.change(actingAs(earlier, gitops.Allowed, was), actingAs(result, gitops.Allowed, is))
	if found.rest != "" {
		found.rest += ", if the settings of Argo CD, which are unknown, enable impersonation"
	}
	return found
}

// newAccount reports a new Application with a powerful account.
func (c *comparison) newAccount(found *accountChange, a *gitops.Application, is gitops.ProjectAccount) {
	view := c.viewOf(a, is.Account)
	if view.powerOf(is.Account, view.fileOf(is.Account)) == "" {
		return
	}
	found.severity, found.units = finding.Warning, view.after.Names(a.Object)
	found.rest = "new, and applied as " + view.described(is.Account, view.fileOf(is.Account))
}

// acting is as what an Application is applied.
type acting struct {
	// account is that of the project; its name is "" for others.
	account objects.Account
	// own is set for the account of Argo CD itself.
	own bool
	// refused is set if Argo CD refuses to sync, and why is the reason for which the identity is unknown.
	refused bool
	why     string
}

// actingAs returns as what an Application is applied where Argo CD impersonates the accounts of projects, or not.
func actingAs(r *gitops.Result, impersonates gitops.Verdict, set gitops.ProjectAccount) acting {
	switch {
	case impersonates == gitops.Denied, set.Verdict == gitops.Denied && r.SyncsWithoutAccount():
		return acting{own: true}
	case set.Verdict == gitops.Denied:
		return acting{refused: true}
	case set.Verdict == gitops.Allowed:
		return acting{account: set.Account}
	}
	return acting{why: set.Why}
}

func (a acting) String() string {
	if a.own {
		return argoOwn
	}
	return access.SubjectName(rbac.Account(a.account))
}

// isKnown reports whether the Application is applied, as a known identity.
func (a acting) isKnown() bool { return !a.refused && a.why == "" }

// change returns what is reported if an Application is applied as another identity; the text is "" if nothing is.
func (c *objectComparison) change(was, is acting) (finding.Severity, string) {
	earlier := ""
	if was.isKnown() {
		earlier = ", and no longer as " + was.String()
	}
	switch {
	case was == is:
		return finding.Off, ""
	case is.why != "":
		return finding.Warning, "applied as an account that is unknown, because " + is.why + earlier
	case is.refused && !was.isKnown():
		return finding.Off, ""
	case is.refused:
		return finding.Note, "no longer applied as " + was.String() + ": the project sets no account for the destination, so Argo CD refuses to sync"
	case is.own:
		return finding.Warning, "applied as " + argoOwn + earlier
	}
	severity := finding.Warning
	if was.isKnown() {
		severity = c.severityOf(was.account, is.account, c.fileOf(was.account), c.fileOf(is.account))
	}
	return severity, "applied as " + c.described(is.account, c.fileOf(is.account)) + earlier
}

// viewOf returns the comparison of the unit that shows what an account holds: one with its bindings, first that of the Application.
func (c *comparison) viewOf(a *gitops.Application, account objects.Account) *objectComparison {
	rank := func(v *objectComparison) int {
		n := 0
		if len(v.after.ByWho[rbac.Account(account)]) > 0 {
			n += 2
		}
		if slices.Contains(v.after.Unit.Objects, a.Object) {
			n++
		}
		return n
	}
	return slices.MaxFunc(c.views, func(a, b *objectComparison) int { return cmp.Compare(rank(a), rank(b)) })
}

// fileOf returns the file of a binding of an account, from which its permissions are seen.
func (c *objectComparison) fileOf(a objects.Account) string {
	for _, s := range []*gains.State{c.after, c.before} {
		for _, e := range s.ByWho[rbac.Account(a)] {
			if e.Object != nil {
				return e.Object.File
			}
		}
	}
	return ""
}
