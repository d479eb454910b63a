package fixers

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/render/block"
	"github.com/salint/salint/internal/render/source"
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
func (c *Context) conditionsOf(m *member, b rbac.Binding, name wording) ([]condition, error) {
	if b.Object.InFile() {
		return nil, nil
	}
	var all []condition
	for _, path := range []manifest.Path{{"roleRef", "name"}, subjectPath(b.SubjectIndex).Join("name")} {
		w, err := c.wording(m.unit, b.Object, path)
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

// conditionsAt are the ifs around a value, for the place that writes an extension's name.
func (w wording) conditionsAt(name wording) ([]condition, error) {
	from, to := w.scalar.Origin, name.scalar.Origin
	reach := w.reaches(name)
	if reach == unreachable {
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
			if guard.Word != "if" || isAround(guard, scope, to) {
				continue
			}
			moved, ok := guardBy(guard, scope, name, reach)
			if !ok {
				return nil, w.refuseElsewhere()
			}
			all = append(all, moved)
		}
	}
	return all, nil
}

// isAround tells whether a block, or one that asks for the same, is around a place as well: the dots of both scopes are the same
// as far as both are in blocks that change it.
func isAround(guard source.Guard, of source.Scope, place block.Origin) bool {
	asked, plain := pipeline(guard)
	return slices.ContainsFunc(place.Scope.Guards, func(other source.Guard) bool {
		if place.Scope.File.Name == of.File.Name && other.Span == guard.Span {
			return slices.Equal(other.Opening, guard.Opening)
		}
		again, alsoPlain := pipeline(other)
		return plain && alsoPlain && asked == again && depth(of, guard) == depth(place.Scope, other)
	})
}

// depth is how many blocks around another change the dot.
func depth(s source.Scope, guard source.Guard) int {
	n := 0
	for _, around := range s.Guards {
		if around.Span == guard.Span {
			break
		}
		if around.Word != "if" {
			n++
		}
	}
	return n
}

// pipeline is what a block asks about. It is plain when it is the first arm of the block, and names no variable but $.
func pipeline(g source.Guard) (text string, plain bool) {
	text = strings.TrimSpace(strings.TrimPrefix(source.Inner(g.Opening[0]), g.Word))
	if _, value, declares := strings.Cut(text, ":="); declares {
		text = strings.TrimSpace(value)
	}
	return text, len(g.Opening) == 1 && len(source.Variables(text)) == 0
}

// guardBy writes a block for the place of a name, of which only the innermost dot is known to be the same: what stands
// around a block that changes it is asked of $.
func guardBy(guard source.Guard, of source.Scope, name wording, reach reach) (condition, bool) {
	moved := source.Guard{Word: guard.Word, Span: guard.Span, Line: guard.Line, Opening: slices.Clone(guard.Opening)}
	at, innermost := depth(of, guard), len(dotBlocks(of))
	c := condition{file: of.File, guard: moved, asWritten: reach == asWritten && at == innermost}
	for i, action := range guard.Opening {
		if at == innermost {
			action = ownVariables(action, of, name.scalar.Scope)
		}
		moved.Opening[i] = action
		for _, variable := range source.Variables(action) {
			if !sameVariable(variable, of, name.scalar.Scope) {
				return c, false
			}
		}
		if c.asWritten {
			continue
		}
		text, ok := withDot(action, "$")
		if !ok || at > 0 {
			return c, false
		}
		moved.Opening[i] = text
	}
	return c, true
}

// besides leaves out the conditions that some blocks ask for as well, which stand where the name does.
func besides(conditions []condition, blocks []source.Guard) []condition {
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

// within puts a text into conditions.
func within(conditions []condition, text string) (string, error) {
	for _, c := range slices.Backward(conditions) {
		wrapped, err := source.Scope{File: c.file, Guards: []source.Guard{c.guard}}.Wrap(text)
		if err != nil {
			return "", err
		}
		text = wrapped
	}
	return text, nil
}
