package controller

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// Lack is what the account lacks.
type Lack string

// The lacks, by what OLM does on the target.
const (
	// Nothing is lacking as far as the repository shows.
	Nothing Lack = ""
	// Install: it is to install extensions as itself, and can create neither Deployments nor CustomResourceDefinitions.
	Install Lack = "install"
	// Unproven: the same, but it can create some of them, and the bundles are unknown.
	Unproven Lack = "unproven"
	// Bundle: the same, and it lacks what the bundle of the extension needs.
	Bundle Lack = "bundle"
	// Impersonation: it is to impersonate the synthetic identity of the extension.
	Impersonation Lack = "impersonation"
	// Tokens: it is to request tokens of the account of the extension.
	Tokens Lack = "tokens"
)

// Gap is what the account lacks to install an extension.
type Gap struct {
	Lack Lack
	// Own is the account, with its bindings.
	Own rbac.OwnAccount
	// Missing is what it lacks; empty for Install and Unproven, where the release makes it a cluster-admin.
	Missing []preflight.Scoped
}

// Preflight compares the needs of a bundle with the permissions of an installer; nil if the bundle is unknown.
type Preflight func(*installer.Installer) (*bundles.Needs, error)

// Of returns what the account lacks to install an extension. Shown is all that the repository shows of the account. Only an account
// that the repository installs with all its bindings lacks something for certain: its bindings elsewhere can be additions.
func Of(shown []rbac.OwnAccount, i *installer.Installer, check Preflight) (Gap, error) {
	own := rbac.NearestOwnAccount(shown, i.Unit)
	if !own.Restricted() || own.Disputed || isAddedTo(shown, own) {
		return Gap{}, nil
	}
	if installsOther(own.Unit, i.Resolved.Target.Model) {
		return Gap{}, nil // the release of the target brings its own bindings
	}
	held := rbac.EffectiveFor(own.Unit, nil, rbac.Account(own.Account).Identity())
	if len(held.Unknown) > 0 || policyrules.CoversRule(held.Cluster, rbac.Everything()) {
		return Gap{}, nil
	}
	if i.Acting == installer.AsOwnAccount {
		return installing(held, i.ForOwnAccount(own), check)
	}
	lack, wanted := actingFor(i)
	missing := slices.DeleteFunc(wanted, func(s preflight.Scoped) bool { return policyrules.CoversRule(held.In(s.Namespace), s.Rules[0]) })
	if len(missing) == 0 {
		return Gap{}, nil
	}
	return Gap{lack, own, preflight.Compact(missing)}, nil
}

// installsOther reports whether a unit installs a release of OLM that treats the field differently from a model.
func installsOther(u *objects.Unit, model olm.Model) bool {
	var signals []olm.Signal
	for _, o := range u.Objects {
		signals = append(signals, olm.ReadSignals(o.Node)...)
	}
	installed := olm.Resolve(olm.InFeatureSet(signals))
	return installed.Known && installed.Target.Model != model
}

// isAddedTo reports whether another unit, which does not install OLM, makes the account a cluster-admin: both can be applied to
// one cluster.
func isAddedTo(shown []rbac.OwnAccount, own rbac.OwnAccount) bool {
	return slices.ContainsFunc(shown, func(o rbac.OwnAccount) bool {
		return o.Unit != own.Unit && o.Account == own.Account && o.Admin != nil && !o.Installed
	})
}

// installing returns the gap of an account that installs extensions as itself.
func installing(held rbac.Effective, i *installer.Installer, check Preflight) (Gap, error) {
	needs, err := check(i)
	switch {
	case err != nil:
		return Gap{}, err
	case needs != nil && len(needs.Missing) == 0:
		return Gap{}, nil
	case needs != nil:
		return Gap{Bundle, i.Own, preflight.Grant(needs.Missing)}, nil
	case canInstall(held, i.Namespace):
		return Gap{Lack: Unproven, Own: i.Own}, nil
	}
	return Gap{Lack: Install, Own: i.Own}, nil
}

// canInstall reports whether an identity can create something of which every operator consists.
func canInstall(held rbac.Effective, namespace string) bool {
	rules := held.In(namespace)
	return policyrules.CoversRule(rules, rule("create", "apps", "deployments")) ||
		policyrules.CoversRule(rules, rule("create", "apiextensions.k8s.io", "customresourcedefinitions"))
}

// actingFor returns what OLM needs to act as the identity of an extension: a token of its account, or impersonation. Sources:
// internal/operator-controller/authentication (tokengetter.go, synthetic.go) at v1.10.0. The proposal for the model synthetic names
// the same.
func actingFor(i *installer.Installer) (Lack, []preflight.Scoped) {
	if account, is := objects.ParseUser(i.Identity.User); is {
		return Tokens, []preflight.Scoped{{Namespace: account.Namespace, Rules: []rbacv1.PolicyRule{named(rule("create", "", "serviceaccounts/token"), account.Name)}}}
	}
	if i.Condition != "" || i.Identity.User != olm.User(i.Extension) {
		return Nothing, nil
	}
	return Impersonation, []preflight.Scoped{
		{Rules: []rbacv1.PolicyRule{named(rule("impersonate", "", "users"), i.Identity.User)}},
		{Rules: []rbacv1.PolicyRule{named(rule("impersonate", "", "groups"), olm.Group)}},
	}
}

func rule(verb, group, resource string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{group}, Resources: []string{resource}}
}

func named(r rbacv1.PolicyRule, name string) rbacv1.PolicyRule {
	r.ResourceNames = []string{name}
	return r
}
