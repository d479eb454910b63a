package bundlediff

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/preflight"
)

// Part is what a change is about.
type Part string

// The parts, in the order in which they are reported.
const (
	// Grants are what roles and bindings of the content allow to a subject.
	Grants Part = "grants"
	// Aggregated is what the content adds to a ClusterRole of the cluster, such as admin or view, and so to everybody who
	// is bound to it.
	Aggregated Part = "aggregated"
	// Webhook is what a webhook is asked about.
	Webhook Part = "webhook"
	// Definition is a CustomResourceDefinition.
	Definition Part = "definition"
	// Object is another cluster-scoped object.
	Object Part = "object"
	// Installer is what whoever installs the content has to be allowed besides.
	Installer Part = "installer"
)

var parts = []Part{Grants, Aggregated, Webhook, Definition, Object, Installer}

// Change is something of which one version has more than the other.
type Change struct {
	Part Part
	// Dangers says what makes it dangerous, the gravest first; none for what is not.
	Dangers []string
	// Subject is who is granted it, for Grants. NewSubject is true when the other version grants him nothing at all.
	Subject    rbac.Subject
	NewSubject bool
	// Role is the ClusterRole that it is added to, for Aggregated.
	Role string
	// Namespace is where it is granted, "" for everywhere.
	Namespace string
	Rules     []rbacv1.PolicyRule
	// Roles are granted as well; their rules are not in the content, so that they are told apart by name.
	Roles []rbac.RoleRef
	// Catches is what the webhook is asked about, for Webhook.
	Catches *Catches
	// Kind is the kind of an Object, with its group, and Name the name of an Object or Definition.
	Kind, Name string
	// Changed is true of an Object or Definition that both versions have, and which is not the same in both.
	Changed bool

	rank int
}

// Diff is the difference of two versions. What is in neither list is the same in both, in effect.
type Diff struct {
	// Growth is what only the new version asks for, Shrinkage what only the old one did; dangerous things come first.
	Growth, Shrinkage []Change
}

// Grows tells whether the new version asks for anything more.
func (d Diff) Grows() bool { return len(d.Growth) > 0 }

// Dangerous counts the dangerous things that grow.
func (d Diff) Dangerous() int {
	n := 0
	for _, c := range d.Growth {
		if len(c.Dangers) > 0 {
			n++
		}
	}
	return n
}

// Options are what the objects themselves do not tell.
type Options struct {
	// Namespace is where namespaced objects go that name none.
	Namespace string
	// Resources knows the kinds of all objects; nil knows the built-in ones, and those that the objects define.
	Resources *restmap.Map
}

// Compare compares two versions of a content by effect: a permission that the old one covers by a wildcard is no growth,
// nor is one that only comes by another role or binding. The error names objects that are broken, or of a kind of which
// it is not known whether it is namespaced.
func Compare(old, fresh []rendered.Object, o Options) (Diff, error) {
	if o.Resources == nil {
		o.Resources = preflight.ResourcesOf(emptyUnit, old, fresh)
	}
	before, err := newVersion(old, o)
	if err != nil {
		return Diff{}, err
	}
	after, err := newVersion(fresh, o)
	if err != nil {
		return Diff{}, err
	}
	return Diff{Growth: more(after, before), Shrinkage: more(before, after)}, nil
}

// more lists what one version has and the other has not.
func more(a, b *version) []Change {
	changes := slices.Concat(moreGranted(a, b), moreAggregated(a, b), moreCaught(a, b), moreObjects(a, b))
	changes = append(changes, moreInstaller(a, b, changes)...)
	slices.SortStableFunc(changes, func(x, y Change) int {
		return cmp.Or(
			cmp.Compare(x.rank, y.rank),
			cmp.Compare(slices.Index(parts, x.Part), slices.Index(parts, y.Part)),
			strings.Compare(x.title(), y.title()),
		)
	})
	return changes
}

// version is one of the two.
type version struct {
	objects   []rendered.Object
	resources *restmap.Map
	grants    map[rbac.Subject]granted
	roles     map[string]effect
	catches   []catch
	needs     effect
}

// newVersion reads the needs first: they are stricter, and their errors name the user's own files.
func newVersion(objects []rendered.Object, o Options) (*version, error) {
	v := &version{objects: objects, resources: o.Resources}
	needs, err := preflight.Needs(preflight.Input{
		Objects: objects, Namespace: o.Namespace, Unit: emptyUnit, Resources: o.Resources, Escalation: preflight.Hold,
	})
	if err != nil {
		return nil, err
	}
	v.needs = needsEffect(needs)
	if err := v.readGrants(o.Namespace); err != nil {
		return nil, err
	}
	v.catches, err = catchesOf(objects)
	return v, err
}
