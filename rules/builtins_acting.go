package rules

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/impersonation"
	"github.com/salint/salint/rules/policy"
)

// actingBuiltins are about the accounts as which Argo CD and Flux apply objects.
func actingBuiltins() []*policy.Builtin {
	scoped := listOf(record("namespace", textType, "rules", listOf(ruleType), "texts", textsType))
	place := record("ref", textType, "path", pathType)
	acting := []any{"path", pathType, "tool", textType, "application", place, "title", textType, "namespace", textType, "name", textType}
	return []*policy.Builtin{
		{
			Name:        "salint.acting_accounts",
			Description: "The accounts as which Argo CD or Flux applies objects because of `input.resource`: a Kustomization or HelmRelease of Flux, or an AppProject of Argo CD.",
			Decl:        function(listOf(record(append(acting, "siblings", textsType, "brought", types.B)...)), arg("resource", types.A)),
			Eval:        asking(oneOfEach([]string{"ServiceAccount"}, opaqueInstallerKinds), inside(actingAccounts)),
		},
		{
			Name:        "salint.apply_preflight",
			Description: "The permissions that these accounts need to apply the objects of their applications, and that the repository does not grant to them.",
			Decl: function(listOf(record(append(acting, "missing", scoped, "summary", scoped, "unknown", listOf(roleType), "uncertain", types.B)...)),
				arg("resource", types.A)),
			Eval: asking(oneOfEach(bindingKinds, roleKinds), applyPreflight),
		},
	}
}

// actings returns the applications whose account the object of a resource names.
func actings(s *scene, resource ast.Value) []delivery.Acting {
	o := s.objectWith(resource)
	if o == nil || s.Unit.Object(o.Ref()) != o {
		return nil
	}
	return s.Delivery.Actings(o)
}

// actingFields returns the fields that both functions return.
func actingFields(a delivery.Acting) [][2]*ast.Term {
	app := a.Application
	return [][2]*ast.Term{
		field("path", pathValue(a.Location.Object.Node, a.Location.Path)), field("tool", ast.String(app.Tool)),
		field("application", gitopsPlace(gitops.Location{Object: app.Object})), field("title", ast.String(titleOf(app))),
		field("namespace", ast.String(a.Account.Namespace)), field("name", ast.String(a.Account.Name)),
	}
}

// titleOf returns the kind, namespace, and name of an application in messages.
func titleOf(a *gitops.Application) string {
	kind := "Application"
	if a.Tool != gitops.ArgoCD {
		kind = a.Object.Kind
	}
	if a.Namespace.Value == "" {
		return kind + " " + a.Name.Value
	}
	return kind + " " + a.Namespace.Value + "/" + a.Name.Value
}

func actingAccounts(s *scene, args []*ast.Term) (ast.Value, error) {
	return arrayOf(actings(s, args[0].Value), func(a delivery.Acting) ast.Value {
		around := s.Delivery.Neighbors(a)
		return ast.NewObject(append(actingFields(a),
			field("siblings", arrayOf(around.Accounts, textValue)), field("brought", ast.Boolean(len(around.Installers) > 0)))...)
	}), nil
}

func applyPreflight(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	return inside(func(s *scene, args []*ast.Term) (ast.Value, error) {
		found := ast.NewArray()
		for _, a := range actings(s, args[0].Value) {
			if a.Account.Name == "" {
				continue
			}
			result, err := checkActing(s, ctx, a)
			if err != nil {
				return nil, err
			}
			if result != nil && len(result.Missing) > 0 {
				found = found.Append(ast.NewTerm(ast.NewObject(append(actingFields(a),
					field("missing", arrayOf(result.Missing, scopedValue)), field("summary", arrayOf(result.Summary(), scopedValue)), field("unknown", arrayOf(result.Doubtful, roleValue)),
					field("uncertain", ast.Boolean(result.Uncertain)))...)))
			}
		}
		return found, nil
	})(ctx, args)
}

// checkActing returns what the account of an application lacks.
func checkActing(s *scene, ctx context.Context, a delivery.Acting) (*impersonation.Result, error) {
	in := impersonation.Input{Application: a.Application, Account: a.Account}
	in.Near, in.Others = s.Delivery.Granting(a)
	for _, unit := range a.Units {
		complete, err := contents(s, ctx, unit)
		if err != nil {
			return nil, err
		}
		in.Units = append(in.Units, complete)
	}
	return impersonation.Check(in), nil
}

func contents(s *scene, ctx context.Context, unit *objects.Unit) (*objects.Unit, error) {
	if s.Contents == nil {
		return unit, nil
	}
	return s.Contents(ctx, unit)
}
