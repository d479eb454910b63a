package helm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

const bindByHand = "write the bindings into the chart by hand, or set --grant role=NAME"

// bindingTemplate is a template with bindings for all extensions whose names one place in a chart writes.
type bindingTemplate struct {
	name    templateValue
	members []*renderedExtension
	// grants are the grants of each of these extensions, in the words of the template.
	grants      []grantValue
	annotations map[string]templateValue
	migrations  []identity.Migration
}

// grantValue is a grant with its names as templates write them.
type grantValue struct {
	kind        string
	role, scope templateValue
	conditions  []condition
	// grants are the grants of the members, in their order: one for each element of a range around it, otherwise one.
	grants [][]rbac.Grant
}

func (g grantValue) key() string {
	parts := []string{g.kind, g.role.key, g.scope.key}
	for _, c := range g.conditions {
		parts = append(parts, c.key())
	}
	return strings.Join(parts, "\x00")
}

// bindingTemplateFor returns the template for an extension: one of those that exist, or a new one.
func bindingTemplateFor(c *engine.Context, templates *[]*bindingTemplate, m *renderedExtension) (*bindingTemplate, error) {
	name, err := valueOf(c, m.unit, m.Object, manifest.Path{"metadata", "name"})
	if err != nil {
		return nil, err
	}
	for _, s := range *templates {
		if s.name.key == name.key {
			return s, nil
		}
	}
	if err := checkNameBlocks(c, m, name); err != nil {
		return nil, err
	}
	s := &bindingTemplate{name: name}
	*templates = append(*templates, s)
	return s, nil
}

// addMember adds an extension. Its grants and annotations must be written like those of the others.
func (t *bindingTemplate) addMember(c *engine.Context, m *renderedExtension, h identity.Migration) error {
	grants, err := grantValues(c, m, h, t.name)
	if err != nil {
		return err
	}
	annotations, err := annotationValues(c, m, t.name)
	if err != nil {
		return err
	}
	if len(t.members) == 0 {
		t.grants, t.annotations = grants, annotations
	} else if err := t.checkAlike(m, grants, annotations); err != nil {
		return err
	}
	t.members, t.migrations = append(t.members, m), append(t.migrations, h)
	return nil
}

func (t *bindingTemplate) checkAlike(m *renderedExtension, grants []grantValue, annotations map[string]templateValue) error {
	first := t.members[0]
	for i := range t.grants {
		if len(grants) != len(t.grants) || grants[i].key() != t.grants[i].key() {
			return engine.Refuse("one template renders %s for %s and %s for %s, but the bindings that they need are written "+
				"differently (%s, and %s): %s",
				engine.NameOf(first.Object), first.unit, engine.NameOf(m.Object), m.unit, grantValuesText(t.grants), grantValuesText(grants), bindByHand)
		}
		t.grants[i].grants = append(t.grants[i].grants, grants[i].grants...)
	}
	if len(t.grants) == 0 && len(grants) > 0 {
		return engine.Refuse("one template renders %s for %s, which needs no binding, and %s for %s, which needs %s: %s",
			engine.NameOf(first.Object), first.unit, engine.NameOf(m.Object), m.unit, grantValuesText(grants), bindByHand)
	}
	for _, key := range generate.OrderKeys {
		if annotations[key].key != t.annotations[key].key {
			return engine.Refuse("the annotation %s of %s is written differently from that of %s, so the annotations of the "+
				"bindings are uncertain: %s",
				key, engine.NameOf(m.Object), engine.NameOf(first.Object), bindByHand)
		}
	}
	return nil
}

