package preflight

import (
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// Input is the objects, the identity that applies them, and the grants.
type Input struct {
	// Objects are those that would be applied. Old are those of the version that they replace: an upgrade needs the
	// permissions of both, because removed objects are deleted, and the others stay old until they are replaced.
	Objects, Old []rendered.Object
	// Extension is the name of the extension; Namespace is the one it is installed in.
	Extension, Namespace string
	// Identity is the identity as which OLM acts.
	Identity rbac.Identity
	// Unit contains the roles and bindings of the repository, and From is the object whose bindings are looked up.
	Unit *objects.Unit
	From *objects.Object
	// Resources contains the kinds of all objects; see ResourcesOf.
	Resources *restmap.Map
	// CollectionVerbs are required on every type of object, in the whole cluster; see CollectionVerbs.
	CollectionVerbs []string
	// Finalizers is the owner of what is installed; see FinalizersOf.
	Finalizers Finalizers
	Escalation Escalation
	// Granted is what the identity holds according to a cluster, instead of what the unit grants; it can be nil.
	Granted *Granted
	// Effective is the same in the form of package rbac; nil for what the unit grants.
	Effective *rbac.Effective
	// PreAuthorizer checks what operator-controller's pre-authorizer checks: it accepts escalate only in the whole cluster, and for all
	// names. The caller leaves out the groups of the identity.
	PreAuthorizer bool
	// Managed are the verbs that are required on every object by name; nil for those that operator-controller requires.
	Managed []string
	// Note is called with each remark about the objects, one sentence without a period; it can be nil.
	Note func(text string)
}

// Finalizers is the object that becomes the owner of everything that is installed, and whose finalizers the identity must
// be able to update. Resource is of the group olm.operatorframework.io; if it is "", nothing is required. Without a name it
// can be any object.
type Finalizers struct{ Resource, Name string }

// Escalation is a way to be allowed to create a role or binding: the API server requires either all permissions in it, or a
// special verb.
type Escalation string

// The ways.
const (
	// Hold requires every rule that the roles grant. The identity can then do what the operator can, and no more.
	Hold Escalation = "hold"
	// Verbs requires escalate on roles and bind on the bound roles. The list is short, but it allows the identity to make
	// itself an administrator.
	Verbs Escalation = "verbs"
)

// ParseEscalation parses the name of a way.
func ParseEscalation(name string) (Escalation, error) {
	switch e := Escalation(name); e {
	case Hold, Verbs:
		return e, nil
	}
	return "", fmt.Errorf("unknown escalation %q: use hold or verbs", name)
}

// CollectionVerbs returns the verbs that operator-controller requires on whole types under a runtime. Sources: at v1.8.0,
// authorization/rbac.go requires them for all runtimes; from v1.9.0, cmd/operator-controller/main.go does so for Helm only.
func CollectionVerbs(r olm.Runtime) []string {
	if r.Collections || r.Finalizers == "clusterextensionrevisions" {
		return []string{"list", "watch"}
	}
	return nil
}

// FinalizersOf returns the owner that operator-controller checks under a runtime: the extension under Helm; under Boxcutter
// the revision, which is named after the extension and numbered from 1.
func FinalizersOf(r olm.Runtime, extension string, revision int) Finalizers {
	switch r.Finalizers {
	case "":
		return Finalizers{}
	case "clusterextensions":
		return Finalizers{r.Finalizers, extension}
	}
	return Finalizers{r.Finalizers, fmt.Sprintf("%s-%d", extension, revision)}
}

// ResourcesOf returns the built-in kinds, and those of CustomResourceDefinitions in the unit and among the objects.
func ResourcesOf(u *objects.Unit, sets ...[]rendered.Object) *restmap.Map {
	resources := restmap.New()
	for _, o := range u.Find(objects.Query{Group: new(crdGroup), Kind: crdKind}) {
		resources.AddCRD(o.JSON())
	}
	for _, objects := range sets {
		for _, o := range objects {
			if o.Group() == crdGroup && o.Kind() == crdKind {
				resources.AddCRD(o.JSON)
			}
		}
	}
	return resources
}

const (
	crdGroup = "apiextensions.k8s.io"
	crdKind  = "CustomResourceDefinition"
)

// Scoped are rules in a namespace; "" is the whole cluster.
type Scoped struct {
	Namespace string              `json:"namespace"`
	Rules     []rbacv1.PolicyRule `json:"rules"`
}
