package bundlediff

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/preflight"
)

// Part is the category of a change.
type Part string

// The parts, in the order of the report.
const (
	// Grants are permissions that roles and bindings of the content grant to a subject.
	Grants Part = "grants"
	// Aggregated are permissions that the content adds to a ClusterRole of the cluster, such as admin or view, and so to
	// all its subjects.
	Aggregated Part = "aggregated"
	// Webhook is what a webhook intercepts.
	Webhook Part = "webhook"
	// Definition is a CustomResourceDefinition.
	Definition Part = "definition"
	// Object is another cluster-scoped object.
	Object Part = "object"
	// Pods is what pods can do by themselves: as an account that the content does not create, or on their node.
	Pods Part = "pods"
	// Installer are permissions that the installer of the content needs in addition.
	Installer Part = "installer"
)

var parts = []Part{Grants, Aggregated, Webhook, Definition, Object, Pods, Installer}

// Change is something that only one version has, or more of.
type Change struct {
	Part Part
	// Dangers are the reasons why the change is dangerous, the gravest first; empty if it is not.
	Dangers []string
	// Subject is the grantee of Grants. NewSubject is set if the other version grants it nothing.
	Subject    rbac.Subject
	NewSubject bool
	// Role is the ClusterRole to which permissions are added, for Aggregated.
	Role string
	// Namespace is where the permissions are granted, "" for all namespaces.
	Namespace string
	Rules     []rbacv1.PolicyRule
	// Roles are granted in addition. Their rules are not in the content, so they are compared by name.
	Roles []rbac.RoleRef
	// Intercepted is what the webhook intercepts, for Webhook.
	Intercepted *Intercepted
	// Kind is the kind of an Object, or of what runs Pods, with its group, and Name its name or that of a Definition.
	Kind, Name string
	// Powers are what Pods can do.
	Powers []string
	// Changed is set for an Object or Definition that differs between the versions, and exists in both.
	Changed bool

	rank int
}

// Diff is the difference of two versions by their effect.
type Diff struct {
	// Growth is what only the new version requires, Shrinkage what only the old one did; dangerous changes come first.
	Growth, Shrinkage []Change
	// NotCompared are permissions that are too many to compare, so that nothing is known about them, as text.
	NotCompared []string
}

// Grows reports whether the new version requires more.
func (d Diff) Grows() bool { return len(d.Growth) > 0 }

// Dangerous returns the number of dangerous changes in Growth.
func (d Diff) Dangerous() int {
	n := 0
	for _, c := range d.Growth {
		if len(c.Dangers) > 0 {
			n++
		}
	}
	return n
}

// Options are what the objects themselves do not define.
type Options struct {
	// Namespace is the namespace for namespaced objects without one.
	Namespace string
	// Resources contains the kinds of all objects; nil means the built-in ones and those that the objects define.
	Resources *restmap.Map
	// CollectionVerbs are required of the installer on every type of object, in the whole cluster; see
	// preflight.CollectionVerbs.
	CollectionVerbs []string
	// Kubernetes are the versions of Kubernetes that the cluster can run.
	Kubernetes kubeversion.Range
	// Note is called with each remark about the objects; it can be nil.
	Note func(text string)
}

// Compare compares two versions of a content by effect: a permission that the old version covers by a wildcard, or grants
// by another role or binding, is no growth. The error lists objects that are invalid, or whose kind may be namespaced or
// not.
func Compare(old, fresh []rendered.Object, o Options) (Diff, error) {
	if o.Resources == nil {
		o.Resources = preflight.ResourcesOf(o.emptyUnit(), old, fresh)
	}
	before, err := newVersion(old, o)
	if err != nil {
		return Diff{}, err
	}
	after, err := newVersion(fresh, o)
	if err != nil {
		return Diff{}, err
	}
	growth, shrinkage := &comparison{a: after, b: before, side: "new"}, &comparison{a: before, b: after, side: "old"}
	d := Diff{Growth: growth.more(), Shrinkage: shrinkage.more()}
	d.NotCompared = slices.Concat(growth.notCompared, shrinkage.notCompared)
	return d, nil
}

// comparison finds what version a has and version b does not.
type comparison struct {
	a, b *version
	// side is the name of version a.
	side        string
	notCompared []string
}

func (c *comparison) more() []Change {
	changes := slices.Concat(c.moreGranted(), c.moreAggregated(), moreIntercepted(c.a, c.b), moreObjects(c.a, c.b), morePods(c.a, c.b))
	changes = append(changes, c.moreInstaller(changes)...)
	slices.SortStableFunc(changes, func(x, y Change) int {
		return cmp.Or(
			cmp.Compare(x.rank, y.rank),
			cmp.Compare(slices.Index(parts, x.Part), slices.Index(parts, y.Part)),
			strings.Compare(x.title(), y.title()),
		)
	})
	return changes
}

// version is one of the two versions.
type version struct {
	objects       []rendered.Object
	resources     *restmap.Map
	owned         ownKinds
	grants        map[rbac.Subject]granted
	roles         map[string]effect
	defaults      *objects.Unit // with the default roles only
	interceptions []interception
	needs         effect
}

// newVersion reads the needs first: their checks are stricter, and their errors include the user's files.
func newVersion(objects []rendered.Object, o Options) (*version, error) {
	v := &version{objects: objects, resources: o.Resources, owned: ownKindsOf(objects)}
	needs, err := preflight.Needs(preflight.Input{
		Objects: objects, Namespace: o.Namespace, Unit: o.emptyUnit(), Resources: o.Resources, Escalation: preflight.Hold,
		CollectionVerbs: o.CollectionVerbs, Note: o.Note,
	})
	if err != nil {
		return nil, err
	}
	v.needs = needsEffect(needs)
	if err := v.readGrants(o); err != nil {
		return nil, err
	}
	v.interceptions, err = interceptionsOf(objects)
	return v, err
}
