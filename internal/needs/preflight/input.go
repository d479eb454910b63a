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

// Input is what is asked: the objects, who is to apply them, and where the grants are.
type Input struct {
	// Objects are those that would be applied. Old are those of the version that they replace: an upgrade needs what both
	// need, for what vanishes has to be deleted, and what stays is the old one until it is replaced.
	Objects, Old []rendered.Object
	// Extension is the name of the extension; Namespace is the one it is installed in.
	Extension, Namespace string
	// Identity is who OLM acts as.
	Identity rbac.Identity
	// Unit holds the roles and bindings of the repository, and From is the object on whose behalf it is asked.
	Unit *objects.Unit
	From *objects.Object
	// Resources knows the kinds of all objects; see ResourcesOf.
	Resources *restmap.Map
	// CollectionVerbs are wanted on every type of object, in the whole cluster; see CollectionVerbs.
	CollectionVerbs []string
	// Finalizers is the owner of what is installed; see FinalizersOf.
	Finalizers Finalizers
	Escalation Escalation
}

// Finalizers names the object that is made the owner of whatever is installed: the identity has to update its
// finalizers. Resource is of the group olm.operatorframework.io; without one nothing is asked. Without a name it may be
// any object.
type Finalizers struct{ Resource, Name string }

// Escalation is a way to be allowed to create a role or binding: the API server wants its creator either to hold every
// rule in it, or to have a verb of its own for that.
type Escalation string

// The ways.
const (
	// Hold asks for every rule that the roles grant. The identity can then do what the operator can, and no more.
	Hold Escalation = "hold"
	// Verbs asks for escalate on roles and bind on the roles that are bound. The list is short, and with it the identity
	// can make itself an administrator.
	Verbs Escalation = "verbs"
)

// ParseEscalation reads the name of a way.
func ParseEscalation(name string) (Escalation, error) {
	switch e := Escalation(name); e {
	case Hold, Verbs:
		return e, nil
	}
	return "", fmt.Errorf("%q is not a way to be allowed to create roles: use hold or verbs", name)
}

// CollectionVerbs are the verbs that operator-controller asks for on whole types under a runtime. Sources: at v1.8.0,
// authorization/rbac.go asks for them whatever the runtime; from v1.9.0, cmd/operator-controller/main.go does so for
// Helm alone.
func CollectionVerbs(r olm.Runtime) []string {
	if r.Collections || r.Finalizers == "clusterextensionrevisions" {
		return []string{"list", "watch"}
	}
	return nil
}

// FinalizersOf names the owner that operator-controller asks about under a runtime: the extension under Helm; under
// Boxcutter the revision, which is called after the extension and counted from 1.
func FinalizersOf(r olm.Runtime, extension string, revision int) Finalizers {
	switch r.Finalizers {
	case "":
		return Finalizers{}
	case "clusterextensions":
		return Finalizers{r.Finalizers, extension}
	}
	return Finalizers{r.Finalizers, fmt.Sprintf("%s-%d", extension, revision)}
}

// ResourcesOf knows the built-in kinds, and those that CustomResourceDefinitions in the unit and among the objects
// define.
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

// Scoped are rules for a namespace, "" being the whole cluster.
type Scoped struct {
	Namespace string              `json:"namespace"`
	Rules     []rbacv1.PolicyRule `json:"rules"`
}
