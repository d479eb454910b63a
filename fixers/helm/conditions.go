package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// condition is an if around a binding. Without it, the account does not have the grant, and the new identity must not get it.
type condition struct {
	file  *source.File
	guard source.Guard
	// asWritten is set if the condition has the dot of the name.
	asWritten bool
	// each is set if it is a range, which writes the binding for each element.
	each bool
}

func (c condition) key() string { return c.file.Name + c.file.Slice(c.guard.Span) }

// conditionsOf returns the ifs around a binding of the chart, and around its subject, that are not around the name of the
// extension. They are written so that they have the same meaning there.
func conditionsOf(c *engine.Context, m *renderedExtension, b rbac.Binding, name templateValue) ([]condition, error) {
	if b.Object.InFile() {
		return nil, nil
	}
	var all []condition
	for _, path := range []manifest.Path{{"roleRef", "name"}, subjects.Path(b.SubjectIndex).Join("name")} {
		w, err := valueOf(c, m.unit, b.Object, path)
		if err != nil {
			return nil, err
		}
		found, err := w.conditionsAt(name)
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			if !slices.ContainsFunc(all, func(other condition) bool { return other.key() == one.key() }) {
				all = append(all, one)
			}
		}
	}
	return all, nil
}

// conditionsAt returns the conditions around a value, for the place that writes the name of an extension: the ifs, and the
// conditions that each with implies.
func (v templateValue) conditionsAt(name templateValue) ([]condition, error) {
	from, to := v.scalar.Origin, name.scalar.Origin
	if !v.inChartOf(name) || !sameTop(from, to) {
		return nil, v.refuseElsewhere()
	}
	scopes := []source.Scope{from.Scope}
	if !sameCalls(from, to) {
		for _, call := range from.Calls {
			scopes = append(scopes, call.Scope)
		}
	}
	var all []condition
	for _, scope := range slices.Backward(scopes) {
		for _, guard := range withoutDefine(scope.Guards) {
			if isAround(guard, scope, to) {
				continue
			}
			moved, ok := conditionFor(guard, scope, from, name)
			each, isInRange := rangeIn(all)
			switch {
			case isInRange:
				moved, ok = conditionInRange(guard, scope, each)
			case guard.Word == "range":
				moved, ok = rangeFor(guard, scope, from, name)
			}
			if !ok {
				return nil, v.refuseBlock(guard)
			}
			all = append(all, moved)
		}
	}
	return all, nil
}

// refuseBlock refuses a value in a block which cannot be evaluated where the extension is written.
func (v templateValue) refuseBlock(guard source.Guard) error {
	if !v.isLiteral() {
		return v.refuseElsewhere()
	}
	at := v.scalar
	line, column := at.Scope.File.Position(at.Span.Start)
	return engine.Refuse("%s at %s:%d:%d depends on the %s at line %d, which cannot be evaluated where the "+
		"template writes the extension: %s", at.Text, at.Source.File, line, column, guard.Word, guard.Line, bindByHand)
}

// isAround reports whether a block, or one with the same condition, is also around a place with the same dot. A range is
// equal only to another range, because it writes its content for each element.
func isAround(guard source.Guard, of source.Scope, place block.Origin) bool {
	asked, plain := pipeline(guard)
	return slices.ContainsFunc(place.Scope.Guards, func(other source.Guard) bool {
		if place.Scope.File.Name == of.File.Name && other.Span == guard.Span {
			return slices.Equal(other.Opening, guard.Opening)
		}
		again, alsoPlain := pipeline(other)
		return plain && alsoPlain && asked == again && (guard.Word != "range" || other.Word == "range") &&
			sameBlocks(dotBlocksAround(guard, of), dotBlocksAround(other, place.Scope), of.File.Name == place.Scope.File.Name)
	})
}

// dotBlocksAround returns the blocks around another block that change the dot.
func dotBlocksAround(guard source.Guard, of source.Scope) []source.Guard {
	blocks := dotBlocks(of)
	if i := slices.IndexFunc(blocks, func(b source.Guard) bool { return b.Span.Start >= guard.Span.Start }); i >= 0 {
		return blocks[:i]
	}
	return blocks
}

// pipeline returns the condition of a block. It is plain if it is in the first arm of the block and names no variable except
// for $.
func pipeline(g source.Guard) (text string, plain bool) {
	text = strings.TrimSpace(strings.TrimPrefix(source.Inner(g.Opening[0]), g.Word))
	if _, value, declares := strings.Cut(text, ":="); declares {
		text = strings.TrimSpace(value)
	}
	return text, len(g.Opening) == 1 && len(source.Variables(text)) == 0
}

// conditionFor writes a block as a condition for the place of a name. The dot around the block must be the dot of the name,
// or $ there.
func conditionFor(guard source.Guard, of source.Scope, from block.Origin, name templateValue) (condition, bool) {
	to := name.scalar.Origin
	around := dotBlocksAround(guard, of)
	c := condition{file: of.File, guard: source.Guard{Word: "if", Span: guard.Span, Line: guard.Line, Opening: slices.Clone(guard.Opening)}}
	c.asWritten = sameDotAround(around, of, from, to)
	if guard.Word == "range" || guard.Word != "if" && len(guard.Opening) > 1 || !c.asWritten && len(around) > 0 {
		return c, false
	}
	for i, action := range guard.Opening {
		if guard.Word != "if" {
			action = strings.Replace(action, guard.Word, "if", 1)
		}
		if len(around) == len(dotBlocks(of)) {
			action = ownVariables(action, of, name.scalar.Scope)
		}
		for _, variable := range source.Variables(action) {
			if !sameVariable(variable, of, name.scalar.Scope) {
				return c, false
			}
		}
		if !c.asWritten {
			moved, ok := withDot(action, "$")
			if !ok {
				return c, false
			}
			action = moved
		}
		c.guard.Opening[i] = action
	}
	return c, true
}

// sameDotAround reports whether the dot in some blocks of a scope is the dot of a place.
func sameDotAround(around []source.Guard, of source.Scope, from, place block.Origin) bool {
	if len(around) == 0 && dollarIsRoot(from) && dotIsRoot(place) {
		return true
	}
	return of.File.Name == from.Scope.File.Name && of.Define() == from.Scope.Define() &&
		sameCalls(from, place) && of.Define() == place.Scope.Define() &&
		sameBlocks(around, dotBlocks(place.Scope), of.File.Name == place.Scope.File.Name)
}

// conditionsBeyond returns the conditions that are not implied by some blocks around the name.
func conditionsBeyond(conditions []condition, blocks []source.Guard) []condition {
	return slices.DeleteFunc(slices.Clone(conditions), func(c condition) bool {
		asked, plain := pipeline(c.guard)
		for _, around := range blocks {
			again, alsoPlain := pipeline(around)
			if c.asWritten && !c.each && plain && alsoPlain && asked == again {
				return true
			}
			if around.Word != "if" {
				return false // what follows has another dot
			}
		}
		return false
	})
}

// wrapInConditions puts conditions around a text.
func wrapInConditions(conditions []condition, text string) (string, error) {
	for _, c := range slices.Backward(conditions) {
		wrapped, err := source.Scope{File: c.file, Guards: []source.Guard{c.guard}}.Wrap(text)
		if err != nil {
			return "", err
		}
		text = wrapped
	}
	return text, nil
}
