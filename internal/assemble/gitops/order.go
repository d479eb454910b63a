package gitops

import (
	"cmp"
	"fmt"
	"path"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// Relation is when one object is applied relative to another one.
type Relation string

// The results of Order.
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
	Application *Application
	Annotations map[string]string
	// Called is what reasons call the object; "" is a grant or an extension.
	Called string
}

// Order returns whether a grant is applied before an extension that needs it.
func (r *Result) Order(grant, extension Member) Ordering {
	a, b := grant.Application, extension.Application
	switch {
	case a == nil || b == nil:
		return Ordering{Relation: Unordered, Why: "the repository does not define which application applies them"}
	case a == b:
		return within(grant, extension)
	case a.Tool != b.Tool:
		return Ordering{Relation: Unordered, Why: fmt.Sprintf("%s and %s apply them independently of each other", a, b)}
	case a.Tool == ArgoCD:
		return r.acrossArgo(grant, extension)
	}
	return r.acrossFlux(a, b)
}

// String returns the name of an application in messages.
func (a *Application) String() string {
	if a.Tool == ArgoCD {
		return "the Application " + a.Name.Value
	}
	return "the " + string(a.Tool) + " " + a.Name.Value
}

// notApplied begins the reason for Never.
const notApplied = "a successful sync does not apply a hook of this kind: "

// within compares two objects of one application.
func within(grant, extension Member) Ordering {
	rankOf, keys := argoStep, argoKeys
	switch grant.Application.Tool {
	case FluxKustomize:
		return Ordering{Relation: Before, Why: "Flux applies both together, RBAC objects first"}
	case FluxHelm:
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
func (r *Result) acrossFlux(a, b *Application) Ordering {
	if location, found := r.reaches(b, a, waits); found {
		return Ordering{Relation: Before, Why: fmt.Sprintf("%s depends on %s", b, a), Location: location}
	}
	always := func(*Application, Dependency, *Application) bool { return true }
	if location, found := r.reaches(b, a, always); found {
		return Ordering{Relation: Unordered, Why: fmt.Sprintf("%s depends on %s, which orders only their installation, not later changes",
			b, a), Location: location}
	}
	if location, found := r.reaches(a, b, always); found {
		return Ordering{Relation: After, Why: fmt.Sprintf("%s depends on %s", a, b), Location: location}
	}
	return Ordering{Relation: Unordered, Why: fmt.Sprintf("neither %s nor %s depends on the other", a, b)}
}

// waits reports whether an application waits for changes of its dependency.
func waits(from *Application, needs Dependency, on *Application) bool {
	return from.Tool == FluxKustomize && needs.Expression.Value == "" && from.Sources[0].Reference == on.Sources[0].Reference
}

// reaches reports whether an application depends on another one, directly or not, by dependencies for which counts is true.
// at is the dependency.
func (r *Result) reaches(from, to *Application, counts func(*Application, Dependency, *Application) bool) (at view.Location, found bool) {
	type step struct {
		app *Application
		at  view.Location
	}
	seen := map[*Application]bool{from: true}
	index := r.flux.get(r.fluxIndex)
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
func (r *Result) acrossArgo(grant, extension Member) Ordering {
	a, b := grant.Application, extension.Application
	parentA, parentB := r.parent(a), r.parent(b)
	switch {
	case parentB == a && a != nil:
		return r.above(grant, b)
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
	case first < second && r.settings.assessesApplications:
		return Ordering{Relation: Before, Why: waves, Location: a.Wave.Location}
	case first < second:
		return Ordering{Relation: Unordered, Why: waves + ", but a sync does not wait for Applications without a health check for them in argocd-cm", Location: a.Wave.Location}
	}
	return Ordering{Relation: Unordered, Why: waves + ": they sync at the same time", Location: a.Wave.Location}
}

// above compares a grant with an Application that the grant's own Application applies.
func (r *Result) above(grant Member, child *Application) Ordering {
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

func waveOf(a *Application) int {
	return argoWave(map[string]string{annotationWave: a.Wave.Value})
}

// parent returns the Application that applies an Application: the one whose source is the deepest folder that contains its
// file. It is nil if there is none, or several.
func (r *Result) parent(child *Application) *Application {
	folders := r.folders.get(func() map[string][]*Application {
		byFolder := map[string][]*Application{}
		for _, a := range r.Applications {
			for _, s := range a.Sources {
				if a.Tool == ArgoCD && s.Here() && s.Kind != Chart {
					byFolder[s.Path.Value] = append(byFolder[s.Path.Value], a)
				}
			}
		}
		return byFolder
	})
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
