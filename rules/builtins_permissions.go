package rules

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/policy"
)

// permissionBuiltins answer questions about permissions, as the commands can-i and who-can do, and compare rules.
func permissionBuiltins() []*policy.Builtin {
	request, rules := arg("request", anyMapType), arg("rules", anyListType)
	subjectType := record("kind", textType, "namespace", textType, "name", textType)
	answer := record("allowed", types.B, "by", listOf(record("binding", bindingType, "rule", ruleType)),
		"unknown", listOf(roleType), "partial", listOf(roleType), "uncertain", listOf(bindingType))
	holders := record("holders", listOf(record("subject", subjectType, "binding", bindingType, "rule", ruleType)),
		"unknown", listOf(bindingType))
	granted := record("rules", listOf(ruleType), "unknown", listOf(roleType), "partial", listOf(roleType))
	return []*policy.Builtin{
		{
			Name:        "salint.granted_rules",
			Description: "The effective rules of a Role or ClusterRole, or of the one that a binding grants: aggregated roles are composed, and those of every cluster are known.",
			Decl:        function(granted, arg("ref", textType)), Eval: asking(oneOfEach(roleKinds), remembered("granted_rules", grantedRules)),
		},
		{
			Name:        "salint.granted_about",
			Description: "Those of the rules of `salint.granted_rules` that apply to one of the resources of an API group, by name or by the wildcard.",
			Decl:        function(listOf(ruleType), arg("ref", textType), arg("group", textType), arg("resources", types.NewAny(textsType, types.NewSet(textType)))),
			Eval:        asking(oneOfEach(roleKinds), remembered("granted_about", grantedAbout)),
		},
		{
			Name:        "salint.can_i",
			Description: "Whether a subject is allowed a request, also through its implicit groups; if `input.resource` has namesakes, only the bindings nearest to it count.",
			Decl:        function(answer, arg("subject", anyMapType), request), Eval: asking(oneOfEach(bindingKinds, roleKinds), rememberedFor("can_i", canI)),
		},
		{
			Name:        "salint.who_can",
			Description: "The subjects that the bindings of the deployment unit allow a request, each with the binding and the rule.",
			Decl:        function(holders, request), Eval: asking(oneOfEach(bindingKinds, roleKinds), remembered("who_can", whoCan)),
		},
		{
			Name:        "salint.missing",
			Description: "The permissions of a list of wanted rules that another list does not allow, each as one verb on one resource or URL.",
			Decl:        function(listOf(ruleType), rules, arg("wanted", anyListType)), Eval: missing,
		},
		powersBuiltin(),
		{
			Name:        "salint.compact",
			Description: "The same permissions in fewer rules, sorted: rules about the same resource and name become one, as in CompactRules of Kubernetes.",
			Decl:        function(listOf(ruleType), rules), Eval: compact,
		},
	}
}

// grantedBy returns the rules of the role of a ref, or of the role that a binding grants.
func grantedBy(s *scene, term *ast.Term) (granted rbac.Granted, ok bool, err error) {
	ref, _ := term.Value.(ast.String)
	object, err := s.objectOf(string(ref))
	if err != nil {
		return granted, false, err
	}
	granted, ok = rbac.GrantedBy(s.Unit, object)
	return granted, ok, nil
}

func grantedRules(s *scene, args []*ast.Term) (ast.Value, error) {
	granted, ok, err := grantedBy(s, args[0])
	if !ok || err != nil {
		return nil, err
	}
	return ast.NewObject(
		field("rules", s.values.ofRules(granted.Rules)),
		field("unknown", arrayOf(granted.Unknown, roleValue)),
		field("partial", arrayOf(granted.Partial, roleValue)),
	), nil
}

// readRequest reads {verb, group?, resource?, subresource?, name?, namespace?, path?}. ok is false for an impossible
// request.
func readRequest(arg *ast.Term) (rbac.Request, bool, error) {
	given, ok, err := readTexts(arg, "verb", "group", "resource", "subresource", "name", "namespace", "path")
	r := rbac.Request{
		Verb: given["verb"], Group: given["group"], Resource: given["resource"], Subresource: given["subresource"],
		Name: given["name"], Namespace: given["namespace"], Path: given["path"],
	}
	return r, ok && r.Verb != "" && (r.Resource == "") != (r.Path == ""), err
}

func canI(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, okSubject, err := readSubject(args[0])
	if err != nil {
		return nil, err
	}
	request, okRequest, err := readRequest(args[1])
	if !okSubject || !okRequest || err != nil {
		return nil, err
	}
	answer := rbac.Ask(s.Unit, s.object, subject.Identity(), request)
	var by []rbac.Holder
	if answer.Allowed {
		by = []rbac.Holder{{Binding: answer.Binding, Rule: answer.Rule}}
	}
	for _, n := range answer.Newer {
		answer.Uncertain = append(answer.Uncertain, n.Binding)
	}
	return ast.NewObject(
		field("allowed", ast.Boolean(answer.Allowed)),
		field("by", arrayOf(by, func(h rbac.Holder) ast.Value {
			return ast.NewObject(field("binding", bindingValue(h.Binding)), field("rule", ruleValue(h.Rule)))
		})),
		field("unknown", arrayOf(answer.Unknown, roleValue)),
		field("partial", arrayOf(answer.Partial, roleValue)),
		field("uncertain", arrayOf(answer.Uncertain, bindingValue)),
	), nil
}

func whoCan(s *scene, args []*ast.Term) (ast.Value, error) {
	request, ok, err := readRequest(args[0])
	if !ok || err != nil {
		return nil, err
	}
	holders, unknown, newer := rbac.WhoCan(s.Unit, request)
	for _, n := range newer {
		unknown = append(unknown, n.Binding)
	}
	return ast.NewObject(
		field("holders", arrayOf(holders, func(h rbac.Holder) ast.Value {
			return ast.NewObject(
				field("subject", subjectValue(h.Subject)), field("binding", bindingValue(h.Binding)), field("rule", ruleValue(h.Rule)))
		})),
		field("unknown", arrayOf(unknown, bindingValue)),
	), nil
}

func missing(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	owned, _ := valuesOf(ctx).readRules(args[0])
	wanted, ok := valuesOf(ctx).readRules(args[1])
	if !ok {
		return nil, nil
	}
	return arrayOf(rbac.Missing(owned, wanted), ruleValue), nil
}

func compact(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	rules, ok := valuesOf(ctx).readRules(args[0])
	if !ok {
		return nil, nil
	}
	return arrayOf(rbac.Compact(rules), ruleValue), nil
}

// grantedAbout converts only few rules to the form of policies: roles can have hundreds, and most rules of salint concern few resources.
func grantedAbout(s *scene, args []*ast.Term) (ast.Value, error) {
	group, isText := args[1].Value.(ast.String)
	resources, areTexts := termsOf(args[2])
	if !isText || !areTexts {
		return nil, nil
	}
	granted, ok, err := grantedBy(s, args[0])
	if !ok || err != nil {
		return nil, err
	}
	var about []rbacv1.PolicyRule
	for _, rule := range granted.Rules {
		concerns := func(resource *ast.Term) bool { return rbac.Has(rule.Resources, string(resource.Value.(ast.String))) }
		if rbac.Has(rule.APIGroups, string(group)) && slices.ContainsFunc(resources, concerns) {
			about = append(about, rule)
		}
	}
	return s.values.ofRules(about), nil
}
