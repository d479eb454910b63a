package pods

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/secrets"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// tokenBuiltins are about tokens in objects.
func tokenBuiltins() []*policy.Builtin {
	token := define.Record("path", define.Path, "namespace", define.String, "account", define.String, "secret", define.String,
		"bound_kind", define.String, "bound_name", define.String, "expires", define.String, "audiences", define.Strings, "elsewhere", define.String)
	reference := define.Record("name", define.String, "path", define.Path, "mount", types.B, "pulls", types.B)
	user := define.Record("ref", define.String, "path", define.Path, "mounted", types.B, "own_token", types.B)
	return []*policy.Builtin{{
		Name:        "salint.secret_references",
		Description: "The fields of a ServiceAccount, or of the pods of an object, that name a Secret of its namespace.",
		Decl:        define.Function(define.List(reference), define.Arg("resource", define.AnyMap)), Eval: secretReferences,
	}, {
		Name:        "salint.pods_of_account",
		Description: "The pods of the deployment unit that run as a ServiceAccount of a namespace.",
		Decl:        define.Function(define.List(user), define.Arg("account", define.AnyMap)), Eval: define.Asking(workloadKinds, define.Remembered("pods_of_account", define.Reading(readSecret, podsOfAccount))),
	}, {
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
		values.Field("elsewhere", ast.String(t.Elsewhere)),
	)
}

func secretReferences(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	s := evalcontext.Of(ctx)
	o, err := s.ObjectIn(args[0])
	if o == nil || err != nil {
		return nil, err
	}
	return values.Array(secrets.References(o, podKinds(s)...), func(r secrets.Reference) ast.Value {
		return ast.NewObject(
			values.Field("name", ast.String(r.Name)), values.Field("path", values.Path(o.Node, r.Path)),
			values.Field("mount", ast.Boolean(r.Mount)), values.Field("pulls", ast.Boolean(r.Pulls)),
		)
	}), nil
}

type podsByAccountKey struct{}

// accountPod is a pod of a unit, with what admission makes of it.
type accountPod struct {
	object   *objects.Object
	pod      objects.PodSpec
	admitted objects.Admission
}

// podsOfAccount looks up the pods in an index of the unit, which is made once.
func podsOfAccount(s *evalcontext.Evaluation, account map[string]string) (ast.Value, error) {
	byAccount := s.Unit.Cached(podsByAccountKey{}, func() any {
		index := map[string][]accountPod{}
		for _, o := range s.Unit.Objects {
			for _, pod := range objects.AccountPods(o, s.PodSpecs...) {
				admitted := s.Unit.Admit(o, pod)
				index[admitted.Account.Name] = append(index[admitted.Account.Name], accountPod{o, pod, admitted})
			}
		}
		return index
	}).(map[string][]accountPod)
	var found []accountPod
	for _, p := range byAccount[account["name"]] {
		if !p.admitted.Static && objects.SameNamespace(p.object.Namespace, account["namespace"]) {
			found = append(found, p)
		}
	}
	return values.Array(found, func(p accountPod) ast.Value {
		return ast.NewObject(
			values.Field("ref", ast.String(p.object.Ref())), values.Field("path", values.Path(p.object.Node, p.accountPath())),
			values.Field("mounted", ast.Boolean(p.admitted.Token.Mounted)), values.Field("own_token", ast.Boolean(p.hasOwnToken())),
		)
	}), nil
}

// accountPath is the path of the field that names the account, or of the pod.
func (p accountPod) accountPath() manifest.Path {
	if p.admitted.Field == "" {
		return p.pod.Path
	}
	return p.pod.Path.Join(p.admitted.Field)
}

// hasOwnToken reports whether the pod projects a token itself, or uses a Secret that can hold one.
func (p accountPod) hasOwnToken() bool {
	for _, volume := range objects.Items(p.pod.Node.Get("volumes")) {
		for _, source := range objects.Items(volume.Get("projected").Get("sources")) {
			if source.Get("serviceAccountToken") != nil {
				return true
			}
		}
	}
	return slices.ContainsFunc(secrets.References(p.object), func(r secrets.Reference) bool {
		return !r.Pulls && (strings.Contains(r.Name, "token") || strings.Contains(r.Name, "kubeconfig"))
	})
}
