package fixers

import (
	"slices"

	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/render/block"
	"github.com/salint/salint/internal/render/source"
)

// condition is an if around a binding: without it the account does not hold what is bound, and neither may who takes over.
type condition struct {
	file  *source.File
	guard source.Guard
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
		w, err := c.wording(m, b.Object, path)
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
			all = append(all, condition{scope.File, moved})
		}
	}
	return all, nil
}

// isAround tells whether a block, or one that asks for the same, is around a place as well.
func isAround(guard source.Guard, of source.Scope, place block.Origin) bool {
	atRoot := len(source.Variables(guard.Opening[0])) == 0 && dotIsRoot(place)
	return slices.ContainsFunc(place.Scope.Guards, func(other source.Guard) bool {
		if place.Scope.File.Name == of.File.Name && other.Span == guard.Span {
			return slices.Equal(other.Opening, guard.Opening)
		}
		return atRoot && len(guard.Opening) == 1 && len(other.Opening) == 1 &&
			source.Inner(other.Opening[0]) == source.Inner(guard.Opening[0])
	})
}

// guardBy writes a block for another place: what it names there must be the same.
func guardBy(guard source.Guard, of source.Scope, name wording, reach reach) (source.Guard, bool) {
	opening := slices.Clone(guard.Opening)
	for i, action := range opening {
		for _, variable := range source.Variables(action) {
			if of.File.Name != name.scalar.Source.Name || of.Declares(variable) == "" || of.Declares(variable) != name.scalar.Scope.Declares(variable) {
				return guard, false
			}
		}
		if reach != byDollar {
			continue
		}
		moved, ok := withDot(action, "$")
		if !ok {
			return guard, false
		}
		opening[i] = moved
	}
	return source.Guard{Word: guard.Word, Span: guard.Span, Line: guard.Line, Opening: opening}, true
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
