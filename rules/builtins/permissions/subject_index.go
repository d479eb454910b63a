package permissions

import (
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/values"
)

// subjectIndex finds the bindings of all units by the names of their subjects, as written: valid or not.
type subjectIndex struct {
	byName map[string][]*objects.Object
	// templated are those with a template in the name of a subject, misspelled those with a subject that was meant for a
	// synthetic identity, by the name of this identity.
	templated  []*objects.Object
	misspelled map[string][]*objects.Object
}

type subjectIndexKey struct{}

// bindingsBySubject returns the index, which is created once.
func bindingsBySubject(s *evalcontext.Evaluation) *subjectIndex {
	return s.Cached(subjectIndexKey{}, func() any {
		index := &subjectIndex{byName: map[string][]*objects.Object{}, misspelled: map[string][]*objects.Object{}}
		group := rbac.Group
		var all []*objects.Object
		for _, unit := range objects.Answering(s.Units) {
			for _, kind := range define.BindingKinds {
				all = append(all, unit.Find(objects.Query{Kind: kind, Group: &group})...)
			}
		}
		for _, binding := range objects.SortedOnce(all) {
			index.add(binding)
		}
		return index
	}).(*subjectIndex)
}

func (x *subjectIndex) add(binding *objects.Object) {
	templated := false
	for _, subject := range binding.Node.Lookup(manifest.Path{"subjects"}).Items() {
		kind, name := subject.Lookup(manifest.Path{"kind"}).String(), subject.Lookup(manifest.Path{"name"}).String()
		x.byName[name] = appendOnce(x.byName[name], binding)
		templated = templated || fieldquery.IsTemplated(name)
		if _, meant, _, ok := olm.Mistyped(kind, name); ok {
			x.misspelled[meant] = appendOnce(x.misspelled[meant], binding)
		}
	}
	if templated {
		x.templated = append(x.templated, binding)
	}
}

// appendOnce appends a binding unless it is the last of the list: one binding can name an identity twice.
func appendOnce(list []*objects.Object, binding *objects.Object) []*objects.Object {
	if len(list) > 0 && list[len(list)-1] == binding {
		return list
	}
	return append(list, binding)
}

func bindingsNaming(s *evalcontext.Evaluation, name string) (ast.Value, error) {
	return values.Array(bindingsBySubject(s).byName[name], func(o *objects.Object) ast.Value {
		here := s.Unit.Object(o.Ref())
		return ast.NewObject(
			values.Field("ref", ast.String(o.Ref())), values.Field("resource", s.Values.Of(o)), values.Field("other_form", ast.Boolean(here != nil && here != o)),
		)
	}), nil
}

func misspelledBindings(s *evalcontext.Evaluation, name string) (ast.Value, error) {
	index := bindingsBySubject(s)
	found := slices.Clone(index.misspelled[name])
	for _, meant := range slices.Sorted(maps.Keys(index.misspelled)) {
		if meant == name || rbac.AppliedUser(s.Unit, meant) != name {
			continue
		}
		for _, binding := range index.misspelled[meant] {
			if s.Unit.Object(binding.Ref()) == binding {
				found = appendOnce(found, binding)
			}
		}
	}
	for _, binding := range index.misspelled[""] { // the extensions of the unit show what is meant
		for _, subject := range binding.Node.Lookup(manifest.Path{"subjects"}).Items() {
			if s.Unit.Object(binding.Ref()) == binding && rbac.MeantIdentity(s.Unit, subject.Get("kind").String(), subject.Get("name").String()) == name {
				found = appendOnce(found, binding)
			}
		}
	}
	return s.Found(found), nil
}

func templatedBindings(s *evalcontext.Evaluation, _ []*ast.Term) (ast.Value, error) {
	return s.Found(bindingsBySubject(s).templated), nil
}
