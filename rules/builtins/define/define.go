package define

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/values"
)

// The types of arguments and results of the built-in functions. Results are declared field by field, so that the compiler
// finds a misspelled field; arguments are open, because they often come directly from a manifest.
var (
	String  = types.S
	Strings = List(types.S)
	Number  = types.N
	Path    = List(types.A)
	AnyList = List(types.A)
	AnyMap  = Map(types.A)

	Role    = Record("kind", String, "namespace", String, "name", String)
	Subject = Role
	Rule    = Record("apiGroups", Strings, "nonResourceURLs", Strings, "resourceNames", Strings, "resources", Strings, "verbs", Strings)
	Binding = Record("ref", String, "kind", String, "name", String, "scope", String, "role", Role, "role_ref", String,
		"role_ties", Strings, "subject_index", types.N, "via", String, "uncertain", types.B, "ties", Strings)
	Found = List(Record("ref", String, "resource", types.A))
)

// Record is an object type with the given fields: name, type, name, type …
func Record(fields ...any) *types.Object {
	var properties []*types.StaticProperty
	for i := 0; i < len(fields); i += 2 {
		properties = append(properties, types.NewStaticProperty(fields[i], fields[i+1].(types.Type)))
	}
	return types.NewObject(properties, nil)
}

// List is the type of an array.
func List(t types.Type) *types.Array { return types.NewArray(nil, t) }

// Map is the type of an object with any keys.
func Map(t types.Type) *types.Object {
	return types.NewObject(nil, types.NewDynamicProperty(types.S, t))
}

// Function is the type of a built-in function.
func Function(result types.Type, args ...types.Type) *types.Function {
	return types.NewFunction(args, result)
}

// Arg is an argument of a built-in function.
func Arg(name string, t types.Type) types.Type { return types.Named(name, t) }

// Func computes the result of a built-in function; nil makes the call undefined.
type Func = func(context.Context, []*ast.Term) (ast.Value, error)

// Eval is a Func that needs the repository.
type Eval = func(*evalcontext.Evaluation, []*ast.Term) (ast.Value, error)

// Inside returns a function that needs the repository.
func Inside(eval Eval) Func {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		s := evalcontext.Of(ctx)
		if s == nil {
			return nil, errors.New("needs the repository, which a test does not have: replace it, as in `with salint.find as […]`")
		}
		return eval(s, args)
	}
}

// Reading is for functions with one argument, which read converts. The call is undefined if ok is false.
func Reading[T any](read func(*ast.Term) (value T, ok bool, err error), eval func(*evalcontext.Evaluation, T) (ast.Value, error)) Eval {
	return func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
		value, ok, err := read(args[0])
		if !ok || err != nil {
			return nil, err
		}
		return eval(s, value)
	}
}

// Remembered is Inside for functions whose answer depends only on their arguments and the unit. It is computed once.
func Remembered(name string, eval Eval) Func {
	return remembered(name, eval, (*evalcontext.Evaluation).Remember)
}

// RememberedEverywhere is Remembered for functions whose answer depends only on their arguments and all units.
func RememberedEverywhere(name string, eval Eval) Func {
	return remembered(name, eval, (*evalcontext.Evaluation).RememberEverywhere)
}

// RememberedFor is Remembered for functions whose answer also depends on input.resource. Only the rules about this object
// need it, so it is forgotten after them: kept for every object, the answers would be most of the memory of a run.
func RememberedFor(name string, eval Eval) Func {
	return remembered(name, eval, (*evalcontext.Evaluation).RememberForObject)
}

func remembered(name string, eval Eval, in func(*evalcontext.Evaluation, evalcontext.Question, evalcontext.Compute) (ast.Value, error)) Func {
	return Inside(func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
		return in(s, evalcontext.Question{Function: name, Args: evalcontext.ArgsKey(args)}, func() (ast.Value, error) { return eval(s, args) })
	})
}

// Asking is for functions that search objects of certain kinds: the rule must name one of each list. A kind that the rule
// does not name is not read, so the answer would be empty.
func Asking(kinds func([]*ast.Term) [][]string, eval Func) Func {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := evalcontext.Of(ctx); s != nil {
			for _, choice := range kinds(args) {
				if !slices.ContainsFunc(choice, func(kind string) bool { return s.Reads[kind] || s.Reads[wordfilter.AnyKind] }) {
					return nil, fmt.Errorf("needs objects of the kind %s, which are not read for this rule: name it in custom.reads of the METADATA",
						strings.Join(choice, " or "))
				}
			}
		}
		return eval(ctx, args)
	}
}

// KindOfQuery returns the kind of a query.
func KindOfQuery(args []*ast.Term) [][]string {
	query, ok := args[0].Value.(ast.Object)
	if !ok || values.StringField(query, "kind") == "" {
		return nil
	}
	return [][]string{{values.StringField(query, "kind")}}
}

// OneOfEach returns the same kinds for all arguments.
func OneOfEach(kinds ...[]string) func([]*ast.Term) [][]string {
	return func([]*ast.Term) [][]string { return kinds }
}

// The kinds that the functions search. A rule about cluster-wide grants need not read RoleBindings.
var (
	BindingKinds = []string{"ClusterRoleBinding", "RoleBinding"}
	RoleKinds    = []string{"ClusterRole", "Role"}
)
