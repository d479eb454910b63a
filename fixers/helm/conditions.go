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

// condition is an if around a binding: without it the account does not hold what is bound, and neither may who takes over.
type condition struct {
	file  *source.File
	guard source.Guard
	// asWritten tells that it has the dot of the name.
	asWritten bool
}

func (c condition) key() string { return c.file.Name + c.file.Slice(c.guard.Span) }

// conditionsOf are the ifs around a binding of the chart, and around the subject by which it binds the account, that are
// not around the extension's name already. They are written so that they mean the same there.
func conditionsOf(c *engine.Context, m *renderedExtension, b rbac.Binding, name templateValue) ([]condition, error) {
	if b.Object.InFile() {
		return nil, nil
	}
	var all []condition
	for _, path := range []manifest.Path{{"roleRef", "name"}, subjects.SubjectPath(b.SubjectIndex).Join("name")} {
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

// conditionsAt are the conditions around a value, for the place that writes an extension's name: the ifs, and what each with
// asks for besides.
func (w templateValue) conditionsAt(name templateValue) ([]condition, error) {
	from, to := w.scalar.Origin, name.scalar.Origin
	if w.chart != name.chart || !sameTop(from, to) {
		return nil, w.refuseElsewhere()
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
			if !ok {
				return nil, w.refuseBlock(guard)
			}
			all = append(all, moved)
		}
	}
	return all, nil
}

// refuseBlock says that it cannot be told where the extension is written whether a block writes a value.
func (w templateValue) refuseBlock(guard source.Guard) error {
	if !w.isLiteral() {
		return w.refuseElsewhere()
	}
	at := w.scalar
	line, column := at.Scope.File.Position(at.Span.Start)
	return engine.Refuse("%s at %s:%d:%d depends on the %s at line %d, whose condition cannot be evaluated where the "+
		"template writes the extension: %s", at.Text, at.Source.File, line, column, guard.Word, guard.Line, bindByHand)
}

// isAround tells whether a block, or one that asks for the same, is around a place as well, where the dots are the same. Only a
// range stands for another: what it writes, it writes for each element.
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

// dotBlocksAround are those of the blocks around another that change the dot.
func dotBlocksAround(guard source.Guard, of source.Scope) []source.Guard {
	blocks := dotBlocks(of)
	if i := slices.IndexFunc(blocks, func(b source.Guard) bool { return b.Span.Start >= guard.Span.Start }); i >= 0 {
		return blocks[:i]
	}
	return blocks
}

// pipeline is what a block asks about. It is plain when it is the first arm of the block, and names no variable but $.
func pipeline(g source.Guard) (text string, plain bool) {
	text = strings.TrimSpace(strings.TrimPrefix(source.Inner(g.Opening[0]), g.Word))
	if _, value, declares := strings.Cut(text, ":="); declares {
		text = strings.TrimSpace(value)
	}
	return text, len(g.Opening) == 1 && len(source.Variables(text)) == 0
}

// conditionFor writes a block as a condition for the place of a name. The dot around it is the one of the name, or else that which
// $ is there as well.
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

// sameDotAround tells whether the dot in some blocks of a scope is the one of a place.
func sameDotAround(around []source.Guard, of source.Scope, from, place block.Origin) bool {
	if len(around) == 0 && dollarIsRoot(from) && dotIsRoot(place) {
		return true
	}
	return of.File.Name == from.Scope.File.Name && of.Define() == from.Scope.Define() &&
		sameCalls(from, place) && of.Define() == place.Scope.Define() &&
		sameBlocks(around, dotBlocks(place.Scope), of.File.Name == place.Scope.File.Name)
}

// conditionsBeyond leaves out the conditions that some blocks ask for as well, which stand where the name does.
func conditionsBeyond(conditions []condition, blocks []source.Guard) []condition {
	return slices.DeleteFunc(slices.Clone(conditions), func(c condition) bool {
		asked, plain := pipeline(c.guard)
		for _, around := range blocks {
			again, alsoPlain := pipeline(around)
			if c.asWritten && plain && alsoPlain && asked == again {
				return true
			}
			if around.Word != "if" {
				return false // what follows has another dot
			}
		}
		return false
	})
}

// wrapInConditions puts a text into conditions.
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
