package permissions

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// powersBuiltin asks the table of powers.
func powersBuiltin() *policy.Builtin {
	need := define.Record("text", define.String, "verbs", define.Strings, "group", define.String, "resources", define.Strings)
	power := define.Record("verb", define.String, "on", define.String, "group", define.String, "names", define.Strings, "opens", define.Strings, "accounts", types.B, "needs", define.List(need),
		"wildcard_verb", types.B, "wildcard_resource", types.B, "wildcard_group", types.B)
	return &policy.Builtin{
		Name:        "salint.powers",
		Description: "The permissions of a rule with which its holder acts as others, or grants what it does not have: escalate, bind, impersonate, and creating tokens of accounts.",
		Decl:        define.Function(define.List(power), define.Arg("rule", define.AnyMap), define.Arg("namespaced", types.B)), Eval: powersIn,
	}
}

// someNamespace stands for any namespace: whether a power has an effect there does not depend on its name.
const someNamespace = "namespace"

func powersIn(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	rule, _ := evalcontext.ValuesOf(ctx).ReadRule(args[0])
	namespace := ""
	if args[1].Value.Compare(ast.Boolean(true)) == 0 {
		namespace = someNamespace
	}
	return values.Array(danger.DirectIn(rule, namespace), powerValue), nil
}

func powerValue(g danger.Grant) ast.Value {
	var names, opens []string
	var needs []*danger.Complement
	accounts, needy := true, true
	for _, p := range g.Powers {
		names = append(names, p.Name)
		opens = append(opens, p.Opens...)
		accounts, needy = accounts && p.OfAccounts(), needy && p.Needs != nil
	}
	first := g.Powers[0]
	if needy {
		needs = append(needs, first.Needs)
	}
	return ast.NewObject(
		values.Field("verb", ast.String(first.Verbs[0])), values.Field("on", ast.String(g.On)), values.Field("group", ast.String(first.Group)),
		values.Field("names", values.Array(names, values.String)), values.Field("opens", values.Array(slices.Compact(slices.Sorted(slices.Values(opens))), values.String)),
		values.Field("accounts", ast.Boolean(accounts)), values.Field("needs", values.Array(needs, needValue)), values.Field("wildcard_verb", ast.Boolean(g.WildcardVerb)),
		values.Field("wildcard_resource", ast.Boolean(g.WildcardResource)), values.Field("wildcard_group", ast.Boolean(g.WildcardGroup)),
	)
}

func needValue(c *danger.Complement) ast.Value {
	return ast.NewObject(
		values.Field("text", ast.String(c.Text)), values.Field("verbs", values.Array(c.Verbs, values.String)), values.Field("group", ast.String(c.Group)),
		values.Field("resources", values.Array(c.Resources, values.String)),
	)
}
