package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"

	"github.com/salint/salint/rules/metadata"
)

// merge returns the data of files, as OPA lays it out: the content of a file is at the path of its folder.
func merge(documents []metadata.Document) (map[string]any, error) {
	all := map[string]any{}
	for _, d := range documents {
		if err := checkDocument(d); err != nil {
			return nil, err
		}
		var value any
		if err := util.Unmarshal(d.Source, &value); err != nil {
			return nil, fmt.Errorf("%s: the data cannot be read: %w", d.Name, err)
		}
		content, is := value.(map[string]any)
		if !is {
			return nil, fmt.Errorf("%s: the data must be a mapping (key: value)", d.Name)
		}
		for _, step := range slices.Backward(d.Path) {
			content = map[string]any{step: content}
		}
		if _, taken := content["salint"]; taken {
			return nil, fmt.Errorf("%s: data.salint holds the policies of salint: use another name", d.Name)
		}
		if at := mergeInto(all, content); at != "" {
			return nil, fmt.Errorf("%s: data.%s is in two files: remove it from one of them", d.Name, at)
		}
	}
	return all, nil
}

// mergeInto adds content to data, and returns the path of a value that is in both; "" if there is none.
func mergeInto(data, content map[string]any) (conflict string) {
	for _, key := range util.KeysSorted(content) {
		known, there := data[key]
		if !there {
			data[key] = content[key]
			continue
		}
		a, isA := known.(map[string]any)
		b, isB := content[key].(map[string]any)
		if !isA || !isB {
			return key
		}
		if at := mergeInto(a, b); at != "" {
			return key + "." + at
		}
	}
	return ""
}

// readOptional replaces data in calls such as object.get(data, ["team", "owners"], []), which OPA refuses because data contains the
// calling rule itself: by an object with the data that there is, or that a test sets if mocked is true.
func readOptional(module *ast.Module, data map[string]any, mocked bool) error {
	var failed error
	visit := func(operator, first, path *ast.Term) *ast.Term {
		if operator.Value.String() != "object.get" || !isData(first) {
			return nil
		}
		key, err := firstStep(path)
		if err != nil {
			failed = fmt.Errorf("%s:%d:%d: %w", first.Location.File, first.Location.Row, first.Location.Col, err)
			return nil
		}
		value := ast.NewTerm(ast.Ref{ast.DefaultRootDocument, ast.StringTerm(key)}).SetLocation(first.Location)
		if _, there := data[key]; !there {
			return withoutData(key, value, mocked)
		}
		return ast.ObjectTerm(ast.Item(ast.StringTerm(key), value)).SetLocation(first.Location)
	}
	replace := func(terms []*ast.Term) {
		if len(terms) < 4 {
			return
		}
		if by := visit(terms[0], terms[1], terms[2]); by != nil {
			terms[1] = by
		}
	}
	ast.WalkExprs(module, func(e *ast.Expr) bool {
		if e.IsCall() {
			replace(e.Terms.([]*ast.Term))
		}
		return false
	})
	ast.WalkTerms(module, func(t *ast.Term) bool {
		if c, is := t.Value.(ast.Call); is {
			replace(c)
		}
		return false
	})
	return failed
}

// withoutData returns an object without data that no file defines. If it is mocked, the object has what `with` in a test sets.
func withoutData(key string, value *ast.Term, mocked bool) *ast.Term {
	if !mocked {
		return ast.ObjectTerm().SetLocation(value.Location)
	}
	set := ast.VarTerm("optional_data").SetLocation(value.Location)
	body := ast.NewBody(ast.Equality.Expr(set, value).SetLocation(value.Location))
	return ast.ObjectComprehensionTerm(ast.StringTerm(key), set, body).SetLocation(value.Location)
}

func isData(t *ast.Term) bool {
	if ref, is := t.Value.(ast.Ref); is {
		return len(ref) == 1 && ref[0].Equal(ast.DefaultRootDocument)
	}
	return t.Equal(ast.DefaultRootDocument)
}

// firstStep returns the constant key with which a path into data begins.
func firstStep(path *ast.Term) (string, error) {
	if array, is := path.Value.(*ast.Array); is && array.Len() > 0 {
		path = array.Elem(0)
	}
	key, is := path.Value.(ast.String)
	if !is || strings.EqualFold(string(key), "salint") {
		return "", fmt.Errorf("object.get(data, …) must name what it reads, as in object.get(data, [\"company\", \"owners\"], [])")
	}
	return string(key), nil
}
