package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// The types of arguments and results of the built-in functions. Results are declared field by field, so that the compiler
// finds a misspelled field; arguments are open, because they often come directly from a manifest.
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

// evalFunc computes the result of a built-in function; nil makes the call undefined.
type evalFunc = func(context.Context, []*ast.Term) (ast.Value, error)

// inside returns a function that needs the repository.
func inside(eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		s := sceneOf(ctx)
		if s == nil {
			return nil, errors.New("needs the repository, which a test does not have: replace it, as in `with salint.find as […]`")
		}
		return eval(s, args)
	}
}

// remembered is inside for functions whose answer depends only on their arguments and the unit. It is computed once.
func remembered(name string, eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		return s.remember(answerKey{function: name, args: argsKey(args)}, func() (ast.Value, error) { return eval(s, args) })
	})
}

// rememberedEverywhere is remembered for functions whose answer depends only on their arguments and all units.
func rememberedEverywhere(name string, eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		return s.rememberEverywhere(answerKey{function: name, args: argsKey(args)}, func() (ast.Value, error) { return eval(s, args) })
	})
}

// rememberedFor is remembered for functions whose answer also depends on input.resource. Only the rules about this object
// need it, so it is forgotten after them: kept for every object, the answers would be most of the memory of a run.
func rememberedFor(name string, eval func(*scene, []*ast.Term) (ast.Value, error)) evalFunc {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		return s.rememberForObject(answerKey{function: name, args: argsKey(args)}, func() (ast.Value, error) { return eval(s, args) })
	})
}

// asking is for functions that search objects of certain kinds: the rule must name one of each list. A kind that the rule
// does not name is not read, so the answer would be empty.
func asking(kinds func([]*ast.Term) [][]string, eval evalFunc) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := sceneOf(ctx); s != nil {
			for _, choice := range kinds(args) {
				if !slices.ContainsFunc(choice, func(kind string) bool { return s.reads[kind] }) {
					return nil, fmt.Errorf("needs objects of the kind %s, which are not read for this rule: name it in custom.reads of the METADATA",
						strings.Join(choice, " or "))
				}
			}
		}
		return eval(ctx, args)
	}
}

// kindOfQuery returns the kind of a query.
func kindOfQuery(args []*ast.Term) [][]string {
	query, ok := args[0].Value.(ast.Object)
	if !ok || textField(query, "kind") == "" {
		return nil
	}
	return [][]string{{textField(query, "kind")}}
}

// oneOfEach returns the same kinds for all arguments.
func oneOfEach(kinds ...[]string) func([]*ast.Term) [][]string {
	return func([]*ast.Term) [][]string { return kinds }
}

// The kinds that the functions search. A rule about cluster-wide grants need not read RoleBindings.
var (
	bindingKinds = []string{"ClusterRoleBinding", "RoleBinding"}
	roleKinds    = []string{"ClusterRole", "Role"}
)
