package rbac

import (
	_ "embed"
	"slices"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
)

//go:embed builtin_bindings.json
var builtinBindingsJSON []byte

// defaults holds the ClusterRoleBindings that every API server creates, except those of its controllers.
var defaults = sync.OnceValue(func() *objects.Unit {
	unit := &objects.Unit{Name: "every cluster", Kind: objects.KustomizationUnit}
	for _, doc := range manifest.Scan("Kubernetes "+kubeversion.Newest.String(), builtinBindingsJSON).Docs {
		if err := doc.Parse(); err != nil {
			panic("the built-in bindings cannot be read: " + err.Error())
		}
		unit.Objects = append(unit.Objects, objects.Objects(doc)...)
	}
	return unit
})

// DefaultsFor lists the bindings that apply to an identity in every cluster, as Kubernetes creates them when it starts:
// basics for authenticated users, such as asking for their own permissions, and permissions of Kubernetes' components. No other
// function of this package counts them. A unit that has a binding of that name with
// rbac.authorization.kubernetes.io/autoupdate: "false" makes the API server leave it unchanged. Bindings that not all versions of
// Kubernetes have which the unit's cluster can run are left out.
//
// Source: k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy (ClusterRoleBindings).
func DefaultsFor(u *objects.Unit, who Identity) []Binding { return inVersions(u, defaultsOf(u, who)) }

// defaultsOf is DefaultsFor with the bindings that only newer versions of Kubernetes have.
func defaultsOf(u *objects.Unit, who Identity) []Binding {
	return inUnit(u, indexOf(defaults()).of(who))
}

// DefaultBindings lists the bindings of DefaultsFor for all identities.
func DefaultBindings(u *objects.Unit) []Binding {
	return inVersions(u, inUnit(u, indexOf(defaults()).bindings))
}

// inVersions leaves out the bindings that not all versions of Kubernetes have which the unit's cluster can run: versions add
// default bindings together with their roles.
func inVersions(u *objects.Unit, bindings []Binding) []Binding {
	roles := builtinRoles(u.KubernetesVersions())
	return slices.DeleteFunc(bindings, func(b Binding) bool { return roles[b.Role] == nil })
}

// inUnit leaves out the bindings that a unit overrides, and resolves the roles of the others in the unit.
func inUnit(u *objects.Unit, bindings []Binding) []Binding {
	own := map[string]bool{}
	for _, o := range u.Find(objects.Query{Group: new(Group), Kind: kindClusterRoleBinding}) {
		if annotation(o, rbacv1.AutoUpdateAnnotationKey) == "false" {
			own[o.Name] = true
		}
	}
	bindings = slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool { return own[b.Object.Name] })
	for i := range bindings {
		b := &bindings[i]
		b.Default = true
		b.RoleObject, b.RoleTie = indexOf(u).roles.find(nil, b.Role)
	}
	return bindings
}

// AskDefaults returns whether every cluster allows a request to an identity by default. A negative answer has no
// uncertainty except Newer.
func AskDefaults(u *objects.Unit, who Identity, r Request) Answer {
	for _, b := range DefaultsFor(u, who) {
		role := indexOf(u).rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		if i >= 0 {
			return Answer{Allowed: true, Binding: b, Rule: role.rules[i], Source: role.giver(i)}
		}
	}
	var answer Answer
	for _, b := range defaultsOf(u, who) {
		if since, ok := indexOf(u).newer(b, r); ok {
			answer.Newer = append(answer.Newer, NewerGrant{b, since})
		}
	}
	return answer
}

// DefaultHolders lists the subjects to which every cluster allows a request by default, as WhoCan does.
func DefaultHolders(u *objects.Unit, r Request) []Holder {
	var holders []Holder
	for _, b := range DefaultBindings(u) {
		role := indexOf(u).rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		if i >= 0 {
			holders = append(holders, Holder{b.Subject, b, role.rules[i], role.giver(i)})
		}
	}
	return holders
}

// DefaultRules lists the rules that every cluster grants to an identity by default, cluster-wide.
func DefaultRules(u *objects.Unit, who Identity) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, b := range DefaultsFor(u, who) {
		rules = append(rules, indexOf(u).rulesOf(b).rules...)
	}
	return rules
}
