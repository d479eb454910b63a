package permissions

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// permissionBuiltins answer questions about permissions, as the commands can-i and who-can do, and compare rules.
func permissionBuiltins() []*policy.Builtin {
	request, rules := define.Arg("request", define.AnyMap), define.Arg("rules", define.AnyList)
	answer := define.Record("allowed", types.B, "by", define.List(define.Record("binding", define.Binding, "rule", define.Rule)),
		"unknown", define.List(define.Role), "partial", define.List(define.Role), "uncertain", define.List(define.Binding))
	holders := define.Record("holders", define.List(define.Record("subject", define.Subject, "binding", define.Binding, "rule", define.Rule)),
		"unknown", define.List(define.Binding))
	granted := define.Record("rules", define.List(define.Rule), "unknown", define.List(define.Role), "partial", define.List(define.Role))
	return []*policy.Builtin{
		{
			Name:        "salint.granted_rules",
			Description: "The effective rules of a Role or ClusterRole, or of the one that a binding grants: aggregated roles are composed, and those of every cluster are known.",
			Decl:        define.Function(granted, define.Arg("ref", define.String)), Eval: define.Asking(define.OneOfEach(define.RoleKinds), define.Remembered("granted_rules", grantedRules)),
		}, {
			Name:        "salint.granted_about",
			Description: "Those of the rules of `salint.granted_rules` that apply to one of the resources of an API group, by name or by the wildcard.",
			Decl:        define.Function(define.List(define.Rule), define.Arg("ref", define.String), define.Arg("group", define.String), define.Arg("resources", types.NewAny(define.Strings, types.NewSet(define.String)))),
			Eval:        define.Asking(define.OneOfEach(define.RoleKinds), define.Remembered("granted_about", grantedAbout)),
		}, {
			Name:        "salint.can_i",
			Description: "Whether a subject is allowed a request, also through its implicit groups; if `input.resource` has namesakes, only the bindings nearest to it count.",
			Decl:        define.Function(answer, define.Arg("subject", define.AnyMap), request), Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.RememberedFor("can_i", canI)),
		}, {
			Name:        "salint.who_can",
			Description: "The subjects that the bindings of the deployment unit allow a request, each with the binding and the rule.",
			Decl:        define.Function(holders, request), Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.Remembered("who_can", define.Reading(readRequest, whoCan))),
		}, {
			Name:        "salint.missing",
			Description: "The permissions of a list of wanted rules that another list does not allow, each as one verb on one resource or URL.",
			Decl:        define.Function(define.List(define.Rule), rules, define.Arg("wanted", define.AnyList)), Eval: missing,
		},
		powersBuiltin(),
		{
			Name:        "salint.compact",
			Description: "The same permissions in fewer rules, sorted: rules about the same resource and name become one, as in CompactRules of Kubernetes.",
			Decl:        define.Function(define.List(define.Rule), rules), Eval: compact,
		},
	}
}

// grantedBy returns the rules of the role of a ref, or of the role that a binding grants.
func grantedBy(s *evalcontext.Evaluation, term *ast.Term) (granted rbac.Granted, ok bool, err error) {
	ref, _ := term.Value.(ast.String)
	object, err := s.Lookup(string(ref))
	if err != nil {
		return granted, false, err
	}
	granted, ok = evalcontext.GrantedBy(s.Context, s.Object, object)
	return granted, ok, nil
}

func grantedRules(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	granted, ok, err := grantedBy(s, args[0])
	if !ok || err != nil {
		return nil, err
	}
	return ast.NewObject(
		values.Field("rules", s.Values.OfRules(granted.Rules)),
		values.Field("unknown", values.Array(granted.Unknown, values.Role)),
		values.Field("partial", values.Array(granted.Partial, values.Role)),
	), nil
}

// readRequest reads {verb, group?, resource?, subresource?, name?, namespace?, path?}. ok is false for an impossible
// request.
func readRequest(arg *ast.Term) (rbac.Request, bool, error) {
	given, ok, err := values.ReadStrings(arg, "verb", "group", "resource", "subresource", "name", "namespace", "path")
	r := rbac.Request{
		Verb: given["verb"], Group: given["group"], Resource: given["resource"], Subresource: given["subresource"],
		Name: given["name"], Namespace: given["namespace"], Path: given["path"],
	}
	return r, ok && r.Verb != "" && (r.Resource == "") != (r.Path == ""), err
}

func canI(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	subject, okSubject, err := values.ReadSubject(args[0])
	if err != nil {
		return nil, err
	}
	request, okRequest, err := readRequest(args[1])
	if !okSubject || !okRequest || err != nil {
		return nil, err
	}
	answer := rbac.Ask(s.Unit, s.Object, subject.Identity(), request)
	var by []rbac.Holder
	if answer.Allowed {
		by = []rbac.Holder{{Binding: answer.Binding, Rule: answer.Rule}}
	}
	for _, n := range answer.Newer {
		answer.Uncertain = append(answer.Uncertain, n.Binding)
	}
	return ast.NewObject(
		values.Field("allowed", ast.Boolean(answer.Allowed)),
		values.Field("by", values.Array(by, func(h rbac.Holder) ast.Value {
			return ast.NewObject(values.Field("binding", bindingValue(h.Binding)), values.Field("rule", values.Rule(h.Rule)))
		})),
		values.Field("unknown", values.Array(answer.Unknown, values.Role)),
		values.Field("partial", values.Array(answer.Partial, values.Role)),
		values.Field("uncertain", values.Array(answer.Uncertain, bindingValue)),
	), nil
}

func whoCan(s *evalcontext.Evaluation, request rbac.Request) (ast.Value, error) {
	holders, unknown, newer := rbac.WhoCan(s.Unit, request)
	for _, n := range newer {
		unknown = append(unknown, n.Binding)
	}
	return ast.NewObject(
		values.Field("holders", values.Array(holders, func(h rbac.Holder) ast.Value {
			return ast.NewObject(
				values.Field("subject", values.Subject(h.Subject)), values.Field("binding", bindingValue(h.Binding)), values.Field("rule", values.Rule(h.Rule)))
		})),
		values.Field("unknown", values.Array(unknown, bindingValue)),
	), nil
}

func missing(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	owned, _ := evalcontext.ValuesOf(ctx).ReadRules(args[0])
	wanted, ok := evalcontext.ValuesOf(ctx).ReadRules(args[1])
	if !ok {
		return nil, nil
	}
	return values.Array(policyrules.Missing(owned, wanted), values.Rule), nil
}

func compact(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	rules, ok := evalcontext.ValuesOf(ctx).ReadRules(args[0])
	if !ok {
		return nil, nil
	}
	return values.Array(policyrules.Compact(rules), values.Rule), nil
}

// grantedAbout converts only few rules to the form of policies: roles can have hundreds, and most rules of salint concern few resources.
func grantedAbout(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	group, isText := args[1].Value.(ast.String)
	resources, areTexts := values.Strings(args[2])
	if !isText || !areTexts {
		return nil, nil
	}
	granted, ok, err := grantedBy(s, args[0])
	if !ok || err != nil {
		return nil, err
	}
	var about []rbacv1.PolicyRule
	for _, rule := range granted.Rules {
		concerns := func(resource *ast.Term) bool {
			return policyrules.Has(rule.Resources, string(resource.Value.(ast.String)))
		}
		if policyrules.Has(rule.APIGroups, string(group)) && slices.ContainsFunc(resources, concerns) {
			about = append(about, rule)
		}
	}
	return s.Values.OfRules(about), nil
}
