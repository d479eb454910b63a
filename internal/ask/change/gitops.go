package change

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The groups of Flux and Argo CD, and the ConfigMap with the settings of Argo CD.
const (
	fluxKustomizeGroup = "kustomize.toolkit.fluxcd.io"
	fluxHelmGroup      = "helm.toolkit.fluxcd.io"
	argoGroup          = "argoproj.io"
	argoSettings       = "argocd-cm"
)

const (
	checkIdentity = "Check what that identity can do."
	// ownController is the identity of Flux without an account, a cluster-admin as Flux ships it.
	//
	// Source: https://fluxcd.io/flux/components/kustomize/kustomizations/#role-based-access-control.
	ownController = "the account of its controller, a cluster-admin as Flux ships it"
	argoOwn       = "the account of Argo CD, a cluster-admin as Argo CD ships it"
)

func isFlux(o *objects.Object) bool {
	return o.Group == fluxKustomizeGroup && o.Kind == "Kustomization" || o.Group == fluxHelmGroup && o.Kind == "HelmRelease"
}

// fluxAccount returns the account that an object of Flux names; its name is "" for that of the controller.
func fluxAccount(o *objects.Object) objects.Account {
	return objects.Account{Namespace: o.Namespace, Name: jsonfield.Text(jsonfield.At(o, "spec", "serviceAccountName"))}
}

// flux compares the identities as which Flux applies an object. A new object has the identity of a removed one with its name; otherwise it
// counts if all others name an account, or if its own can do everything.
func (c *objectComparison) flux(then, now *objects.Object) {
	if then == nil {
		then = c.renamedFlux(now)
	}
	account := fluxAccount(now)
	switch {
	case then == nil && account.Name == "" && c.namesAccounts():
		c.add(now, extensionRule, finding.Warning, nameText(now)+" is new, and is applied as "+ownController+"; the others name an account", checkIdentity)
	case then == nil && account.Name != "" && c.powerOf(account, now.File) != "":
		c.add(now, extensionRule, finding.Warning, fmt.Sprintf("%s is new, and is applied as %s", nameText(now), c.described(account, now.File)), checkIdentity)
	case then != nil && fluxAccount(then) != account && (account.Name != "" || fluxAccount(then).Name != ""):
		c.fluxIdentity(then, now)
	}
}

// fluxIdentity reports another identity of an object of Flux.
func (c *objectComparison) fluxIdentity(then, now *objects.Object) {
	before, after := fluxAccount(then), fluxAccount(now)
	was, is, severity := ownController, ownController, finding.Warning
	if before.Name != "" {
		was = access.SubjectName(rbac.Account(before))
	}
	if after.Name != "" {
		is, severity = c.described(after, now.File), c.severityOf(before, after, then.File, now.File)
	}
	c.add(now, extensionRule, severity, fmt.Sprintf("%s is applied as %s, and no longer as %s", nameText(now), is, was), checkIdentity)
}

// severityOf is a warning unless all that the new account holds was held by the one before.
func (c *objectComparison) severityOf(before, after objects.Account, oldFile, newFile string) finding.Severity {
	if before.Name == "" { // the account of the controller
		return finding.Note
	}
	held := c.before.Holdings(rbac.Account(before), path.Dir(oldFile)).Certain
	now := c.after.Holdings(rbac.Account(after), path.Dir(newFile)).All
	left, notCompared := now.Compare(held)
	if len(c.after.ByWho[rbac.Account(after)]) > 0 && left.Empty() && notCompared.Empty() {
		return finding.Note
	}
	return finding.Warning
}

// described names an account, with what is known of its power.
func (c *objectComparison) described(a objects.Account, file string) string {
	name := access.SubjectName(rbac.Account(a))
	switch power := c.powerOf(a, file); {
	case power != "":
		return name + ", which " + power
	case len(c.after.ByWho[rbac.Account(a)]) == 0:
		return name + ", whose permissions are not in the repository"
	}
	return name
}

