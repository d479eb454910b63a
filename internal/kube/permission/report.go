package permission

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Report lists the changes of permissions in a run. If it is empty, no identity gains or loses permissions.
type Report struct {
	// Made is true if the run makes the changes, or shows them as a diff; otherwise it only offers them.
	Made bool
	// Identities are those that gain or lose permissions, each once, sorted.
	Identities []Identity
	// Extensions are those for which OLM acts as another identity than before, or as one with other permissions. Sorted by
	// name and file.
	Extensions []Extension
	// Unlimited are the extensions that lose an account which their target ignores, sorted by name and file.
	Unlimited []Unlimited
	// ReadElsewhere are the places at which something that salint does not build reads a changed file: what the report says is proven only for
	// the units that salint builds. Sorted.
	ReadElsewhere []string
	// Remaining are the objects with permissions that a fix removes from the repository and nothing removes from the cluster.
	Remaining []Remaining
}

// Remaining are objects that stay on a cluster, because what applied them does not delete them.
type Remaining struct {
	// Unit applied them, Objects are their names, Why is the reason, and Commands delete them.
	Unit     string
	Objects  []string
	Why      string
	Commands []string
}

// Identity is an account, user, or group that gains or loses permissions.
type Identity struct {
	Subject rbac.Subject
	*Difference
	Context
}

// Extension is a ClusterExtension with the identity for which OLM acts, From before and To after. Without a difference
// the permissions are the same. From is zero if no account was set and no identity is known: then the difference is all
// permissions of To.
type Extension struct {
	Name, File string
	From, To   rbac.Subject
	*Difference
	Context
}

// Context is the place of a difference, and its causes.
type Context struct {
	// Kustomizations are the folders of the kustomizations that apply the change, sorted; none for plain files. Units are
	// the names of other units that apply it: charts with their values, applications.
	Kustomizations, Units []string
	// Why are the descriptions of the fixes that declared the difference, sorted.
	Why []string
}

// Scope is a difference in one namespace, or cluster-wide ("").
type Scope struct {
	Namespace      string
	Added, Removed []rbacv1.PolicyRule
	// AddedRoles and RemovedRoles have unknown or incomplete rules.
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

// Scopes returns the gained and lost permissions, compacted and sorted. Cluster-wide changes are not repeated for
// namespaces.
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

// compact returns the single permissions of rules, compacted and without duplicates of those with URLs.
func compact(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	return slices.CompactFunc(policyrules.Compact(policyrules.Singles(policyrules.Distinct(rules))), policyrules.Same)
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

// effects returns the gained and lost permissions of scopes.
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

// Merge merges the differences of several units into one report. A difference that is the same in several units is listed
// once.
func Merge(reports ...Report) Report {
	var all Report
	identities, extensions, unlimited := map[string]*Identity{}, map[string]*Extension{}, map[string]*Unlimited{}
	times := timesNamed(reports)
	for _, r := range reports {
		all.Made = all.Made || r.Made
		all.ReadElsewhere = union(all.ReadElsewhere, r.ReadElsewhere)
		all.Remaining = append(all.Remaining, r.Remaining...)
		for _, i := range r.Identities {
			key := times.key(i.who(), i.Difference)
			if known := identities[key]; known != nil {
				i.Context = i.merged(known.Context)
			}
			identities[key] = &i
		}
		for _, x := range r.Extensions {
			key := times.key(x.who(), x.Difference)
			if known := extensions[key]; known != nil {
				x.Context = x.merged(known.Context)
			}
			extensions[key] = &x
		}
		for _, u := range r.Unlimited {
			if known := unlimited[u.key()]; known != nil {
				u.Context = u.merged(known.Context)
			}
			unlimited[u.key()] = &u
		}
	}
	for _, key := range slices.Sorted(maps.Keys(identities)) {
		all.Identities = append(all.Identities, *identities[key])
	}
	for _, key := range slices.Sorted(maps.Keys(extensions)) {
		all.Extensions = append(all.Extensions, *extensions[key])
	}
	for _, key := range slices.Sorted(maps.Keys(unlimited)) {
		all.Unlimited = append(all.Unlimited, *unlimited[key])
	}
	return all
}

// who identifies and orders identities and extensions, apart from what they gain and lose.
func (i Identity) who() string { return text(i.Subject) }

func (x Extension) who() string {
	return strings.Join([]string{x.Name, x.File, text(x.From), text(x.To), ""}, "\x00")
}

// named counts how often reports list an identity or extension.
type named map[string]int

func timesNamed(reports []Report) named {
	times := named{}
	for _, r := range reports {
		for _, i := range r.Identities {
			times[i.who()]++
		}
		for _, x := range r.Extensions {
			times[x.who()]++
		}
	}
	return times
}

// key identifies a difference. Most are the only one of their identity: then the text of all permissions is not needed.
func (n named) key(who string, d *Difference) string {
	if n[who] == 1 {
		return who
	}
	return who + scopesText(d.Scopes())
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

// text identifies subjects, and orders them by kind, namespace, and name.
func text(s rbac.Subject) string { return s.Kind + "\x00" + s.Namespace + "\x00" + s.Name + "\x00" }

// scopesText identifies differences.
func scopesText(scopes []Scope) string { return fmt.Sprintf("%q", scopes) }
