package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/rules/policy"
)

// The types of what goes into the built-in functions and comes out. Results are declared field by field, so that the
// compiler finds a misspelt field; arguments are open, for they often come straight from a manifest.
var (
	textType    = types.S
	textsType   = listOf(types.S)
	numberType  = types.N
	pathType    = listOf(types.A)
	anyListType = listOf(types.A)
	anyMapType  = mapOf(types.A)

	roleType    = record("kind", textType, "namespace", textType, "name", textType)
	ruleType    = record("apiGroups", textsType, "nonResourceURLs", textsType, "resourceNames", textsType, "resources", textsType, "verbs", textsType)
	bindingType = record("ref", textType, "kind", textType, "name", textType, "scope", textType, "role", roleType, "role_ref", textType,
		"role_ties", textsType, "subject_index", types.N, "via", textType, "uncertain", types.B, "ties", textsType)
	foundType = listOf(record("ref", textType, "resource", types.A))
)

// record is an object type with the given fields: name, type, name, type …
func record(fields ...any) *types.Object {
	var properties []*types.StaticProperty
	for i := 0; i < len(fields); i += 2 {
		properties = append(properties, types.NewStaticProperty(fields[i], fields[i+1].(types.Type)))
	}
	return types.NewObject(properties, nil)
}

func listOf(t types.Type) *types.Array { return types.NewArray(nil, t) }

func mapOf(t types.Type) *types.Object {
	return types.NewObject(nil, types.NewDynamicProperty(types.S, t))
}

func function(result types.Type, args ...types.Type) *types.Function {
	return types.NewFunction(args, result)
}

func arg(name string, t types.Type) types.Type { return types.Named(name, t) }

// builtins are the functions that salint adds to Rego, in the order of the documentation.
var builtins = sync.OnceValue(func() []*policy.Builtin {
	return concat(objectBuiltins(), nearestBuiltins(), podBuiltins(), extensionBuiltins(), rbacBuiltins(), permissionBuiltins(), bundleBuiltins(),
		deliveryBuiltins(), admissionBuiltins(), timeBuiltins())
})

func concat(lists ...[]*policy.Builtin) (all []*policy.Builtin) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// evalFunc computes the result of a built-in function; nil makes the call undefined.
type evalFunc = func(context.Context, []*ast.Term) (ast.Value, error)

// inside makes a function of one that asks the repository.
func inside(eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		s := sceneOf(ctx)
		if s == nil {
			return nil, errors.New("asks the repository, and a test has none: give it a value, as in `with salint.find as […]`")
		}
		return eval(s, args)
	}
}

// remembered is inside for functions whose answer depends on their arguments and the unit alone. It is computed once.
func remembered(name string, eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		return s.remember(answerKey{function: name, args: argsKey(args)}, func() (ast.Value, error) { return eval(s, args) })
	})
}

// rememberedFor is remembered for functions whose answer depends on input.resource as well.
func rememberedFor(name string, eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		key := answerKey{function: name, args: argsKey(args), object: s.object}
		return s.remember(key, func() (ast.Value, error) { return eval(s, args) })
	})
}

// asking is for functions that look among objects of certain kinds: for each of the lists, the rule must name one. A kind
// that the rule does not name is not read, so that the answer would be that there are none.
func asking(kinds func([]*ast.Term) [][]string, eval evalFunc) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := sceneOf(ctx); s != nil {
			for _, choice := range kinds(args) {
				if !slices.ContainsFunc(choice, func(kind string) bool { return s.program.reads[kind] }) {
					return nil, fmt.Errorf("asks for objects of the kind %s, which are not read for this rule: name it in custom.reads of the METADATA",
						strings.Join(choice, " or "))
				}
			}
		}
		return eval(ctx, args)
	}
}

// kindOfQuery is the kind that a query asks for.
func kindOfQuery(args []*ast.Term) [][]string {
	query, ok := args[0].Value.(ast.Object)
	if !ok || textField(query, "kind") == "" {
		return nil
	}
	return [][]string{{textField(query, "kind")}}
}

// oneOfEach are the same kinds whatever the arguments.
func oneOfEach(kinds ...[]string) func([]*ast.Term) [][]string {
	return func([]*ast.Term) [][]string { return kinds }
}

// Function describes a built-in function for the documentation.
type Function struct {
	// Signature is name and arguments, as in salint.find(query).
	Signature   string
	Description string
}

// Functions are the functions that policies may call besides OPA's own.
func Functions() []Function {
	list := make([]Function, 0, len(builtins()))
	for _, b := range builtins() {
		list = append(list, Function{Signature: b.Signature(), Description: b.Description})
	}
	return list
}
