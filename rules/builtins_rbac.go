package rules

import (
	"context"
	"errors"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/policy"
)

// permissionsBuiltins are about the permissions of subjects, and what limits them.
func permissionsBuiltins() []*policy.Builtin {
	return slices.Concat(rbacBuiltins(), permissionBuiltins(), admissionBuiltins())
}

// rbacBuiltins are about permissions of subjects.
func rbacBuiltins() []*policy.Builtin {
	subject := arg("subject", anyMapType)
	effective := record("cluster", listOf(ruleType), "namespaces", mapOf(listOf(ruleType)), "unknown", listOf(roleType),
		"partial", listOf(roleType))
	return []*policy.Builtin{
		{
			Name:        "salint.bindings_of",
			Description: "The bindings that grant a subject a role, also through its implicit groups; if `input.resource` has namesakes, only the bindings nearest to it.",
			Decl:        function(listOf(bindingType), subject), Eval: asking(oneOfEach(bindingKinds), rememberedFor("bindings_of", bindingsOf)),
		},
		{
			Name:        "salint.admin_bindings",
			Description: "Those of `salint.bindings_of` that make the subject cluster-admin without the others.",
			Decl:        function(listOf(bindingType), subject), Eval: asking(oneOfEach(bindingKinds, roleKinds), inside(adminBindings)),
		},
		{
			Name:        "salint.bindings_to",
			Description: "The bindings that grant a Role or ClusterRole, also through aggregated roles, with one entry for each subject.",
			Decl: function(listOf(record("subject", record("kind", textType, "namespace", textType, "name", textType), "binding", bindingType)),
				arg("ref", textType)), Eval: asking(oneOfEach(bindingKinds), remembered("bindings_to", bindingsTo)),
		},
		{
			Name:        "salint.bindings_naming",
			Description: "The bindings of all units with a subject of this name, of any kind and namespace, valid or not; `other_form` is true for one that the deployment unit applies in another form.",
			Decl:        function(listOf(record("ref", textType, "resource", types.A, "other_form", types.B)), arg("name", textType)), Eval: asking(oneOfEach(bindingKinds), inside(bindingsNaming)),
		},
		{
			Name:        "salint.bindings_misspelling",
			Description: "The bindings of all units with a subject that was meant for the synthetic user or group of this name, and matches none (`salint.mistyped`).",
			Decl:        function(foundType, arg("name", textType)), Eval: asking(oneOfEach(bindingKinds), inside(misspelledBindings)),
		},
		{
			Name:        "salint.templated_bindings",
			Description: "The bindings of all units with a template in the name of a subject.",
			Decl:        function(foundType), Eval: asking(oneOfEach(bindingKinds), rememberedEverywhere("templated_bindings", templatedBindings)),
		},
		{
			Name:        "salint.effective_rules",
			Description: "The permissions of a subject: in the whole cluster, by namespace, and the roles that are not in the repository.",
			Decl:        function(effective, subject), Eval: asking(oneOfEach(bindingKinds, roleKinds), rememberedFor("effective_rules", effectiveRules)),
		},
		{
			Name:        "salint.role_rules",
			Description: "The rules of a Role or ClusterRole as in its manifest; undefined if they cannot be read.",
			Decl:        function(listOf(ruleType), arg("ref", textType)), Eval: remembered("role_rules", roleRules),
		},
		{
			Name:        "salint.refusals",
			Description: "The reasons for which the API server rejects a binding; empty for a binding that it accepts, and for other objects.",
			Decl:        function(listOf(record("path", pathType, "case", textType, "why", textType)), arg("resource", types.A)), Eval: refusals,
		},
		{
			Name:        "salint.account_fault",
			Description: "The reason for which no account can have a name; undefined for a valid name, and for one that looks like a placeholder.",
			Decl:        function(textType, arg("name", types.A)), Eval: accountFault,
		},
		{
			Name:        "salint.covers",
			Description: "Whether a list of rules allows everything that a rule allows, as the API server decides it.",
			Decl:        function(types.B, arg("rules", anyListType), arg("rule", anyMapType)), Eval: covers,
		},
	}
}

func bindingsOf(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, ok, err := readSubject(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return arrayOf(rbac.BindingsOf(s.Unit, s.object, subject), bindingValue), nil
}

func adminBindings(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, ok, err := readSubject(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return arrayOf(rbac.AdminBindings(s.Unit, s.object, subject), bindingValue), nil
}

func bindingsTo(s *scene, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	role, err := s.objectOf(string(ref))
	if err != nil {
		return nil, err
	}
	return arrayOf(rbac.BindingsTo(s.Unit, role), func(b rbac.Binding) ast.Value {
		return ast.NewObject(field("subject", subjectValue(b.Subject)), field("binding", bindingValue(b)))
	}), nil
}

func bindingValue(b rbac.Binding) ast.Value {
	roleRef := ""
	if b.RoleObject != nil {
		roleRef = b.RoleObject.Ref()
	}
	return ast.NewObject(
		field("ref", ast.String(b.Object.Ref())), field("kind", ast.String(b.Object.Kind)), field("name", ast.String(b.Object.Name)),
		field("scope", ast.String(b.Scope)), field("role", roleValue(b.Role)),
		field("role_ref", ast.String(roleRef)), field("role_ties", refsValue(b.RoleTie)),
		field("subject_index", number(b.SubjectIndex)), field("via", ast.String(b.Via)),
		field("uncertain", ast.Boolean(b.Uncertain)), field("ties", refsValue(b.Tie)),
	)
}

func effectiveRules(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, ok, err := readSubject(args[0])
	if !ok || err != nil {
		return nil, err
	}
	effective := rbac.EffectiveRules(s.Unit, s.object, subject)
	namespaces := ast.NewObject()
	for namespace, rules := range effective.Namespaces {
		namespaces.Insert(ast.StringTerm(namespace), ast.NewTerm(s.values.ofRules(rules)))
	}
	return ast.NewObject(
		field("cluster", s.values.ofRules(effective.Cluster)),
		field("namespaces", namespaces),
		field("unknown", arrayOf(effective.Unknown, roleValue)),
		field("partial", arrayOf(effective.Partial, roleValue)),
	), nil
}

func roleRules(s *scene, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	role, err := s.objectOf(string(ref))
	if err != nil {
		return nil, err
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		// The API server refuses such a role, so it grants nothing that is known.
		return nil, nil
	}
	return arrayOf(rules, ruleValue), nil
}

func refusals(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	binding, err := sceneOf(ctx).objectIn(args[0])
	if binding == nil || err != nil {
		return nil, err
	}
	return arrayOf(rbac.Refusals(binding), func(r rbac.Refusal) ast.Value {
		return ast.NewObject(field("path", pathValue(binding.Node, r.Path)), field("case", ast.String(r.Case)), field("why", ast.String(r.Why)))
	}), nil
}

func accountFault(_ context.Context, args []*ast.Term) (ast.Value, error) {
	name, _ := args[0].Value.(ast.String)
	if why := rbac.InvalidAccountName(string(name)); why != "" {
		return ast.String(why), nil
	}
	return nil, nil
}

func covers(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	if _, ok := args[0].Value.(*ast.Array); !ok {
		return nil, nil
	}
	values := valuesOf(ctx)
	owned, _ := values.readRules(args[0])
	wanted, ok := values.readRule(args[1])
	if !ok {
		return nil, errors.New("the second argument must be a rule: an object with lists of strings")
	}
	return ast.Boolean(rbac.CoversRule(owned, wanted)), nil
}
