package rules

import (
	"context"
	"errors"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/policy"
)

// The types of what goes into the built-in functions and comes out. Results are declared field by field, so that the
// compiler finds a misspelt field; arguments are open, for they often come straight from a manifest.
var (
	text    = types.S
	texts   = types.NewArray(nil, types.S)
	anyList = types.NewArray(nil, types.A)
	anyMap  = types.NewObject(nil, types.NewDynamicProperty(types.S, types.A))

	roleType = record("kind", text, "namespace", text, "name", text)
	ruleType = record("apiGroups", texts, "nonResourceURLs", texts, "resourceNames", texts, "resources", texts, "verbs", texts)
	found    = types.NewArray(nil, record("ref", text, "resource", types.A))
)

// record is an object type with the given fields: name, type, name, type …
func record(fields ...any) *types.Object {
	var properties []*types.StaticProperty
	for i := 0; i < len(fields); i += 2 {
		properties = append(properties, types.NewStaticProperty(fields[i], fields[i+1].(types.Type)))
	}
	return types.NewObject(properties, nil)
}

func list(of types.Type) *types.Array { return types.NewArray(nil, of) }

func function(result types.Type, args ...types.Type) *types.Function {
	return types.NewFunction(args, result)
}

func arg(name string, t types.Type) types.Type { return types.Named(name, t) }

// builtins are the functions that salint adds to Rego, in the order of the documentation.
func builtins() []*policy.Builtin {
	query, subject := arg("query", anyMap), arg("subject", anyMap)
	all := []*policy.Builtin{
		{Name: "salint.ref", Decl: function(text, arg("resource", types.A))},
		{Name: "salint.find", Decl: function(found, query)},
		{Name: "salint.lookup", Decl: function(found, query)},
		{Name: "salint.ties", Decl: function(texts, query)},
		{Name: "salint.anywhere", Decl: function(found, query)},
		{Name: "salint.mentions", Decl: function(
			list(record("file", text, "line", types.N, "ref", text, "what", text)), arg("account", anyMap))},
		{Name: "salint.extension", Decl: function(
			record("name", text, "namespace", text, "layout", text, "mixed", types.B, "package", text, "version", text,
				"account", record("state", text, "name", text, "path", anyList)),
			arg("resource", types.A))},
		{Name: "salint.identity", Decl: function(record("user", text, "groups", texts), arg("extension_name", text))},
		{Name: "salint.mistyped", Decl: function(record("kind", text, "name", text, "why", text), subject)},
		{Name: "salint.signs", Decl: function(list(record("ref", text, "path", anyList, "kind", text, "target", text,
			"model", text, "gates", types.NewObject(nil, types.NewDynamicProperty(text, types.B)),
			"description", text, "weight", types.N)))},
		{Name: "salint.bindings_of", Decl: function(list(record("ref", text, "kind", text, "name", text, "scope", text,
			"role", roleType, "role_ref", text, "subject_index", types.N, "via", text)), subject)},
		{Name: "salint.role_rules", Decl: function(list(ruleType), arg("ref", text))},
		{Name: "salint.effective_rules", Decl: function(record("cluster", list(ruleType),
			"namespaces", types.NewObject(nil, types.NewDynamicProperty(text, list(ruleType))),
			"unknown", list(roleType)), subject)},
		{Name: "salint.covers", Decl: function(types.B, arg("rules", anyList), arg("rule", anyMap))},
	}
	for _, b := range all {
		b.Eval = outside
	}
	return all
}

// outside answers for functions that need a repository where there is none: in unit tests of policies.
func outside(context.Context, []*ast.Term) (ast.Value, error) {
	return nil, errors.New("needs a repository; in a test give it a value: `with salint.find as […]`")
}
