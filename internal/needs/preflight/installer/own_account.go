package installer

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// findOwn determines what the repository shows of OLM's own account, where OLM acts as it.
func (i *Installer) findOwn(units []*objects.Unit, rel func(string) string) {
	if i.Acting != AsOwnAccount {
		return
	}
	i.Own = rbac.FindOwnAccount(units, i.Unit, rbac.ControllerAccounts(i.Resolved.Target))
	switch {
	case i.Own.Limited():
	case i.Own.Shown():
		i.Reason += fmt.Sprintf(", which %s makes a cluster-admin, so no grant limits it", bindingText(*i.Own.Admin, rel))
	default:
		i.Reason += ", which is cluster-admin as OLM ships it, and no grant limits it"
	}
}

// bindingText names a binding and its place.
func bindingText(b rbac.Binding, rel func(string) string) string {
	at := b.Object.Position(nil)
	file := at.File
	if rel != nil {
		file = rel(file)
	}
	return fmt.Sprintf("%s %s (%s:%d)", b.Object.Kind, b.Object.Name, file, at.Line)
}

// answersFor makes the answer one about the identity that the user chose, or about OLM's own account if the repository
// limits it. It remains about nothing only if nothing can be missing.
// acts is the sentence that OLM acts with its own account.
func (i *Installer) answersFor(choice Choice, acts string) {
	if i.Acting != AsOwnAccount {
		return
	}
	who, chosen := i.chosen(choice)
	if chosen && !i.isOwn(who) {
		i.Acting, i.Reason = AsOther, acts
		return
	}
	if i.Own.Limited() {
		i.answersForOwn(choice.Rel)
	}
}

// chosen returns the identity that the user chose, if any.
func (i *Installer) chosen(choice Choice) (rbac.Identity, bool) {
	switch {
	case choice.Identity != nil:
		return *choice.Identity, true
	case choice.Account != "":
		return rbac.Account(objects.Account{Namespace: i.Namespace, Name: choice.Account}).Identity(), true
	}
	return rbac.Identity{}, false
}

// isOwn reports whether an identity is OLM's own account, without further groups.
func (i *Installer) isOwn(who rbac.Identity) bool {
	return slices.ContainsFunc(rbac.ControllerAccounts(i.Resolved.Target), func(a objects.Account) bool {
		own := rbac.Account(a).Identity()
		return own.User == who.User && !slices.ContainsFunc(who.Groups, func(group string) bool { return !slices.Contains(own.Groups, group) })
	})
}

// ForOwnAccount returns an installer whose identity is OLM's own account, with the bindings that the repository shows.
func (i *Installer) ForOwnAccount(own rbac.OwnAccount) *Installer {
	limited := *i
	limited.Own, limited.Notes = own, nil
	limited.answersForOwn(nil)
	return &limited
}

// answersForOwn makes OLM's own account the identity, with the bindings that the repository shows.
func (i *Installer) answersForOwn(rel func(string) string) {
	own := i.Own
	i.Acting = AsLimitedAccount
	i.Identity = rbac.Account(own.Account).Identity()
	i.Runtime.Collections = true // the controller watches what it installs, as itself
	i.Notes = append(i.Notes, fmt.Sprintf("%s, and %s does not make it a cluster-admin, so its permissions were checked. What it needs for itself, "+
		"such as access to its own resources and Secrets, was not", i.Reason, bindingText(own.Bindings[0], rel)))
	i.Reason = ""
	switch {
	case own.Unit != i.Unit || own.Disputed:
		i.Condition = fmt.Sprintf("if %s applies to the cluster of the extension", bindingText(own.Bindings[0], rel))
	case !own.Installed:
		i.Condition = "if OLM is installed without the release's binding to cluster-admin"
	}
	if own.Unit != i.Unit && !own.Installed {
		i.Condition += ", and OLM is installed without the release's binding to cluster-admin"
	}
}

// Grants returns the unit whose bindings count for the identity, and the object for which they are looked up; the object is
// nil in a unit other than that of the extension.
func (i *Installer) Grants() (*objects.Unit, *objects.Object) {
	if i.Acting == AsLimitedAccount && i.Own.Unit != i.Unit {
		return i.Own.Unit, nil
	}
	return i.Unit, i.From
}
