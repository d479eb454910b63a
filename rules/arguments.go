package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// readTexts reads an object argument whose values are strings. An unknown key is a mistake of the author and an error; a
// value that is not a string comes from a manifest, and makes the call undefined (ok is false).
func readTexts(arg *ast.Term, known ...string) (texts map[string]string, ok bool, err error) {
	object, isObject := arg.Value.(ast.Object)
	if !isObject {
		return nil, false, nil
	}
	texts, ok = make(map[string]string, object.Len()), true
	object.Foreach(func(key, value *ast.Term) {
		name, _ := key.Value.(ast.String)
		text, isText := value.Value.(ast.String)
		if !slices.Contains(known, string(name)) {
			err = fmt.Errorf("unknown key %v; %s", key, suggestion(string(name), known))
		}
		texts[string(name)], ok = string(text), ok && isText
	})
	return texts, ok, err
}

// readQuery reads {kind, group?, name?, namespace?}. ok is false for a query that cannot match.
func readQuery(arg *ast.Term) (query objects.Query, ok bool, err error) {
	given, ok, err := readTexts(arg, queryKeys...)
	if !ok || err != nil {
		return query, false, err
	}
	query, ok = queryOf(given)
	return query, ok, nil
}

var queryKeys = []string{"kind", "group", "name", "namespace"}

// queryOf returns the query of the given keys. ok is false for one that cannot match.
func queryOf(given map[string]string) (query objects.Query, ok bool) {
	query = objects.Query{Kind: given["kind"], Name: given["name"], Namespace: given["namespace"]}
	if group, named := given["group"]; named {
		query.Group = &group
	}
	// In an objects.Query an empty field matches everything; in Rego it is a value that happens to be empty.
	_, named := given["name"]
	return query, query.Kind != "" && (query.Name != "" || !named)
}

// nodeOf returns a resource as a node: that of its manifest if it is an object of the repository, otherwise one created
// from the value.
func (s *scene) nodeOf(resource *ast.Term) (*manifest.Node, error) {
	if o := s.objectWith(resource.Value); o != nil {
		return o.Node, nil
	}
	value, err := ast.JSON(resource.Value)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	file := manifest.Scan("resource", text)
	if len(file.Docs) != 1 {
		return nil, nil
	}
	if err := file.Docs[0].Parse(); err != nil {
		return nil, err
	}
	return file.Docs[0].Root, nil
}

// objectWith returns the object from which a value was created, or nil if the policy created the value. A nil scene has no
// objects.
func (s *scene) objectWith(value ast.Value) *objects.Object {
	if s == nil {
		return nil
	}
	return s.values.objectOf(value)
}

// pathValue is a path in the form of policies: keys are strings, indexes are numbers.
func pathValue(root *manifest.Node, path manifest.Path) ast.Value {
	steps := make([]*ast.Term, 0, len(path))
	for i, step := range path {
		index, err := strconv.Atoi(step)
		if err == nil && root.Lookup(path[:i]).IsSequence() {
			steps = append(steps, ast.InternedTerm(index))
			continue
		}
		steps = append(steps, ast.StringTerm(step))
	}
	return ast.NewArray(steps...)
}

// arrayOf returns a list as an array.
func arrayOf[T any](list []T, value func(T) ast.Value) *ast.Array {
	terms := make([]*ast.Term, 0, len(list))
	for _, item := range list {
		terms = append(terms, ast.NewTerm(value(item)))
	}
	return ast.NewArray(terms...)
}

func textValue(s string) ast.Value { return ast.String(s) }

// plain converts the numbers in a value to int64 or float64.
func plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if i, err := value.Int64(); err == nil {
			return i
		}
		f, _ := value.Float64()
		return f
	case []any:
		for i := range value {
			value[i] = plain(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = plain(value[key])
		}
	}
	return value
}
