package prefilter

import "slices"

// Index is what there is in a repository, as far as its documents show it for certain: what is missing in it may be there
// all the same.
type Index struct {
	objects map[object]bool
	// named are the same in any namespace.
	named map[object]bool
	// beside are the namespaces in which there may be accounts; "" stands for all.
	beside map[string]bool
	// brought are the namespaces to which charts or operators may bring what no manifest shows; "" stands for all.
	brought map[string]bool
}

type object struct{ kind, namespace, name string }

// NewIndex makes an index of nothing.
func NewIndex() *Index {
	return &Index{objects: map[object]bool{}, named: map[object]bool{}, beside: map[string]bool{}, brought: map[string]bool{}}
}

// rbacGroup is the API group of roles and bindings.
const rbacGroup = "rbac.authorization.k8s.io"

// indexed are the kinds that an index is made of, with their groups.
var indexed = map[string]string{
	kindAccount: "", kindRole: rbacGroup, kindClusterRole: rbacGroup, KindRelease: "helm.toolkit.fluxcd.io",
}

const (
	kindAccount     = "ServiceAccount"
	kindRole        = "Role"
	kindClusterRole = "ClusterRole"
	kindBinding     = "RoleBinding"
	// KindRelease is a release of a chart by Flux.
	KindRelease = "HelmRelease"
)

// Indexes reports whether documents of a kind are worth adding.
func Indexes(kind string) bool {
	_, is := indexed[kind]
	return is
}

// Add takes down an object that is applied as it is written.
func (i *Index) Add(f *Facts) {
	group, is := indexed[f.Kind]
	if !is || f.Group() != group {
		return
	}
	if f.Kind == KindRelease {
		i.brought[f.GoesTo()] = true
		return
	}
	i.objects[object{f.Kind, f.Namespace, f.Name}] = true
	i.named[object{kind: f.Kind, name: f.Name}] = true
}

// AddAccountIn notes that there may be an account in a namespace; "" stands for any.
func (i *Index) AddAccountIn(namespace string) { i.beside[namespace] = true }

// GoesTo is the namespace to which a release brings objects; "" where it does not say.
func (f *Facts) GoesTo() string {
	if f.Release.Target != "" {
		return f.Release.Target
	}
	return f.Namespace
}

// has reports whether there is an object in a namespace, or one that names none and may be applied to it.
func (i *Index) has(kind, namespace, name string) bool {
	return i.objects[object{kind, namespace, name}] || i.objects[object{kind, "", name}]
}

// hasAccount reports whether an account is there, or may be brought.
func (i *Index) hasAccount(namespace, name string) bool {
	return i.has(kindAccount, namespace, name) || i.brought[namespace] || i.brought[""]
}

// mayHaveOthers reports whether there may be accounts in a namespace at all.
func (i *Index) mayHaveOthers(namespace string) bool { return i.beside[namespace] || i.beside[""] }

// everywhere are roles that every cluster has.
var everywhere = []string{"cluster-admin", "admin", "edit", "view"}

// hasRole reports whether the role of a binding is there.
func (i *Index) hasRole(f *Facts) bool {
	switch {
	case f.Group() != rbacGroup:
		return false
	case f.RoleKind == kindClusterRole:
		return slices.Contains(everywhere, f.RoleName) || i.named[object{kind: kindClusterRole, name: f.RoleName}]
	case f.RoleKind != kindRole:
		return false
	case f.Namespace == "":
		return i.named[object{kind: kindRole, name: f.RoleName}]
	}
	return i.has(kindRole, f.Namespace, f.RoleName)
}
