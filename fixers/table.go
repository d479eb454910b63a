package fixers

import "slices"

// Fixer is one way to resolve findings. The METADATA of a rule names it.
type Fixer struct {
	Name string
	// Plan works out the fix of an object that stands in a file. Nil stands for the fixer whose requests are decided together,
	// after all others: see package prune.
	Plan PlanFunc
	// Template works out the fix of an object that a chart's template renders. Nil stands for none: the fix is refused, and
	// ByHand says what to do in the template instead.
	Template PlanFunc
	ByHand   string
	// NeedsTarget is set if what the fixer does depends on the release of OLM. What becomes of pods, tokens, and subjects is
	// the same on all releases.
	NeedsTarget bool
	// FreesAccounts is set if the fixer removes a field that names an account. With --prune, the account is removed too if
	// nothing else uses it.
	FreesAccounts bool
}

// table holds every fixer. It is the only list of them.
var table = []Fixer{
	{Name: "add-service-account", Plan: addServiceAccount, NeedsTarget: true,
		ByHand: "write the account, its bindings and the field into the chart by hand"},
	{Name: "align-apply-order", Plan: alignApplyOrder, NeedsTarget: true,
		ByHand: "give it the sync wave and hook of its extension in the template by hand"},
	{Name: "bind-synthetic-identity", Plan: bindSyntheticIdentity, Template: bindInTemplate, NeedsTarget: true},
	{Name: "complete-subject", Plan: completeSubject, ByHand: "complete the subject in the template by hand"},
	{Name: "correct-subject", Plan: correctSubject, NeedsTarget: true, ByHand: "correct the subject in the template by hand"},
	{Name: "drop-account-alias", Plan: dropAccountAlias, Template: dropAliasInTemplate},
	{Name: "grant-bundle", Plan: grantBundle, NeedsTarget: true, ByHand: "write the rules into the chart by hand"},
	{Name: "grant-finalizers", Plan: grantFinalizers, NeedsTarget: true, ByHand: "write the rule into the chart by hand"},
	{Name: "project-token", Plan: projectToken, ByHand: "write the projected volume into the template by hand"},
	{Name: "prune-binding", Plan: pruneBinding, NeedsTarget: true, ByHand: "remove it from the template by hand"},
	{Name: "prune-installer", NeedsTarget: true},
	{Name: "remove-service-account", Plan: removeServiceAccount, Template: removeFromTemplate, NeedsTarget: true, FreesAccounts: true},
	{Name: "rename-account-alias", Plan: renameAccountAlias, Template: renameAliasInTemplate},
	{Name: "replace-cluster-admin", Plan: replaceClusterAdmin, NeedsTarget: true,
		ByHand: "write the role and its binding into the chart by hand"},
	{Name: "set-token-expiry", Plan: setTokenExpiry,
		ByHand: "set the date in the template, or in the values that it takes it from, by hand"},
	{Name: "unmount-token", Plan: unmountToken, ByHand: "write automountServiceAccountToken into the template by hand"},
}

// find returns the fixer of a name; ok is false if there is none.
func find(name string) (f Fixer, ok bool) {
	i := slices.IndexFunc(table, func(f Fixer) bool { return f.Name == name })
	if i < 0 {
		return Fixer{}, false
	}
	return table[i], true
}

// Names returns the names of all fixers, sorted.
func Names() []string {
	var names []string
	for _, f := range table {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// NeedsTarget reports whether what a fixer does depends on the release of OLM. It is true for a name that is not known.
func NeedsTarget(name string) bool {
	f, ok := find(name)
	return !ok || f.NeedsTarget
}

// plan works out the fix that a request asks for. The error is a *Refusal, or about a file that could not be read.
func (f Fixer) plan(c *Context, r Request) (*Plan, error) {
	switch {
	case r.Object.InFile():
		return f.Plan(c, r)
	case f.Template != nil:
		return f.Template(c, r)
	}
	return nil, refuseTemplate(r.Object, r.Path, f.ByHand)
}
