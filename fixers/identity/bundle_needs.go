package identity

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
)

// bundleNeeds returns what the bundle of the extension needs of an identity. All units in which identities count must agree,
// because the generated objects reach all of them.
func bundleNeeds(c *engine.Context, v *Variant, identity rbac.Subject) (engine.BundleNeeds, error) {
	var first engine.BundleNeeds
	units := UnitsUsingIdentity(c, v)
	for i, unit := range units {
		needs, err := c.Lookups.BundleNeeds(unit, v.objectIn(unit), identity)
		if err != nil {
			return engine.BundleNeeds{}, err
		}
		if i > 0 && !reflect.DeepEqual(first, needs) {
			return engine.BundleNeeds{}, engine.Refuse("the bundle needs other permissions in %s than in %s, and both apply "+
				"%s: grant them by hand in each unit",
				units[0], unit, v.Object.File)
		}
		first = needs
	}
	return first, nil
}

// unpinnedNote notes that a grant for one version may be too small for the next one.
func unpinnedNote(v *Variant, needs engine.BundleNeeds) []string {
	if _, pinned := v.Pinned(); pinned {
		return nil
	}
	version := needs.Version
	if version == "" {
		version = "that of the bundle"
	}
	return []string{fmt.Sprintf("ClusterExtension %s does not pin a version, so an update may need more than the bundle in "+
		"%s: set %s to %s",
		v.Name, needs.Bundle, v.VersionPath, version)}
}

// migrateToBundleNeeds grants what the bundle needs and the new identity does not have. Other grants of the old identity are
// lost on purpose.
func migrateToBundleNeeds(c *engine.Context, v *Variant, from, to rbac.Subject) (Migration, error) {
	h := Migration{From: from, To: to}
	needs, err := bundleNeeds(c, v, to)
	if err != nil {
		return h, err
	}
	h.roles, h.Missing = rolesFor(c, v, needs.Missing, to)
	h.notes = unpinnedNote(v, needs)
	for _, unit := range UnitsUsingIdentity(c, v) {
		old, new := GrantsOf(unit, v, from), GrantsOf(unit, v, to)
		new.list = union(slices.Clone(new.list), h.Missing)
		h.gained = union(h.gained, new.NotHeldBy(old))
		h.lost = union(h.lost, old.NotHeldBy(new))
	}
	return h, nil
}

// rolesFor generates roles with the missing permissions, all with one name: a ClusterRole for the whole cluster, and a Role
// for each namespace. If the name is taken, a hash of the permissions is added, because other bindings may refer to the
// existing role.
func rolesFor(c *engine.Context, v *Variant, missing []preflight.Scoped, to rbac.Subject) (roles []Generated, grants []rbac.Grant) {
	scopes := preflight.Grant(missing)
	name := bundleRoleName(to)
	roles = rolesNamed(v, scopes, olm.BindingName(v.Name, name))
	if slices.ContainsFunc(roles, func(o Generated) bool { return isRoleNameTaken(c, v, o) }) {
		roles = rolesNamed(v, scopes, olm.UniqueBindingName(v.Name, name, fmt.Sprintf("%q", scopes)))
	}
	for _, role := range roles {
		ReserveName(c, v, role)
		ref := rbac.RoleRef{Kind: role.Kind, Name: v.appliedName(role.Metadata.Name), Namespace: role.Metadata.Namespace}
		grants = append(grants, rbac.Grant{Role: ref, Scope: ref.Namespace})
	}
	return roles, grants
}

// bundleRoleName returns the name of the roles. Those of an account differ from those of the synthetic user, which are in
// another file.
func bundleRoleName(to rbac.Subject) string {
	if to.Kind == rbac.KindServiceAccount {
		return "installer-bundle"
	}
	return "bundle"
}

func rolesNamed(v *Variant, scopes []preflight.Scoped, name string) []Generated {
	var roles []Generated
	for _, scoped := range scopes {
		kind := "ClusterRole"
		if scoped.Namespace != "" {
			kind = "Role"
		}
		role := newObject(v, rbacVersion, kind, scoped.Namespace, name)
		for _, rule := range scoped.Rules {
			role.Rules = append(role.Rules, generate.RuleOf(rule))
		}
		roles = append(roles, role)
	}
	return roles
}

// rolesAndBindings generates what a migration needs: the bindings, and the roles if there are any to generate.
func rolesAndBindings(c *engine.Context, v *Variant, h Migration, to rbac.Subject) []Generated {
	if len(h.roles) == 0 {
		return bindingsFor(c, v, h.Missing, to)
	}
	objects := slices.Clone(h.roles)
	for i, g := range h.Missing {
		b := NewBinding(v, g, to)
		b.Metadata.Name = h.roles[i].Metadata.Name // the name of the role begins with that of the extension
		b.RoleRef.Name = b.Metadata.Name           // kustomize changes it together with the name of the role
		if IsNameTaken(c, v, b) {
			b.Metadata.Name = olm.UniqueBindingName(v.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
		}
		ReserveName(c, v, b)
		objects = append(objects, b)
	}
	return objects
}

// isRoleNameTaken reports whether another role has the name, in the repository or among the objects that this run generates.
func isRoleNameTaken(c *engine.Context, v *Variant, role Generated) bool {
	id := role.ObjectName()
	for _, unit := range v.Units {
		if other, ok := reservedIn(c)[nameKey{unit, id}]; ok && other != role.grantText() {
			return true
		}
		for _, other := range unit.Find(objects.Query{Group: &id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: v.appliedName(id.Name)}) {
			if !role.sameRules(other) {
				return true
			}
		}
	}
	return false
}

// sameRules reports whether an existing role has the rules of the generated one.
func (o Generated) sameRules(other *objects.Object) bool {
	rules, err := rbac.Rules(other)
	if err != nil || len(rules) != len(o.Rules) {
		return false
	}
	return !slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool {
		return !slices.ContainsFunc(o.Rules, func(own generate.Rule) bool { return reflect.DeepEqual(own, generate.RuleOf(r)) })
	})
}

// rolesText describes what roles grant: the number of rules, and where they apply.
func rolesText(roles []Generated) string {
	rules, namespaces := 0, []string{}
	cluster := false
	for _, role := range roles {
		rules += len(role.Rules)
		if role.Metadata.Namespace == "" {
			cluster = true
		} else {
			namespaces = append(namespaces, role.Metadata.Namespace)
		}
	}
	text := fmt.Sprintf("what its bundle needs (%d rules", rules)
	if rules == 1 {
		text = "what its bundle needs (1 rule"
	}
	switch {
	case cluster && len(namespaces) > 0:
		text += " in the cluster and in " + strings.Join(namespaces, ", ")
	case cluster:
		text += " in the whole cluster"
	default:
		text += " in " + strings.Join(namespaces, ", ")
	}
	return text + ")"
}
