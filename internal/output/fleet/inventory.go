package fleet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Extension is an extension in one deployment unit of a repository, as its report lists it.
type Extension struct {
	Name, Namespace, Package, Version, File, Target, Model string
	// Account is the state of the account, and ServiceAccount its name.
	Account, ServiceAccount string
	Channels, Clusters      []string
	Line                    int
	// AccountFile and AccountLine are where the account is set, which can be in a patch; "" and 0 if the report does not say so.
	AccountFile string
	AccountLine int
	// Fix is the kind of the fix of the deprecated account; "" if the report has none. Deprecated is set if it reports the account.
	Fix        string
	Deprecated bool
}

// Role is a role with power.
type Role struct {
	Role         finding.RoleRef
	ClusterAdmin bool
	Powers       []string
	File         string
	Line         int
}

// OpenBinding is a subject of a binding whose role its repository does not define.
type OpenBinding struct {
	Binding, Scope string
	Role           finding.RoleRef
	Subject        finding.Subject
	File           string
	Line           int
}

// Chains are the shortest ways to cluster-admin of a repository.
type Chains struct {
	Goal       string
	Identities []Chain
	Unknown    []string
}

// complete reports whether these are chains that lint listed: it writes both lists even if they are empty.
func (c Chains) complete() bool {
	return c.Goal == "cluster-admin" && c.Identities != nil && c.Unknown != nil
}

// Chain is the shortest way of one identity.
type Chain struct {
	Subject string
	Steps   []Step
}

// Step is one step, and what allows it.
type Step struct {
	Text string
	By   []string
}

// Possible is a binding of one repository to a role with power that another one defines.
type Possible struct {
	Repository string
	Binding    OpenBinding
	// DefinedIn is the repository of the role.
	DefinedIn string
	Role      Role
	// Clusters get both; nil if it is not known whether one does.
	Clusters []string
}

// Possible returns what bindings of a repository possibly grant, because another repository defines the role: sorted by repository and
// place.
func (f *Fleet) Possible() []Possible {
	roles := map[finding.RoleRef][]definition{}
	for _, r := range f.Repositories {
		for _, role := range r.Roles {
			if role.Role.Namespace == objects.ReleaseNamespace {
				continue // a stand-in for a namespace that is unknown
			}
			roles[role.Role] = append(roles[role.Role], definition{r.Name, role})
		}
	}
	var all []Possible
	seen := map[pair]bool{}
	for _, r := range f.Repositories {
		for _, b := range r.Bindings {
			for _, p := range f.grantedBy(r.Name, b, roles[b.Role]) {
				if key := (pair{r.Name, b, p.DefinedIn}); !seen[key] {
					seen[key] = true
					all = append(all, p)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Possible) int {
		return cmp.Or(strings.Compare(a.Repository, b.Repository), strings.Compare(a.Binding.File, b.Binding.File), cmp.Compare(a.Binding.Line, b.Binding.Line),
			strings.Compare(a.Binding.Subject.String(), b.Binding.Subject.String()), strings.Compare(a.DefinedIn, b.DefinedIn))
	})
	return all
}

// definition is a role of a repository.
type definition struct {
	repository string
	role       Role
}

// grantedBy returns what a binding of a repository grants by definitions of its role in others: for each of these what is certain, otherwise what is possible.
func (f *Fleet) grantedBy(repository string, b OpenBinding, definitions []definition) []Possible {
	var all []Possible
	for _, d := range definitions {
		if d.repository == repository {
			continue
		}
		clusters, possible := f.Workspace.meeting(repository, b.File, d.repository, d.role.File)
		i := slices.IndexFunc(all, func(p Possible) bool { return p.DefinedIn == d.repository })
		switch {
		case !possible:
		case i < 0:
			all = append(all, Possible{repository, b, d.repository, d.role, clusters})
		case len(clusters) > 0 && all[i].Clusters == nil:
			all[i].Role, all[i].Clusters = d.role, clusters
		case (len(clusters) > 0) == (all[i].Clusters != nil):
			all[i].Role, all[i].Clusters = all[i].Role.or(d.role), merged(all[i].Clusters, clusters)
		}
	}
	return all
}

// or returns what a role possibly gives that a repository defines twice, such as in two overlays: which one a cluster gets is not known.
func (r Role) or(other Role) Role {
	switch {
	case r.ClusterAdmin:
		return r
	case other.ClusterAdmin:
		return other
	}
	r.Powers = slices.Clone(r.Powers)
	for _, power := range other.Powers {
		if !slices.Contains(r.Powers, power) {
			r.Powers = append(r.Powers, power)
		}
	}
	return r
}

// pair is a binding, and a repository that defines its role.
type pair struct {
	repository string
	binding    OpenBinding
	definedIn  string
}

// String says what is possible.
func (p Possible) String() string {
	what := "cluster-admin"
	if !p.Admin() {
		what = strings.Join(p.Role.Powers[:min(len(p.Role.Powers), shownPowers)], ", ")
	}
	if p.Binding.Scope != "" {
		what += " in the namespace " + p.Binding.Scope
	}
	if len(p.Clusters) > 0 {
		return p.Binding.Subject.String() + ": " + what + " on " + strings.Join(p.Clusters, ", ") + ", by " + p.Binding.Binding + ": " + p.Binding.Role.String() + " is that of " + p.DefinedIn
	}
	return p.Binding.Subject.String() + ": possibly " + what + ", by " + p.Binding.Binding + ", if " + p.Binding.Role.String() + " is that of " + p.DefinedIn
}

// Admin reports whether the role is cluster-admin where the binding grants it.
func (p Possible) Admin() bool { return p.Role.ClusterAdmin && p.Binding.Scope == "" }

// shownPowers is how many powers of a role a sentence names.
const shownPowers = 2

// extensionRule is the rule whose findings are about accounts of extensions that have to go.
const extensionRule = "olm/service-account-deprecated"

// addExtension adds an extension, and counts it.
func (r *Repository) addExtension(e *Extension) {
	r.Extensions = append(r.Extensions, *e)
	r.releases[release{e.Target, e.Model}]++
}

// joinFindings sets what the findings say about the extensions.
func (r *Repository) joinFindings() {
	for i := range r.Extensions {
		e := &r.Extensions[i]
		key := extensionKey{file: e.File, name: e.Name}
		if e.AccountFile != "" {
			key = extensionKey{file: e.AccountFile, line: e.AccountLine}
		}
		e.Fix, e.Deprecated = r.deprecated[key]
	}
	r.deprecated = nil
}

// deprecate keeps that a finding reports an account, and its fix.
func (r *Repository) deprecate(key extensionKey, f *readFinding) {
	r.deprecated[key] = cmp.Or(fixText(f), r.deprecated[key])
}

// extensionKey is what a finding and an extension have in common: the place of the account or, in older reports, the file and the name.
type extensionKey struct {
	file string
	line int
	name string
}

// Untold returns why the report can lack findings about the whole repository; "" if it has them all.
func (r *Repository) Untold() string {
	switch {
	case r.NotShown > 0:
		return "the report leaves out findings (--min-severity)"
	case r.Run != nil && len(r.Run.Only) > 0:
		return "the run was limited to some rules (--only)"
	case r.Run != nil && r.Run.ChangedSince != "":
		return "the run was limited to what changed (--changed-since)"
	case r.Incomplete:
		return "a part of the run failed"
	}
	return ""
}
