package prune

import (
	"slices"

	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// removedSet is what is removed if all remaining candidates are. Objects are identified by the references of their manifests.
type removedSet struct {
	objects  map[string][]*candidate         // the candidates that an object is removed with; nil for roles
	subjects map[string]map[int][]*candidate // by binding
	bound    map[boundForm]bool              // the subjects of bindings, as units apply them
	patches  []*danglingPatch
	// forms are the removed objects as units apply them, and documents the parts of templates that render some of them.
	forms     map[*objects.Object]bool
	documents []*helm.TemplateDocument
	// items are the lines of templates that write removed subjects of bindings that stay.
	items []helm.ItemLines
}

// boundForm is a subject of a binding as a unit applies it.
type boundForm struct {
	binding *objects.Object
	index   int
}

func (r removedSet) object(ref string) bool { _, gone := r.objects[ref]; return gone }

func (r removedSet) subject(ref string, path manifest.Path) ([]*candidate, bool) {
	by, gone := r.subjects[ref][subjects.Index(path)]
	return by, gone
}

// removedTogether returns what is removed together with the remaining candidates and roles.
func (p *Pruner) removedTogether() removedSet {
	gone := removedSet{objects: map[string][]*candidate{}, subjects: map[string]map[int][]*candidate{}, bound: map[boundForm]bool{}, forms: map[*objects.Object]bool{}}
	bindings := map[string]*objects.Object{}
	for _, cand := range p.candidates {
		if cand.refusal != nil {
			continue
		}
		gone.objects[refOf(p.c, cand.object)] = []*candidate{cand}
		gone.addForms(p.c, cand.object)
		for _, o := range cand.secrets {
			gone.objects[refOf(p.c, o)] = []*candidate{cand}
			gone.addForms(p.c, o)
		}
		for _, s := range cand.subjects {
			ref := refOf(p.c, s.Object)
			bindings[ref] = s.Object
			if gone.subjects[ref] == nil {
				gone.subjects[ref] = map[int][]*candidate{}
			}
			gone.subjects[ref][s.SubjectIndex] = append(gone.subjects[ref][s.SubjectIndex], cand)
			gone.bound[boundForm{s.Object, s.SubjectIndex}] = true
		}
	}
	for ref, binding := range bindings {
		whole := len(gone.subjects[ref]) == subjects.Count(binding)
		if isRendered(binding) {
			whole = gone.losesAllSubjects(p.c, binding)
		}
		if !whole && isRendered(binding) {
			gone.addItems(p.c, binding)
		}
		if whole {
			gone.addForms(p.c, binding)
			for _, by := range gone.subjects[ref] {
				gone.objects[ref] = append(gone.objects[ref], by...)
			}
		}
	}
	for _, role := range p.roles {
		if _, kept := p.keptRoles[role]; !kept {
			gone.objects[refOf(p.c, role)] = p.roleOf[role]
			gone.addForms(p.c, role)
		}
	}
	gone.patches = p.danglingPatches(gone)
	return gone
}

// firstForm returns the form of an object that stands for all of them.
func (p *Pruner) firstForm(o *objects.Object) *objects.Object {
	if forms := formsOfManifest(p.c, o); len(forms) > 0 {
		return forms[0].Object
	}
	return o
}

// formsOf returns the forms of an object that differ in name or namespace; the object alone if no unit applies it.
func (p *Pruner) formsOf(o *objects.Object) []*objects.Object {
	forms := []*objects.Object{o}
	for _, form := range formsOfManifest(p.c, o) {
		same := func(other *objects.Object) bool {
			return other.Name == form.Object.Name && other.Namespace == form.Object.Namespace
		}
		if !slices.ContainsFunc(forms, same) {
			forms = append(forms, form.Object)
		}
	}
	return forms
}