func grantValuesText(grants []grantValue) string {
	var names []string
	for _, g := range grants {
		if each, isRange := rangeIn(g.conditions); isRange {
			names = append(names, fmt.Sprintf("%s of each element of the range at line %d", g.kind, each.guard.Line))
			continue
		}
		names = append(names, g.kind+" "+g.role.text)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// grantValues returns how the missing grants are written, sorted.
func grantValues(c *engine.Context, m *renderedExtension, h identity.Migration, name templateValue) ([]grantValue, error) {
	held := identity.GrantsOf(m.unit, m.Variant, h.From)
	var all []grantValue
	for _, g := range h.Missing {
		w := grantValue{kind: g.Role.Kind, role: literal(g.Role.Name), grants: [][]rbac.Grant{{g}}}
		if g.Scope != "" {
			w.scope = literal(g.Scope)
		}
		if held.Has(g) {
			if err := fromBinding(c, m, &w, held.BindingOf(g), name); err != nil {
				return nil, err
			}
		}
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b grantValue) int { return strings.Compare(a.key(), b.key()) })
	return mergeElements(all), nil
}

// fromBinding writes a grant like the binding by which the account has it.
func fromBinding(c *engine.Context, m *renderedExtension, w *grantValue, b rbac.Binding, name templateValue) (err error) {
	if err := checkBinding(c, m, b, name); err != nil {
		return err
	}
	if w.role, err = valueOf(c, m.unit, b.Object, manifest.Path{"roleRef", "name"}); err != nil {
		return err
	}
	if w.conditions, err = conditionsOf(c, m, b, name); err != nil {
		return err
	}
	w.role = w.role.placeFree()
	if w.scope.text != "" {
		if w.scope, err = valueOf(c, m.unit, b.Object, manifest.Path{"metadata", "namespace"}); err != nil {
			return err
		}
		w.scope = w.scope.placeFree()
	}
	each, isRange := rangeIn(w.conditions)
	if !isRange {
		return nil
	}
	if w.role, err = w.role.ofElement(each); err != nil {
		return err
	}
	if w.scope, err = w.scope.ofElement(each); err != nil {
		return err
	}
	return checkDistinct(c, m, *w, b.Object, each)
}

// annotationValues returns how the annotations are written by which Helm and Argo CD order what they apply.
func annotationValues(c *engine.Context, m *renderedExtension, name templateValue) (map[string]templateValue, error) {
	all := map[string]templateValue{}
	there := generate.OrderAnnotations(m.Object)
	for _, key := range generate.OrderKeys {
		if _, ok := there[key]; !ok {
			continue
		}
		w, err := valueOf(c, m.unit, m.Object, manifest.Path{"metadata", "annotations", key})
		if err != nil {
			return nil, err
		}
		conditions, err := w.conditionsAt(name)
		if err == nil && len(conditions) > 0 {
			err = w.refuseElsewhere()
		}
		if err == nil {
			w, err = w.at(name)
		}
		if err != nil {
			return nil, err
		}
		all[key] = w
	}
	return all, nil
}

// bindings returns the bindings that the unit of a member renders after the fix, by the written grant.
func (t *bindingTemplate) bindings(c *engine.Context, i int, unique bool) ([][]identity.Generated, error) {
	var all [][]identity.Generated
	for _, w := range t.grants {
		bindings, err := t.bindingsOf(c, i, w, unique)
		if err != nil {
			return nil, err
		}
		all = append(all, bindings)
	}
	return all, nil
}

// bindingsOf returns the bindings for one written grant.
func (t *bindingTemplate) bindingsOf(c *engine.Context, i int, w grantValue, unique bool) ([]identity.Generated, error) {
	m := t.members[i]
	var bindings []identity.Generated
	for _, g := range w.grants[i] {
		b := identity.NewBinding(m.Variant, g, identity.Grantee(c, t.migrations[i]))
		b.Metadata.Name = olm.BindingName(m.Name, g.Role.Name)
		if unique {
			b.Metadata.Name = uniqueName(m, g, b)
		}
		if plain := olm.BindingName(m.Name, g.Role.Name) == olm.PlainBindingName(m.Name, g.Role.Name); !plain && !t.isLiteral(w) {
			return nil, engine.Refuse("the binding of %s to %s would have the name %s, which a template cannot compute: %s",
				engine.NameOf(m.Object), engine.GrantName(g), b.Metadata.Name, bindByHand)
		}
		bindings = append(bindings, b)
	}
	return bindings, nil
}

// isLiteral reports whether the name of a binding is known without rendering.
func (t *bindingTemplate) isLiteral(w grantValue) bool {
	return t.name.isLiteral() && w.role.isLiteral()
}

func uniqueName(m *renderedExtension, g rbac.Grant, b identity.Generated) string {
	to := b.Subjects[0]
	return olm.UniqueBindingName(m.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
}
