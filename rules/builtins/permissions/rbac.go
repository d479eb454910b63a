package permissions

import (
	"context"
	"errors"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins are about the permissions of subjects, and what limits them.
func Builtins() []*policy.Builtin {
	return slices.Concat(rbacBuiltins(), permissionBuiltins(), admissionBuiltins())
}

// rbacBuiltins are about permissions of subjects.
func rbacBuiltins() []*policy.Builtin {
	subject := define.Arg("subject", define.AnyMap)
	effective := define.Record("cluster", define.List(define.Rule), "namespaces", define.Map(define.List(define.Rule)), "unknown", define.List(define.Role),
		"partial", define.List(define.Role))
	return []*policy.Builtin{
		{
			Name:        "salint.bindings_of",
			Description: "The bindings that grant a subject a role, also through its implicit groups; if `input.resource` has namesakes, only the bindings nearest to it.",
			Decl:        define.Function(define.List(define.Binding), subject), Eval: define.Asking(define.OneOfEach(define.BindingKinds), define.RememberedFor("bindings_of", define.Reading(values.ReadSubject, bindingsOf))),
		}, {
			Name:        "salint.admin_bindings",
			Description: "Those of `salint.bindings_of` that make the subject cluster-admin without the others.",
			Decl:        define.Function(define.List(define.Binding), subject), Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.Inside(define.Reading(values.ReadSubject, adminBindings))),
		}, {
			Name:        "salint.bindings_to",
			Description: "The bindings that grant a Role or ClusterRole, also through aggregated roles, with one entry for each subject.",
			Decl: define.Function(define.List(define.Record("subject", define.Subject, "binding", define.Binding)),
				define.Arg("ref", define.String)), Eval: define.Asking(define.OneOfEach(define.BindingKinds), define.Remembered("bindings_to", bindingsTo)),
		}, {
			Name:        "salint.bindings_naming",
			Description: "The bindings of all units with a subject of this name, of any kind and namespace, valid or not; `other_form` is true for one that the deployment unit applies in another form.",
			Decl:        define.Function(define.List(define.Record("ref", define.String, "resource", types.A, "other_form", types.B)), define.Arg("name", define.String)), Eval: define.Asking(define.OneOfEach(define.BindingKinds), define.Inside(define.Reading(values.ReadString, bindingsNaming))),
		}, {
			Name:        "salint.bindings_misspelling",
			Description: "The bindings of all units with a subject that was meant for the synthetic user or group of this name, and matches none (`salint.mistyped`).",
			Decl:        define.Function(define.Found, define.Arg("name", define.String)), Eval: define.Asking(define.OneOfEach(define.BindingKinds), define.Inside(define.Reading(values.ReadString, misspelledBindings))),
		}, {
			Name:        "salint.templated_bindings",
			Description: "The bindings of all units with a template in the name of a subject.",
			Decl:        define.Function(define.Found), Eval: define.Asking(define.OneOfEach(define.BindingKinds), define.RememberedEverywhere("templated_bindings", templatedBindings)),
		}, {
			Name:        "salint.effective_rules",
			Description: "The permissions of a subject: in the whole cluster, by namespace, and the roles that are not in the repository.",
			Decl:        define.Function(effective, subject), Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.RememberedFor("effective_rules", define.Reading(values.ReadSubject, effectiveRules))),
		}, {
			Name:        "salint.role_rules",
			Description: "The rules of a Role or ClusterRole as in its manifest; undefined if they cannot be read.",
			Decl:        define.Function(define.List(define.Rule), define.Arg("ref", define.String)), Eval: define.Remembered("role_rules", roleRules),
		}, {
			Name:        "salint.refusals",
			Description: "The reasons for which the API server rejects a binding; empty for a binding that it accepts, and for other objects.",
			Decl:        define.Function(define.List(define.Record("path", define.Path, "case", define.String, "why", define.String)), define.Arg("resource", types.A)), Eval: refusals,
		}, {
			Name:        "salint.account_fault",
			Description: "The reason for which no account can have a name; undefined for a valid name, and for one that looks like a placeholder.",
			Decl:        define.Function(define.String, define.Arg("name", types.A)), Eval: accountFault,
		}, {
			Name:        "salint.covers",
			Description: "Whether a list of rules allows everything that a rule allows, as the API server decides it.",
			Decl:        define.Function(types.B, define.Arg("rules", define.AnyList), define.Arg("rule", define.AnyMap)), Eval: covers,
		},
	}
}

