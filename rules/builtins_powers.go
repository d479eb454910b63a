package rules

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/rules/policy"
)

// powersBuiltin asks the table of powers.
func powersBuiltin() *policy.Builtin {
	need := record("text", textType, "verbs", textsType, "group", textType, "resources", textsType)
	power := record("verb", textType, "on", textType, "group", textType, "names", textsType, "opens", textsType, "accounts", types.B, "needs", listOf(need),
		"wildcard_verb", types.B, "wildcard_resource", types.B, "wildcard_group", types.B)
	return &policy.Builtin{
		Name:        "salint.powers",
		Description: "The permissions of a rule with which its holder acts as others, or grants what it does not have: escalate, bind, impersonate, and creating tokens of accounts.",
		Decl:        function(listOf(power), arg("rule", anyMapType), arg("namespaced", types.B)), Eval: powersIn,
	}
}

// someNamespace stands for any namespace: whether a power has an effect there does not depend on its name.
const someNamespace = "namespace"

func powersIn(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	rule, _ := valuesOf(ctx).readRule(args[0])
	namespace := ""
	if args[1].Value.Compare(ast.Boolean(true)) == 0 {
		namespace = someNamespace
	}
	return arrayOf(danger.DirectIn(rule, namespace), powerValue), nil
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
		field("verb", ast.String(first.Verbs[0])), field("on", ast.String(g.On)), field("group", ast.String(first.Group)),
		field("names", arrayOf(names, textValue)), field("opens", arrayOf(slices.Compact(slices.Sorted(slices.Values(opens))), textValue)),
		field("accounts", ast.Boolean(accounts)), field("needs", arrayOf(needs, needValue)), field("wildcard_verb", ast.Boolean(g.WildcardVerb)),
		field("wildcard_resource", ast.Boolean(g.WildcardResource)), field("wildcard_group", ast.Boolean(g.WildcardGroup)),
	)
}

func needValue(c *danger.Complement) ast.Value {
	return ast.NewObject(
		field("text", ast.String(c.Text)), field("verbs", arrayOf(c.Verbs, textValue)), field("group", ast.String(c.Group)),
		field("resources", arrayOf(c.Resources, textValue)),
	)
}