// renamedFlux returns the object of Flux with the same name that the later state does not have in its namespace.
func (c *objectComparison) renamedFlux(now *objects.Object) *objects.Object {
	there := matching.CountOf(c.after.Unit)
	i := slices.IndexFunc(c.before.Unit.Objects, func(o *objects.Object) bool {
		return o.Group == now.Group && o.Kind == now.Kind && o.Name == now.Name && there[matching.IDOf(o)] == 0
	})
	if i < 0 {
		return nil
	}
	return c.before.Unit.Objects[i]
}

// namesAccounts reports whether all objects of Flux in the earlier state name an account, and there are some.
func (c *objectComparison) namesAccounts() bool {
	n := 0
	for _, o := range c.before.Unit.Objects {
		if !isFlux(o) {
			continue
		}
		n++
		if fluxAccount(o).Name == "" {
			return false
		}
	}
	return n > 0
}

// destination is an entry of an AppProject: as which account Argo CD applies Applications.
type destination struct{ server, namespace, account string }

func destinationsOf(o *objects.Object) []destination {
	var all []destination
	if o == nil {
		return nil
	}
	for _, item := range jsonfield.List(jsonfield.At(o, "spec", "destinationServiceAccounts")) {
		fields, _ := item.(map[string]any)
		all = append(all, destination{jsonfield.Text(fields["server"]), jsonfield.Text(fields["namespace"]), jsonfield.Text(fields["defaultServiceAccount"])})
	}
	return all
}

// project reports the accounts that an AppProject sets for other destinations than before. The first matching entry counts, so that other
// positions of the same entries are a change, too.
func (c *objectComparison) project(then, now *objects.Object) {
	before, after := destinationsOf(then), destinationsOf(now)
	if slices.Equal(before, after) {
		return
	}
	found := false
	for _, d := range after {
		if slices.Contains(before, d) {
			continue
		}
		found = true
		account := objects.Account{Namespace: d.namespace, Name: d.account}
		if namespace, name, ok := strings.Cut(d.account, ":"); ok {
			account = objects.Account{Namespace: namespace, Name: name}
		}
		c.add(now, extensionRule, finding.Warning, fmt.Sprintf("%s lets Applications for namespace %s of %s act as %s", nameText(now),
			cmp.Or(d.namespace, "*"), cmp.Or(d.server, "*"), c.described(account, now.File)), checkIdentity)
	}
	if !found {
		c.add(now, extensionRule, finding.Warning, nameText(now)+" removes or reorders destinationServiceAccounts, so that Applications can act as another account", checkIdentity)
	}
}

// The settings of Argo CD about the accounts of syncs.
//
// Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/app-sync-using-impersonation/.
const (
	impersonationKey = "application.sync.impersonation.enabled"
	enforcementKey   = "application.sync.impersonation.enforced"
)

func impersonates(o *objects.Object) bool {
	return o != nil && jsonfield.Text(jsonfield.At(o, "data", impersonationKey)) == "true"
}

// settings reports impersonation that is switched off. Now is nil if the settings are removed.
func (c *objectComparison) settings(then, now *objects.Object) {
	place := now
	if now == nil {
		place = then
	}
	switch {
	case impersonates(then) && !impersonates(now):
		c.add(place, extensionRule, finding.Warning, nameText(place)+" no longer sets "+impersonationKey+`: "true", so Applications are applied as `+argoOwn, checkIdentity)
	case then != nil && now != nil && impersonates(now) && jsonfield.Text(jsonfield.At(then, "data", enforcementKey)) != "false" && jsonfield.Text(jsonfield.At(now, "data", enforcementKey)) == "false":
		c.add(place, extensionRule, finding.Warning, nameText(place)+" sets "+enforcementKey+`: "false", so Applications without an account are applied as `+argoOwn, checkIdentity)
	}
}
