package fixers

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/fields"
	"github.com/salint/salint/fixers/grafana"
	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/fixers/pods"
	"github.com/salint/salint/fixers/prune"
	"github.com/salint/salint/fixers/subjects"
)

// Fixer is one way to resolve findings. The METADATA of rules name it.
type Fixer struct {
	Name string
	// Plan works out the fix of an object in a file. It is nil for the fixer whose requests are decided together, after all
	// others: see package prune.
	Plan engine.PlanFunc
	// Template works out the fix of an object that a template of a chart renders. If it is nil, the fix is refused, and
	// ByHand describes what to do in the template instead.
	Template engine.PlanFunc
	ByHand   string
	// NeedsTarget is set if the fix depends on the release of OLM. Fixes of pods, tokens, and subjects are the same on all
	// releases.
	NeedsTarget bool
	// Local is set if planning the fix asks only about the units that apply the object, and those that share kustomizations or
	// patches with them.
	Local bool
	// FreesAccounts is set if the fix removes a field that names an account. With --prune, the account is removed too if
	// nothing else uses it.
	FreesAccounts bool
}

// table holds every fixer. It is the only list of them.
var table = []Fixer{
	{Name: "add-service-account", Plan: identity.AddServiceAccount, NeedsTarget: true,
		ByHand: "name the account from before in the template by hand, or, if there is none, write one and its bindings into the chart too"},
	{Name: "align-apply-order", Plan: identity.AlignApplyOrder, NeedsTarget: true,
		ByHand: "give it the sync wave and hook of its extension in the template by hand"},
	{Name: "bind-synthetic-identity", Plan: identity.BindSyntheticIdentity, Template: helm.BindSyntheticIdentity, NeedsTarget: true},
	{Name: "complete-subject", Plan: subjects.CompleteSubject, ByHand: "complete the subject in the template by hand"},
	{Name: "convert-layout", Plan: identity.ConvertLayout, ByHand: "write the fields of v1 into the template by hand"},
	{Name: "correct-account-subject", Plan: subjects.CorrectSubject, ByHand: "correct the subject in the template by hand"},
	{Name: "correct-subject", Plan: subjects.CorrectSubject, NeedsTarget: true, ByHand: "correct the subject in the template by hand"},
	{Name: "drop-account-alias", Plan: pods.DropAccountAlias, Template: helm.DropAccountAlias, Local: true},
	{Name: "grant-bundle", Plan: identity.GrantBundle, NeedsTarget: true, ByHand: "write the rules into the chart by hand"},
	{Name: "grant-finalizers", Plan: identity.GrantFinalizers, NeedsTarget: true, ByHand: "write the rule into the chart by hand"},
	{Name: "project-token", Plan: pods.ProjectToken, ByHand: "write the projected volume into the template by hand"},
	{Name: "prune-binding", Plan: prune.Binding, NeedsTarget: true, ByHand: "remove it from the template by hand"},
	{Name: "prune-installer", NeedsTarget: true},
	{Name: "remove-annotation", Plan: fields.RemoveAnnotation, Local: true, ByHand: "change it in the template by hand"},
	{Name: "remove-field", Plan: fields.RemoveField, Local: true, ByHand: "change it in the template by hand"},
	{Name: "remove-label", Plan: fields.RemoveLabel, Local: true, ByHand: "change it in the template by hand"},
	{Name: "remove-permissions", Plan: grafana.RemovePermissions, ByHand: "remove the field from the template by hand"},
	{Name: "remove-service-account", Plan: identity.RemoveServiceAccount, Template: helm.RemoveServiceAccount, NeedsTarget: true, FreesAccounts: true},
	{Name: "rename-account-alias", Plan: pods.RenameAccountAlias, Template: helm.RenameAccountAlias, Local: true},
	{Name: "replace-cluster-admin", Plan: identity.ReplaceClusterAdmin, NeedsTarget: true,
		ByHand: "write the role and its binding into the chart by hand"},
	{Name: "set-annotation", Plan: fields.SetAnnotation, Local: true, ByHand: "change it in the template by hand"},
	{Name: "set-field", Plan: fields.SetField, Local: true, ByHand: "change it in the template by hand"},
	{Name: "set-label", Plan: fields.SetLabel, Local: true, ByHand: "change it in the template by hand"},
	{Name: "set-token-expiry", Plan: grafana.SetTokenExpiry,
		ByHand: "set the date in the template, or in the values that it takes it from, by hand"},
	{Name: "unmount-token", Plan: pods.UnmountToken, ByHand: "write automountServiceAccountToken into the template by hand"},
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

// NeedsTarget reports whether the fix of a fixer depends on the release of OLM. It is true for an unknown name.
func NeedsTarget(name string) bool {
	f, ok := find(name)
	return !ok || f.NeedsTarget
}

// plan works out the fix that a request asks for. The error is a *Refusal, or about a file that could not be read.
func (f Fixer) plan(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	switch {
	case r.Object.InFile():
		return f.Plan(c, r)
	case f.Template != nil:
		return f.Template(c, r)
	}
	return nil, engine.RefuseTemplate(r.Object, r.Path, f.ByHand)
}

// IsLocal reports whether the fix of a fixer depends only on the units that apply the object and those that share files with them.
func IsLocal(name string) bool {
	f, _ := find(name)
	return f.Local
}
