package identity

import (
	"path"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// installerFor returns the account that an extension gets: the one that is left from before, whatever its name, or a new one with
// the usual name. A second account with the same role is never made.
func installerFor(c *engine.Context, v *Variant, usual rbac.Subject) (rbac.Subject, error) {
	there, err := v.countAccounts(usual)
	if err != nil || there > 0 {
		return usual, err
	}
	left, err := leftInstallers(c, v)
	switch {
	case err != nil || len(left) == 0:
		return usual, err
	case len(left) > 1:
		return usual, engine.Refuse("%s and %s are left in the namespace and have the permissions of an installer, so either can be "+
			"the account of the extension: name one by hand", engine.SubjectName(left[0]), engine.SubjectName(left[1]))
	}
	if other := otherWithoutAccount(v); other != nil {
		return usual, engine.Refuse("%s can be the account of this extension or of %s at %s: name it by hand",
			engine.SubjectName(left[0]), engine.NameOf(other), other.Position(nil))
	}
	return left[0], checkAccountUnshared(c, v, left[0])
}

// leftInstallers returns the accounts in the namespace of an extension that nothing in its units uses, and that have what the
// account of the extension gets.
func leftInstallers(c *engine.Context, v *Variant) ([]rbac.Subject, error) {
	group := ""
	var left []rbac.Subject
	for _, o := range v.Units[0].Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount, Namespace: v.Namespace}) {
		account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: v.Namespace, Name: o.Name}
		if o.Name == "" || o.Namespace != v.Namespace || slices.Contains(left, account) {
			continue
		}
		there, err := v.countAccounts(account)
		if err != nil {
			return nil, err
		}
		if there == len(v.Units) && holdsWanted(c, v, account) && !isUsedInUnits(v, account) {
			left = append(left, account)
		}
	}
	return left, nil
}

// holdsWanted reports whether an account certainly has what the account of the extension gets, in every unit in which identities
// count: the role that the user names, what the synthetic identity has, or otherwise the permissions of an installer.
func holdsWanted(c *engine.Context, v *Variant, account rbac.Subject) bool {
	units := UnitsUsingIdentity(c, v)
	for _, unit := range units {
		held := GrantsOf(unit, v, account).CertainOnly().directOnly()
		user := GrantsOf(unit, v, v.UserSubject())
		isPlatform := func(g rbac.Grant) bool { return strings.HasPrefix(g.Role.Name, "system:") }
		switch {
		case len(held.list) == 0, slices.ContainsFunc(held.list, isPlatform):
			return false
		case c.Policy.Grant.Mode == engine.RoleGrant:
			if !held.Has(rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}}) {
				return false
			}
		case c.Policy.Grant.Chosen():
			return false
		case len(user.list) > 0:
			if len(user.NotHeldBy(held))+len(held.NotHeldBy(user)) > 0 {
				return false
			}
		case !canInstall(rbac.EffectiveRules(unit, v.objectIn(unit), account).Cluster):
			return false
		}
	}
	return len(units) > 0
}

// canInstall reports whether rules include what only installers have together: finalizers of extensions, and new kinds.
func canInstall(rules []rbacv1.PolicyRule) bool {
	ok, _ := policyrules.Covers(rules, []rbacv1.PolicyRule{
		{APIGroups: []string{olm.APIGroup}, Resources: []string{"clusterextensions/finalizers"}, Verbs: []string{"update"}},
		{APIGroups: []string{"apiextensions.k8s.io"}, Resources: []string{"customresourcedefinitions"}, Verbs: []string{"create"}},
	})
	return ok
}

// isUsedInUnits reports whether an object of the units of an extension uses an account.
func isUsedInUnits(v *Variant, account rbac.Subject) bool {
	for _, unit := range v.Units {
		for _, ref := range unit.References(objects.Account{Namespace: account.Namespace, Name: account.Name}) {
			if isUse(ref) && !applied.SameSource(ref.Object, v.Object) {
				return true
			}
		}
	}
	return false
}

// otherWithoutAccount returns another extension of a unit that is installed in the same namespace and lacks an account, or nil.
// Among plain files, it must be in the same folder.
func otherWithoutAccount(v *Variant) *objects.Object {
	group := olm.APIGroup
	for _, unit := range v.Units {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
			read, ok := olm.ReadExtension(o.Node)
			if !ok || read.Namespace != v.Namespace || read.Account.Name != "" || applied.SameSource(o, v.Object) {
				continue
			}
			if unit.Kind != objects.PlainUnit || path.Dir(o.File) == path.Dir(v.Object.File) {
				return o
			}
		}
	}
	return nil
}
