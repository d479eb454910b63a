package pods

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// tokenBuiltins are about tokens in objects.
func tokenBuiltins() []*policy.Builtin {
	token := define.Record("path", define.Path, "namespace", define.String, "account", define.String, "secret", define.String,
		"bound_kind", define.String, "bound_name", define.String, "expires", define.String, "audiences", define.Strings)
	return []*policy.Builtin{{
		Name:        "salint.account_tokens",
		Description: "What the claims of the tokens of ServiceAccounts state that an object contains in its texts, also in base64; never the tokens themselves.",
		Decl:        define.Function(define.List(token), define.Arg("resource", define.AnyMap)), Eval: accountTokens,
	}}
}

func accountTokens(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	o, err := evalcontext.Of(ctx).ObjectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	var found []*ast.Term
	seen := map[string]bool{}
	forEachText(o.Node, nil, func(path manifest.Path, text string) {
		for _, token := range accounttoken.Find(text) {
			token.Start, token.End = 0, 0
			if key := fmt.Sprint(token); !seen[key] { // an annotation can repeat the data
				seen[key] = true
				found = append(found, ast.NewTerm(tokenValue(o.Node, path, token)))
			}
		}
	})
	return ast.NewArray(found...), nil
}

// forEachText visits the texts of a node that can hold a token, the annotations last.
func forEachText(n *manifest.Node, path manifest.Path, visit func(manifest.Path, string)) {
	var last *manifest.Node
	for _, field := range n.Fields() {
		if key := field.Key.String(); key == "annotations" {
			last = field.Value
		} else {
			forEachText(field.Value, path.Join(key), visit)
		}
	}
	for i, item := range n.Items() {
		forEachText(item, path.Join(strconv.Itoa(i)), visit)
	}
	if last != nil {
		forEachText(last, path.Join("annotations"), visit)
	}
	if n.IsScalar() && accounttoken.MayHold([]byte(n.Value())) {
		visit(path, n.Value())
	}
}

func tokenValue(root *manifest.Node, path manifest.Path, t accounttoken.Token) ast.Value {
	expires := ""
	if !t.Expires.IsZero() {
		expires = t.Expires.Format(time.RFC3339)
	}
	return ast.NewObject(
		values.Field("path", values.Path(root, path)), values.Field("namespace", ast.String(t.Namespace)), values.Field("account", ast.String(t.Account)),
		values.Field("secret", ast.String(t.Secret)), values.Field("bound_kind", ast.String(t.BoundKind)), values.Field("bound_name", ast.String(t.BoundName)),
		values.Field("expires", ast.String(expires)), values.Field("audiences", values.Array(t.Audiences, values.String)),
	)
}
