package applying

import (
	"cmp"
	"fmt"
	"path"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

// Relation is when one object is applied relative to another one.
type Relation string

// The relations.
const (
	// Before is earlier, or in the same step, in which accounts, roles and bindings come before custom resources.
	Before Relation = "before"
	After  Relation = "after"
	// Never is an object that no successful sync applies.
	Never Relation = "never"
	// Unordered has no defined or known order.
	Unordered Relation = "unordered"
)

// Ordering is a relation with its reason, a sentence without a full stop.
type Ordering struct {
	Relation Relation
	Why      string
	// Location is the field that determines when the first object is applied, unless an annotation of the object determines it.
	Location view.Location
	// Annotation is the annotation of the object that does; "" if there is none.
	Annotation string
}

// Member is an object that an application applies. Only its annotations count.
type Member struct {
	Application *gitops.Application
	Annotations map[string]string
	// Called is what reasons call the object; "" is a grant or an extension.
	Called string
}

// Order compares when objects of applications are applied. It is safe for concurrent use.
type Order struct {
	result *gitops.Result
	// flux are the applications of Flux; folders are the Applications of Argo CD by the folders that they apply.
	flux    func() *fluxIndex
	folders func() map[string][]*gitops.Application
}

// NewOrder returns the order of the objects of applications.
func NewOrder(result *gitops.Result) *Order {
	return &Order{
		result: result,
		flux:   sync.OnceValue(func() *fluxIndex { return newFluxIndex(result) }), folders: sync.OnceValue(func() map[string][]*gitops.Application { return byFolder(result) }),
	}
}

// Of returns whether a grant is applied before an extension that needs it.
func (o *Order) Of(grant, extension Member) Ordering {
	a, b := grant.Application, extension.Application
	switch {
	case a == nil || b == nil:
		return Ordering{Relation: Unordered, Why: "the repository does not define which application applies them"}
	case a == b:
		return within(grant, extension)
	case a.Tool != b.Tool:
		return Ordering{Relation: Unordered, Why: fmt.Sprintf("%s and %s apply them independently of each other", a, b)}
	case a.Tool == gitops.ArgoCD:
		return o.acrossArgo(grant, extension)
	}
	return o.acrossFlux(a, b)
}

// notApplied begins the reason for Never.
const notApplied = "a successful sync does not apply a hook of this kind: "

// within compares two objects of one application.
func within(grant, extension Member) Ordering {
	rankOf, keys := argoStep, argoKeys
	switch grant.Application.Tool {
	case gitops.FluxKustomize:
		return Ordering{Relation: Before, Why: "Flux applies both together, RBAC objects first"}
	case gitops.FluxHelm:
		rankOf, keys = helmStep, helmKeys
	}
	first, applied := rankOf(grant.Annotations)
	second, other := rankOf(extension.Annotations)
	steps := fmt.Sprintf("%s has %s, and %s %s", cmp.Or(grant.Called, "the grant"), orderingAnnotations(grant.Annotations, keys),
		cmp.Or(extension.Called, "the extension"), orderingAnnotations(extension.Annotations, keys))
	by := decidingAnnotation(grant.Annotations, keys, applied && first.phase == second.phase)
	switch {
	case !applied:
		return Ordering{Relation: Never, Why: notApplied + orderingAnnotations(grant.Annotations, keys), Annotation: by}
	case !other:
		return Ordering{Relation: Unordered, Why: "a successful sync does not apply the extension: " + orderingAnnotations(extension.Annotations, keys)}
	case first.compare(second) > 0:
		return Ordering{Relation: After, Why: steps, Annotation: by}
	}
	return Ordering{Relation: Before, Why: steps, Annotation: by}
}

// acrossFlux follows dependsOn. It orders changes only between Kustomizations of the same source, because these wait until
// their dependencies have applied the same revision. A HelmRelease, or a Kustomization of another source, waits until its
// dependencies are ready with any revision (checkDependencies in kustomize-controller and helm-controller).
func (o *Order) acrossFlux(a, b *gitops.Application) Ordering {
	if location, found := o.reaches(b, a, waits); found {
		return Ordering{Relation: Before, Why: fmt.Sprintf("%s depends on %s", b, a), Location: location}
	}
	always := func(*gitops.Application, gitops.Dependency, *gitops.Application) bool { return true }
	if location, found := o.reaches(b, a, always); found {
		return Ordering{Relation: Unordered, Why: fmt.Sprintf("%s depends on %s, which orders only their installation, not later changes",
			b, a), Location: location}
	}
	if location, found := o.reaches(a, b, always); found {
		return Ordering{Relation: After, Why: fmt.Sprintf("%s depends on %s", a, b), Location: location}
	}
	return Ordering{Relation: Unordered, Why: fmt.Sprintf("neither %s nor %s depends on the other", a, b)}
}

// waits reports whether an application waits for changes of its dependency.
func waits(from *gitops.Application, needs gitops.Dependency, on *gitops.Application) bool {
	return from.Tool == gitops.FluxKustomize && needs.Expression.Value == "" && from.Sources[0].Reference == on.Sources[0].Reference
}

// reaches reports whether an application depends on another one, directly or not, by dependencies for which counts is true.
// at is the dependency.
func (o *Order) reaches(from, to *gitops.Application, counts func(*gitops.Application, gitops.Dependency, *gitops.Application) bool) (at view.Location, found bool) {
	type step struct {
		app *gitops.Application
		at  view.Location
	}
	seen := map[*gitops.Application]bool{from: true}
	index := o.flux()
	for queue := []step{{app: from}}; len(queue) > 0; queue = queue[1:] {
		last := queue[0]
		for _, needs := range last.app.DependsOn {
			next := index.find(last.app, needs)
			if next == nil || seen[next] || !counts(last.app, needs, next) {
				continue
			}
			seen[next] = true
			first := last.at
			if first.Object == nil {
				first = needs.Name.Location
			}
			if next == to {
				return first, true
			}
			queue = append(queue, step{next, first})
		}
	}
	return view.Location{}, false
}

// acrossArgo compares two Applications of the same parent. Their waves order their creation. Afterwards each syncs
// independently, unless the health of Applications counts: then the parent waits for those of earlier waves.
func (o *Order) acrossArgo(grant, extension Member) Ordering {
	a, b := grant.Application, extension.Application
	parentA, parentB := o.parent(a), o.parent(b)
	switch {
	case parentB == a && a != nil:
		return o.above(grant, b)
	case a.Object == b.Object:
		if a.Stepped.Value {
			return Ordering{Relation: Unordered, Why: "the ApplicationSet syncs its Applications in steps, which depend on their labels in the cluster", Location: a.Stepped.Location}
		}
		return Ordering{Relation: Unordered, Why: "an ApplicationSet generates both Applications, which sync independently"}
	case parentA == nil || parentA != parentB:
		return Ordering{Relation: Unordered, Why: fmt.Sprintf("%s and %s sync independently", a, b)}
	}
	first, second := waveOf(a), waveOf(b)
	waves := fmt.Sprintf("%s has wave %d, and %s wave %d", a, first, b, second)
	switch {
	case first > second:
		return Ordering{Relation: After, Why: waves, Location: a.Wave.Location}
	case first < second && o.result.AssessesApplications():
		return Ordering{Relation: Before, Why: waves, Location: a.Wave.Location}
	case first < second:
		return Ordering{Relation: Unordered, Why: waves + ", but a sync does not wait for Applications without a health check for them in argocd-cm", Location: a.Wave.Location}
	}
	return Ordering{Relation: Unordered, Why: waves + ": they sync at the same time", Location: a.Wave.Location}
}

// above compares a grant with an Application that the grant's own Application applies.
func (o *Order) above(grant Member, child *gitops.Application) Ordering {
	first, applied := argoStep(grant.Annotations)
	second := syncStep{phase: 1, wave: waveOf(child)}
	steps := fmt.Sprintf("the grant has %s, and %s, which applies the extension, wave %d",
		orderingAnnotations(grant.Annotations, argoKeys), child, second.wave)
	by := decidingAnnotation(grant.Annotations, argoKeys, applied && first.phase == second.phase)
	switch {
	case !applied:
		return Ordering{Relation: Never, Why: notApplied + orderingAnnotations(grant.Annotations, argoKeys), Annotation: by}
	case first.compare(second) > 0:
		return Ordering{Relation: After, Why: steps, Annotation: by}
	}
	return Ordering{Relation: Unordered, Why: steps + ": this orders only their creation, because they sync independently afterwards"}
}

func waveOf(a *gitops.Application) int {
	return argoWave(map[string]string{gitops.AnnotationWave: a.Wave.Value})
}

// parent returns the Application that applies an Application: the one whose source is the deepest folder that contains its
// file. It is nil if there is none, or several.
func (o *Order) parent(child *gitops.Application) *gitops.Application {
	folders := o.folders()
	for dir := path.Dir(child.Object.File); ; dir = path.Dir(dir) {
		if found := folders[dir]; len(found) > 0 {
			if len(found) > 1 || found[0] == child {
				return nil
			}
			return found[0]
		}
		if dir == "." || dir == "/" {
			return nil
		}
	}
}

// byFolder returns the Applications of Argo CD by the folders that they apply.
func byFolder(result *gitops.Result) map[string][]*gitops.Application {
	found := map[string][]*gitops.Application{}
	for _, a := range result.Applications {
		for _, s := range a.Sources {
			if a.Tool == gitops.ArgoCD && s.Here() && s.Kind != sources.Chart {
				found[s.Path.Value] = append(found[s.Path.Value], a)
			}
		}
	}
	return found
}

// FollowsOn reports whether an application follows another one on the same cluster: a Kustomization or HelmRelease of Flux
// depends on it, directly or not, or both are Applications of one parent, for one cluster, and the other one has an earlier
// sync wave. Their objects then exist together, although an older revision of one may be there for a while.
func (o *Order) FollowsOn(later, earlier *gitops.Application) bool {
	if later == nil || earlier == nil || later == earlier || later.Tool != earlier.Tool {
		return false
	}
	if later.Tool == gitops.ArgoCD {
		parent := o.parent(later)
		return later.Object != earlier.Object && parent != nil && parent == o.parent(earlier) && waveOf(earlier) < waveOf(later)
	}
	always := func(*gitops.Application, gitops.Dependency, *gitops.Application) bool { return true }
	_, found := o.reaches(later, earlier, always)
	return found
}
