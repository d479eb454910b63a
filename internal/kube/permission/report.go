package permission

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// Report is what a run does to permissions. An empty one says that nobody gains or loses anything.
type Report struct {
	// Made tells that the run makes the changes, or shows them as a diff; else it only offers them.
	Made bool
	// Identities are those that gain or lose something, each once, sorted.
	Identities []Identity
	// Extensions are those that OLM acts for as somebody else than before, or as somebody who may do more or less than
	// before. Sorted by name and file.
	Extensions []Extension
}

// Identity is an account, user or group that gains or loses something.
type Identity struct {
	Subject rbac.Subject
	Scopes  []Scope
	Context
}

// Extension is a ClusterExtension, and what OLM can do for it: before as From, after as To. Without Scopes that is the same. From
// is zero where no account was named and nothing tells of an identity: then Scopes are all that To may do.
type Extension struct {
	Name, File string
	From, To   rbac.Subject
	Scopes     []Scope
	Context
}

// Context says where a difference is seen, and what it comes from.
type Context struct {
	// Kustomizations are the folders of those that apply what changes, sorted; none for plain files. Units are the names of what
	// else does: charts with their values, applications.
	Kustomizations, Units []string
	// Why has the descriptions of the fixes that declared the difference, sorted.
	Why []string
}

// Scope is a difference in one namespace, or everywhere ("").
type Scope struct {
	Namespace      string
	Added, Removed []rbacv1.PolicyRule
	// AddedRoles and RemovedRoles have rules that are not known, or others beside those that are.
	AddedRoles, RemovedRoles []rbac.RoleRef
}

// Side is one half of a difference.
type Side struct {
	Rules []rbacv1.PolicyRule
	Roles []rbac.RoleRef
}

// Gained is what the difference adds.
func (s Scope) Gained() Side { return Side{s.Added, s.AddedRoles} }

// Lost is what the difference removes.
func (s Scope) Lost() Side { return Side{s.Removed, s.RemovedRoles} }

// Scopes writes down what is gained and lost, compacted and sorted. What is gained or lost everywhere is not repeated for
// single namespaces.
func Scopes(gained, lost Effect) []Scope {
	gained, lost = gained.onlyOnce(), lost.onlyOnce()
	var scopes []Scope
	for _, namespace := range namespaces(gained, lost) {
		scopes = append(scopes, Scope{
			Namespace: namespace,
			Added:     compact(gained.Rules[namespace]), Removed: compact(lost.Rules[namespace]),
			AddedRoles: rolesIn(gained, namespace), RemovedRoles: rolesIn(lost, namespace),
		})
	}
	return scopes
}

// compact also takes out rules about URLs that are there twice.
func compact(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	return slices.CompactFunc(rbac.Compact(rules), func(a, b rbacv1.PolicyRule) bool { return reflect.DeepEqual(a, b) })
}

func rolesIn(e Effect, namespace string) []rbac.RoleRef {
	var roles []rbac.RoleRef
	for g := range e.Roles {
		if g.Scope == namespace {
			roles = append(roles, g.Role)
		}
	}
	slices.SortFunc(roles, func(a, b rbac.RoleRef) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return roles
}

// effects reads what was written down.
func effects(scopes []Scope) (gained, lost Effect) {
	for _, s := range scopes {
		gained.Add(s.Namespace, s.Added)
		lost.Add(s.Namespace, s.Removed)
		for _, role := range s.AddedRoles {
			gained.AddRole(rbac.Grant{Role: role, Scope: s.Namespace})
		}
		for _, role := range s.RemovedRoles {
			lost.AddRole(rbac.Grant{Role: role, Scope: s.Namespace})
		}
	}
	return gained, lost
}

// Beside puts the differences of several units into one report. What several of them see alike is there once.
func Beside(reports ...Report) Report {
	var all Report
	identities, extensions := map[string]*Identity{}, map[string]*Extension{}
	for _, r := range reports {
		all.Made = all.Made || r.Made
		for _, i := range r.Identities {
			key := text(i.Subject) + scopesText(i.Scopes)
			if known := identities[key]; known != nil {
				i.Context = i.merged(known.Context)
			}
			identities[key] = &i
		}
		for _, x := range r.Extensions {
			key := strings.Join([]string{x.Name, x.File, text(x.From), text(x.To), scopesText(x.Scopes)}, "\x00")
			if known := extensions[key]; known != nil {
				x.Context = x.merged(known.Context)
			}
			extensions[key] = &x
		}
	}
	for _, key := range slices.Sorted(maps.Keys(identities)) {
		all.Identities = append(all.Identities, *identities[key])
	}
	for _, key := range slices.Sorted(maps.Keys(extensions)) {
		all.Extensions = append(all.Extensions, *extensions[key])
	}
	return all
}

func (c Context) merged(other Context) Context {
	return Context{
		Kustomizations: union(c.Kustomizations, other.Kustomizations), Units: union(c.Units, other.Units), Why: union(c.Why, other.Why),
	}
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// text tells subjects apart, and orders them by kind, namespace and name.
func text(s rbac.Subject) string { return s.Kind + "\x00" + s.Namespace + "\x00" + s.Name + "\x00" }

// scopesText tells differences apart.
func scopesText(scopes []Scope) string { return fmt.Sprintf("%q", scopes) }