func bindingsOf(s *evalcontext.Evaluation, subject rbac.Subject) (ast.Value, error) {
	return values.Array(evalcontext.BindingsOf(s.Context, s.Object, subject), bindingValue), nil
}

func adminBindings(s *evalcontext.Evaluation, subject rbac.Subject) (ast.Value, error) {
	return values.Array(evalcontext.AdminBindings(s.Context, s.Object, subject), bindingValue), nil
}

func bindingsTo(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	role, err := s.Lookup(string(ref))
	if err != nil {
		return nil, err
	}
	return values.Array(rbac.BindingsTo(s.Unit, role), func(b rbac.Binding) ast.Value {
		return ast.NewObject(values.Field("subject", values.Subject(b.Subject)), values.Field("binding", bindingValue(b)))
	}), nil
}

func bindingValue(b rbac.Binding) ast.Value {
	roleRef := ""
	if b.RoleObject != nil {
		roleRef = b.RoleObject.Ref()
	}
	return ast.NewObject(
		values.Field("ref", ast.String(b.Object.Ref())), values.Field("kind", ast.String(b.Object.Kind)), values.Field("name", ast.String(b.Object.Name)),
		values.Field("scope", ast.String(b.Scope)), values.Field("role", values.Role(b.Role)),
		values.Field("role_ref", ast.String(roleRef)), values.Field("role_ties", values.Refs(b.RoleTie)),
		values.Field("subject_index", values.Number(b.SubjectIndex)), values.Field("via", ast.String(b.Via)),
		values.Field("uncertain", ast.Boolean(b.Uncertain)), values.Field("ties", values.Refs(b.Tie)),
	)
}

func effectiveRules(s *evalcontext.Evaluation, subject rbac.Subject) (ast.Value, error) {
	effective := evalcontext.EffectiveRules(s.Context, s.Object, subject)
	namespaces := ast.NewObject()
	for namespace, rules := range effective.Namespaces {
		namespaces.Insert(ast.StringTerm(namespace), ast.NewTerm(s.Values.OfRules(rules)))
	}
	return ast.NewObject(
		values.Field("cluster", s.Values.OfRules(effective.Cluster)),
		values.Field("namespaces", namespaces),
		values.Field("unknown", values.Array(effective.Unknown, values.Role)),
		values.Field("partial", values.Array(effective.Partial, values.Role)),
	), nil
}

func roleRules(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	ref, _ := args[0].Value.(ast.String)
	role, err := s.Lookup(string(ref))
	if err != nil {
		return nil, err
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		// The API server refuses such a role, so it grants nothing that is known.
		return nil, nil
	}
	return values.Array(rules, values.Rule), nil
}

func refusals(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	binding, err := evalcontext.Of(ctx).ObjectIn(args[0])
	if binding == nil || err != nil {
		return nil, err
	}
	return values.Array(rbac.Refusals(binding), func(r rbac.Refusal) ast.Value {
		return ast.NewObject(values.Field("path", values.Path(binding.Node, r.Path)), values.Field("case", ast.String(r.Case)), values.Field("why", ast.String(r.Why)))
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
	values := evalcontext.ValuesOf(ctx)
	owned, _ := values.ReadRules(args[0])
	wanted, ok := values.ReadRule(args[1])
	if !ok {
		return nil, errors.New("the second argument must be a rule: an object with lists of strings")
	}
	return ast.Boolean(policyrules.CoversRule(owned, wanted)), nil
}
