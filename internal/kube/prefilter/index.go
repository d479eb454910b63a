package prefilter

import "slices"

// Index holds the objects of a repository as far as the documents show them for certain: an object that is missing here can
// exist anyway.
type Index struct {
	objects map[object]bool
	// named holds the same objects without namespace.
	named map[object]bool
	// accountNamespaces are the namespaces that can contain accounts; "" represents all.
	accountNamespaces map[string]bool
	// defaultAccounts is true if a controller of Flux can act as an account that objects do not name.
	defaultAccounts bool
	// openAccounts is true if an account can exist whose manifest sets no namespace.
	openAccounts bool
	// installNamespaces are the namespaces in which charts or operators can create objects that no manifest shows; ""
	// represents all.
	installNamespaces map[string]bool
}

type object struct{ kind, namespace, name string }

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{objects: map[object]bool{}, named: map[object]bool{}, accountNamespaces: map[string]bool{}, installNamespaces: map[string]bool{}}
}

// rbacGroup is the API group of roles and bindings.
const rbacGroup = "rbac.authorization.k8s.io"

// indexed are the kinds in an index, with their groups.
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

// Add adds an object that is applied as written.
func (i *Index) Add(f *Facts) {
	group, is := indexed[f.Kind]
	if !is || f.Group() != group {
		return
	}
	if f.Kind == KindRelease {
		i.installNamespaces[f.TargetNamespace()] = true
		return
	}
	i.objects[object{f.Kind, f.Namespace, f.Name}] = true
	i.named[object{kind: f.Kind, name: f.Name}] = true
}

// AddAccountIn records that a namespace can contain an account; "" represents any.
func (i *Index) AddAccountIn(namespace string) {
	i.accountNamespaces[namespace] = true
	i.openAccounts = i.openAccounts || namespace == ""
}

// AddDefaultAccounts records that a controller of Flux can have a default for the account.
func (i *Index) AddDefaultAccounts() { i.defaultAccounts = true }

// AddOpenAccount records that there is an account whose manifest sets no namespace.
func (i *Index) AddOpenAccount() { i.openAccounts = true }

// TargetNamespace is the namespace in which a release creates objects; "" if it is not set.
func (f *Facts) TargetNamespace() string {
	if f.Release != nil && f.Release.Target != "" {
		return f.Release.Target
	}
	return f.Namespace
}

// has reports whether an object exists in a namespace, or one without a namespace, which can be applied to it.
func (i *Index) has(kind, namespace, name string) bool {
	return i.objects[object{kind, namespace, name}] || i.objects[object{kind, "", name}]
}

// hasAccount reports whether an account exists, or can be installed.
func (i *Index) hasAccount(namespace, name string) bool {
	return i.has(kindAccount, namespace, name) || i.installNamespaces[namespace] || i.installNamespaces[""]
}

// mayHaveAccounts reports whether a namespace can contain accounts at all.
func (i *Index) mayHaveAccounts(namespace string) bool {
	return i.accountNamespaces[namespace] || i.accountNamespaces[""]
}

// defaultRoles are roles that every cluster has.
var defaultRoles = []string{"cluster-admin", "admin", "edit", "view"}

// hasRole reports whether the role of a binding exists.
func (i *Index) hasRole(f *Facts) bool {
	switch {
	case f.Group() != rbacGroup:
		return false
	case f.RoleKind == kindClusterRole:
		return slices.Contains(defaultRoles, f.RoleName) || i.named[object{kind: kindClusterRole, name: f.RoleName}]
	case f.RoleKind != kindRole:
		return false
	case f.Namespace == "":
		return i.named[object{kind: kindRole, name: f.RoleName}]
	}
	return i.has(kindRole, f.Namespace, f.RoleName)
}
