package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// A range around the bindings of an account writes one for each element of a list. The bindings of the new identity are then
// written in a range over the same list, and so are the same with all values.

// rangeFor writes a range for the place of a name. The dot around the range must be the dot of the name, or $ there.
func rangeFor(guard source.Guard, of source.Scope, from block.Origin, name templateValue) (condition, bool) {
	c := condition{file: of.File, guard: guard, each: true}
	around := dotBlocksAround(guard, of)
	same := sameDotAround(around, of, from, name.scalar.Origin)
	if len(guard.Opening) > 1 || len(from.Calls) > 0 || !same && len(around) > 0 {
		return c, false
	}
	text := source.Inner(guard.Opening[0])
	declared, list, declares := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, guard.Word)), ":=")
	if !declares {
		declared, list = "", declared
	}
	for _, variable := range source.Variables(list) {
		if !sameVariable(variable, of, name.scalar.Scope) {
			return c, false
		}
	}
	if !same {
		list = replaceDot(list, "$")
	}
	if declares {
		list = declared + ":=" + list
	}
	c.guard.Opening = []string{"{{- range " + strings.TrimSpace(list) + " }}"}
	return c, true
}

// rangeIn returns the range among some conditions.
func rangeIn(conditions []condition) (condition, bool) {
	i := slices.IndexFunc(conditions, func(c condition) bool { return c.each })
	if i < 0 {
		return condition{}, false
	}
	return conditions[i], true
}

// conditionInRange returns an if directly in a range that is written again: it has the same meaning in that. ok is false for
// other blocks.
func conditionInRange(guard source.Guard, of source.Scope, each condition) (c condition, ok bool) {
	around := dotBlocksAround(guard, of)
	isInside := len(around) > 0 && around[len(around)-1].Span == each.guard.Span
	if guard.Word != "if" || !isInside || !each.knows(strings.Join(guard.Opening, "")) {
		return c, false
	}
	return condition{file: of.File, guard: guard}, true
}

// knows reports whether all variables of a text are those of the range.
func (c condition) knows(text string) bool {
	declared, _, _ := strings.Cut(c.guard.Opening[0], ":=")
	own := source.Variables(declared)
	return !slices.ContainsFunc(source.Variables(text), func(name string) bool { return !slices.Contains(own, name) })
}

// ofElement returns a value for the inside of a range that is written again, where it is written in the same words.
func (v templateValue) ofElement(each condition) (templateValue, error) {
	if v.isLiteral() || v.text == "" {
		return v, nil
	}
	blocks := dotBlocks(v.scalar.Scope)
	isInside := len(blocks) > 0 && blocks[len(blocks)-1].Span == each.guard.Span && v.scalar.Scope.File.Name == each.file.Name
	if !isInside || len(v.scalar.Calls) > 0 || !each.knows(v.text) {
		return v, v.refuseElsewhere()
	}
	v.inElement = true
	return v, nil
}

// outsideElement writes a text with the dot of the name for the inside of the range around a grant.
func (t *bindingTemplate) outsideElement(g grantValue, text string) (string, error) {
	each, found := rangeIn(g.conditions)
	if !found || !strings.Contains(text, "{{") {
		return text, nil
	}
	declared, _, declares := strings.Cut(each.guard.Opening[0], ":=")
	own := source.Variables(declared)
	isHidden := declares && slices.ContainsFunc(source.Variables(text), func(name string) bool { return slices.Contains(own, name) })
	moved, ok := withDot(text, t.dotOutside())
	if !ok || isHidden {
		return "", engine.Refuse("%s has another meaning in the range at line %d, which writes the bindings: %s", text, each.guard.Line, bindByHand)
	}
	return moved, nil
}

// dotOutside returns the name of the dot of the place where the extension is written, for the inside of a range.
func (t *bindingTemplate) dotOutside() string {
	if t.name.isLiteral() || dotIsRoot(t.name.scalar.Origin) {
		return "$"
	}
	return extensionVariable
}

// mergeElements merges the grants that one place in a range writes.
func mergeElements(all []grantValue) []grantValue {
	var merged []grantValue
	for _, g := range all {
		last := len(merged) - 1
		if _, isRange := rangeIn(g.conditions); isRange && last >= 0 && merged[last].key() == g.key() {
			merged[last].grants[0] = append(merged[last].grants[0], g.grants[0]...)
			continue
		}
		merged = append(merged, g)
	}
	return merged
}

var actionText = lazyregexp.New(`\{\{-?\s*(.*?)\s*-?\}\}`)

// checkDistinct refuses bindings in a range whose names show that two elements can have one role and scope: the new bindings
// are named after these, and would have one name.
func checkDistinct(c *engine.Context, m *renderedExtension, w grantValue, b *objects.Object, each condition) error {
	name, err := valueOf(c, m.unit, b, manifest.Path{"metadata", "name"})
	if err != nil {
		return err
	}
	var known []string
	for _, found := range actionText().FindAllStringSubmatch(w.role.text+w.scope.text, -1) {
		known = append(known, found[1])
	}
	declared, _, _ := strings.Cut(each.guard.Opening[0], ":=")
	own := source.Variables(declared)
	for _, found := range actionText().FindAllStringSubmatch(name.text, -1) {
		isConstant := isDotFree(found[0]) && !slices.ContainsFunc(source.Variables(found[1]), func(v string) bool { return slices.Contains(own, v) })
		if !isConstant && !slices.Contains(known, found[1]) {
			return engine.Refuse("%s at %s is named after each element of a range, and two elements may have one role, so their new "+
				"bindings would have one name: %s", engine.NameOf(b), name.place(), bindByHand)
		}
	}
	return nil
}
