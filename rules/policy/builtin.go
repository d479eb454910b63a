package policy

import (
	"context"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/types"
)

// Builtin is a function that policies can call.
type Builtin struct {
	// Name is the name in Rego, as in salint.find.
	Name string
	// Description is one sentence for the documentation.
	Description string
	// Decl holds the types of arguments and result; the compiler checks every call against it.
	Decl *types.Function
	// Eval computes the result from the arguments; a nil value makes the call undefined. An error ends the evaluation of
	// the whole rule, unlike errors in OPA's own functions, which make the call undefined.
	Eval func(ctx context.Context, args []*ast.Term) (ast.Value, error)
}

// declaration returns the function in the form that the compiler requires.
func (b *Builtin) declaration() *ast.Builtin {
	return &ast.Builtin{Name: b.Name, Description: b.Description, Decl: b.Decl}
}

// Signature is the name with the names of the arguments, as in salint.covers(rules, rule).
func (b *Builtin) Signature() string {
	var names []string
	for _, a := range b.Decl.NamedFuncArgs().Args {
		name := "_"
		if named, ok := a.(*types.NamedType); ok {
			name = named.Name
		}
		names = append(names, name)
	}
	return b.Name + "(" + strings.Join(names, ", ") + ")"
}

// Option makes the function callable from a query.
func (b *Builtin) Option() func(*rego.Rego) {
	decl := &rego.Function{Name: b.Name, Description: b.Description, Decl: b.Decl}
	return rego.FunctionDyn(decl, func(bctx rego.BuiltinContext, args []*ast.Term) (*ast.Term, error) {
		var value ast.Value
		var err error
		excused(bctx.Context, func() { value, err = b.Eval(bctx.Context, args) })
		if err != nil {
			// Halting prevents a failed question from looking like the answer "no".
			return nil, rego.NewHaltError(err)
		}
		if value == nil {
			return nil, nil
		}
		return ast.NewTerm(value), nil
	})
}
