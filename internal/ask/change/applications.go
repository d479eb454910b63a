package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
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
	found.units = []string{view.unit}
	if impersonates == gitops.Unknown {
		return view.uncertainAccount(found, was, is)
	}
	before, own := effective(earlier, was)
	found.severity, found.rest = view.certainAccount(result, was, is, before, own)
	return found
}

// newAccount reports a new Application with a powerful account.
func (c *comparison) newAccount(found *accountChange, a *gitops.Application, is gitops.ProjectAccount) {
	view := c.viewOf(a, is.Account)
	if view.powerOf(is.Account, view.fileOf(is.Account)) == "" {
		return
	}
	found.severity, found.units = finding.Warning, []string{view.unit}
	found.rest = "new, and applied as " + view.described(is.Account, view.fileOf(is.Account))
}

// effective returns as what an Application was applied, for sentences, and whether that was Argo CD's own account.
func effective(r *gitops.Result, account gitops.ProjectAccount) (text string, own bool) {
	switch impersonates := r.Impersonates(); {
	case impersonates == gitops.Denied, impersonates == gitops.Allowed && account.Verdict == gitops.Denied && r.SyncsWithoutAccount():
		return argoOwn, true
	case account.Verdict == gitops.Allowed:
		return access.SubjectName(rbac.Account(account.Account)), false
	case account.Verdict == gitops.Denied:
		return "no account, so that Argo CD refused to sync", false
	}
	return "an account that is unknown because " + account.Why, false
}

// certainAccount returns what is reported where Argo CD impersonates.
func (c *objectComparison) certainAccount(r *gitops.Result, was, is gitops.ProjectAccount, before string, own bool) (finding.Severity, string) {
	earlier := was.Account
	if own {
		earlier = objects.Account{}
	}
	longer := ", and no longer as " + before
	switch {
	case is.Verdict == gitops.Allowed:
		severity := finding.Warning
		if own || was.Verdict == gitops.Allowed {
			severity = c.severityOf(earlier, is.Account, c.fileOf(earlier), c.fileOf(is.Account))
		}
		return severity, "applied as " + c.described(is.Account, c.fileOf(is.Account)) + longer
	case is.Verdict == gitops.Denied && r.SyncsWithoutAccount():
		if own {
			return finding.Off, ""
		}
		return finding.Warning, "applied as " + argoOwn + longer
	case is.Verdict == gitops.Denied:
		return finding.Note, "applied as no account, so that Argo CD refuses to sync" + longer
	}
	return finding.Warning, "applied as an account that is unknown because " + is.Why + longer
}

// uncertainAccount reports what changes if Argo CD impersonates, which is unknown. Without an account in a project of the repository it says
// nothing: Argo CD then acts as its own.
func (c *objectComparison) uncertainAccount(found accountChange, was, is gitops.ProjectAccount) accountChange {
	if was.Verdict != gitops.Allowed && is.Verdict != gitops.Allowed {
		return accountChange{}
	}
	name := func(a gitops.ProjectAccount) string {
		switch a.Verdict {
		case gitops.Allowed:
			return access.SubjectName(rbac.Account(a.Account))
		case gitops.Denied:
			return "no account"
		}
		return "an account that is unknown because " + a.Why
	}
	to := name(is)
	found.severity = finding.Warning
	switch {
	case is.Verdict == gitops.Denied:
		found.severity = finding.Note
	case is.Verdict == gitops.Allowed:
		to = c.described(is.Account, c.fileOf(is.Account))
		if was.Verdict == gitops.Allowed {
			found.severity = c.severityOf(was.Account, is.Account, c.fileOf(was.Account), c.fileOf(is.Account))
		}
	}
	found.rest = fmt.Sprintf("applied as %s, and no longer as %s, if Argo CD impersonates the accounts of projects, which is unknown: no %s of the repository says whether %s is set",
		to, name(was), argoSettings, impersonationKey)
	return found
}

// viewOf returns the comparison of the unit that shows what an account holds: one with its bindings, first that of the Application.
func (c *comparison) viewOf(a *gitops.Application, account objects.Account) *objectComparison {
	rank := func(v *objectComparison) int {
		n := 0
		if len(v.after.byWho[rbac.Account(account)]) > 0 {
			n += 2
		}
		if slices.Contains(v.after.unit.Objects, a.Object) {
			n++
		}
		return n
	}
	return slices.MaxFunc(c.views, func(a, b *objectComparison) int { return cmp.Compare(rank(a), rank(b)) })
}

// fileOf returns the file of a binding of an account, from which its permissions are seen.
func (c *objectComparison) fileOf(a objects.Account) string {
	for _, s := range []*state{c.after, c.before} {
		for _, e := range s.byWho[rbac.Account(a)] {
			if e.Object != nil {
				return e.Object.File
			}
		}
	}
	return ""
}
