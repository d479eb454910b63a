package change

import (
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The power of an account, as it follows "which".
const (
	isAdminText   = "is " + gains.AdministratorText
	becomesText   = "can become cluster-admin"
	escalatesText = "is allowed to give itself more permissions"
)

// powerOf returns what makes an account powerful in the later state, "" if nothing does.
func (c *objectComparison) powerOf(a objects.Account, file string) string {
	switch {
	case c.after.IsAdministrator(a, file):
		return isAdminText
	case c.after.HasSteps(a, file) && c.reach(file).Has(a):
		return becomesText
	case c.after.Escalates(a, file):
		return escalatesText
	}
	return ""
}

// isNew reports whether the account has this power in the later state only, so that a change of its permissions reports it.
func (c *objectComparison) isNew(a objects.Account, power, file string) bool {
	switch power {
	case isAdminText:
		return !c.before.IsAdministrator(a, file)
	case becomesText:
		_, isNew := c.chains[rbac.Account(a)]
		return isNew
	}
	return !c.before.Escalates(a, file)
}

// reach searches the ways to cluster-admin, as seen from a file: of plain files, those in folders beside it can be of another cluster.
func (c *objectComparison) reach(file string) *escalation.Reach {
	part, folder := c.after.Unit, ""
	if part.Kind == objects.PlainUnit {
		folder = path.Dir(file)
	}
	if known := c.reaches[folder]; known != nil {
		return known
	}
	if part.Kind == objects.PlainUnit {
		near := slices.DeleteFunc(slices.Clone(part.Objects), func(o *objects.Object) bool { return !matching.SameCluster(path.Dir(o.File), folder) })
		if len(near) < len(part.Objects) {
			part = &objects.Unit{Name: part.Name, Root: part.Root, Kind: part.Kind, Kubernetes: part.Kubernetes, Objects: near}
		}
	}
	found := escalation.ReachOfAdmin(c.later.Repository, c.after.Scope, part)
	c.reaches[folder] = found
	return found
}

// pods reports workloads that are new, or run as another account, if the account is powerful. An account that becomes powerful is a separate
// change.
func (c *objectComparison) pods(then, now *objects.Object) {
	accounts := c.podAccounts(now)
	if len(accounts) == 0 || then != nil && reflect.DeepEqual(jsonfield.Content(then), jsonfield.Content(now)) {
		return
	}
	var known []objects.Account
	if then != nil {
		known = c.podAccounts(then)
	}
	for _, a := range accounts {
		power := c.powerOf(a, now.File)
		if power == "" || c.isNew(a, power, now.File) {
			continue
		}
		name := fmt.Sprintf("ServiceAccount %s/%s, which %s", a.Namespace, a.Name, power)
		switch {
		case then == nil:
			c.add(now, ruleOf(danger.Pods), finding.Warning, fmt.Sprintf("%s is new, and runs as %s", nameText(now), name), "Check what it runs.")
		case !slices.Contains(known, a):
			c.add(now, ruleOf(danger.Pods), finding.Warning, fmt.Sprintf("%s now runs as %s", nameText(now), name), "Check what it runs.")
		default:
			c.add(now, ruleOf(danger.Pods), finding.Note, fmt.Sprintf("%s is changed, and runs as %s", nameText(now), name), "Check what it runs.")
		}
	}
}

// podAccounts returns the accounts as which the pods of an object run, each once.
func (c *objectComparison) podAccounts(o *objects.Object) []objects.Account {
	accounts := controlled.Accounts(o)
	for _, ref := range objects.AccountReferences(o, c.later.PodSpecs...) {
		if ref.What == objects.PodAccount || ref.What == objects.PodDefault {
			accounts = append(accounts, ref.Account)
		}
	}
	var distinct []objects.Account
	for _, a := range accounts {
		for _, a := range c.inNamespaces(o, a) {
			if a.Namespace != "" && !slices.Contains(distinct, a) {
				distinct = append(distinct, a)
			}
		}
	}
	return distinct
}

// inNamespaces returns the accounts that a name stands for: in a cluster-scoped object, all of that name.
func (c *objectComparison) inNamespaces(o *objects.Object, a objects.Account) []objects.Account {
	if !danger.NamesElsewhere(o.Kind) || c.after == nil {
		return []objects.Account{a}
	}
	var all []objects.Account
	for _, account := range c.after.Unit.Find(objects.Query{Group: new(""), Kind: rbac.KindServiceAccount}) {
		if account.Name == a.Name {
			all = append(all, objects.Account{Namespace: account.Namespace, Name: account.Name})
		}
	}
	return all
}

// named reports custom resources of unknown kinds that name another powerful account than before: their controllers may act as it. Those of tools
// that do so with other kinds probably do.
func (c *objectComparison) named(then, now *objects.Object) {
	severity := finding.Note
	if danger.KnowsGroup(now.Group) {
		severity = finding.Warning
	}
	var known []objects.Account
	if then != nil {
		known = c.namedAccounts(then)
	}
	for _, a := range c.namedAccounts(now) {
		if power := c.powerOf(a, now.File); power != "" && !slices.Contains(known, a) && !c.isNew(a, power, now.File) {
			verb := "now names"
			if then == nil {
				verb = "is new, and names"
			}
			c.add(now, ruleOf(danger.Pods), severity, fmt.Sprintf("%s %s ServiceAccount %s/%s, which %s", nameText(now), verb, a.Namespace, a.Name, power),
				"Check what its controller does as the account.")
		}
	}
}

// namedAccounts returns the accounts that fields of a custom resource name, if it is of no kind with a meaning for salint.
func (c *objectComparison) namedAccounts(o *objects.Object) []objects.Account {
	if !policies.IsCustom(o.Group) || controlled.Accounts(o) != nil {
		return nil
	}
	var accounts []objects.Account
	for _, ref := range objects.AccountReferences(o, c.later.PodSpecs...) {
		if ref.What == objects.NamedField && ref.Account.Namespace != "" && !slices.Contains(accounts, ref.Account) {
			accounts = append(accounts, ref.Account)
		}
	}
	return accounts
}
