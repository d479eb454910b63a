package applications

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/impersonation"
	"github.com/salint/salint/rules/builtins/bundles"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/builtins/pods"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// actingBuiltins are about the accounts as which Argo CD and Flux apply objects.
func actingBuiltins() []*policy.Builtin {
	scoped := define.List(define.Record("namespace", define.String, "rules", define.List(define.Rule), "texts", define.Strings))
	place := define.Record("ref", define.String, "path", define.Path)
	acting := []any{"by_default", place, "path", define.Path, "tool", define.String, "application", place, "title", define.String, "namespace", define.String, "name", define.String}
	return []*policy.Builtin{
		{
			Name:        "salint.acting_accounts",
			Description: "The accounts as which Argo CD or Flux applies objects because of `input.resource`: a Kustomization or HelmRelease of Flux, or an AppProject of Argo CD.",
			Decl:        define.Function(define.List(define.Record(append(acting, "siblings", define.Strings, "brought", types.B)...)), define.Arg("resource", types.A)),
			Eval:        define.Asking(define.OneOfEach([]string{"ServiceAccount"}, pods.OpaqueInstallerKinds), define.Inside(actingAccounts)),
		}, {
			Name:        "salint.apply_preflight",
			Description: "The permissions that these accounts need to apply the objects of their applications, and that the repository does not grant to them.",
			Decl: define.Function(define.List(define.Record(append(acting, "missing", scoped, "summary", scoped, "unknown", define.List(define.Role), "uncertain", types.B, "purposes", define.Strings)...)),
				define.Arg("resource", types.A)),
			Eval: define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), applyPreflight),
		},
	}
}

// actings returns the applications whose account the object of a resource names.
func actings(s *evalcontext.Evaluation, resource ast.Value) []delivery.Acting {
	o := s.ObjectWith(resource)
	if o == nil || s.Unit.Object(o.Ref()) != o {
		return nil
	}
	return s.Delivery.Actings(o)
}

// actingFields returns the fields that both functions return.
func actingFields(a delivery.Acting) [][2]*ast.Term {
	app := a.Application
	return [][2]*ast.Term{
		values.Field("by_default", gitopsPlace(view.Location{Object: a.Default, Path: manifest.Path{"metadata", "name"}})),
		values.Field("path", values.Path(a.Location.Object.Node, a.Location.Path)), values.Field("tool", ast.String(app.Tool)),
		values.Field("application", gitopsPlace(view.Location{Object: app.Object})), values.Field("title", ast.String(titleOf(app))),
		values.Field("namespace", ast.String(a.Account.Namespace)), values.Field("name", ast.String(a.Account.Name)),
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

func actingAccounts(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	return values.Array(actings(s, args[0].Value), func(a delivery.Acting) ast.Value {
		around := s.Delivery.Neighbors(a)
		return ast.NewObject(append(actingFields(a),
			values.Field("siblings", values.Array(around.Accounts, values.String)), values.Field("brought", ast.Boolean(len(around.Installers) > 0)))...)
	}), nil
}

func applyPreflight(ctx context.Context, args []*ast.Term) (ast.Value, error) {
	return define.Inside(func(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
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
					values.Field("missing", values.Array(result.Missing, bundles.Scoped)), values.Field("summary", values.Array(result.Summary(), bundles.Scoped)), values.Field("unknown", values.Array(result.Doubtful, values.Role)),
					values.Field("uncertain", ast.Boolean(result.Uncertain)),
					values.Field("purposes", values.Array(result.Purposes, func(p impersonation.Purpose) ast.Value { return ast.String(p) })))...)))
			}
		}
		return found, nil
	})(ctx, args)
}

// checkActing returns what the account of an application lacks.
func checkActing(s *evalcontext.Evaluation, ctx context.Context, a delivery.Acting) (*impersonation.Result, error) {
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

func contents(s *evalcontext.Evaluation, ctx context.Context, unit *objects.Unit) (*objects.Unit, error) {
	if s.Contents == nil {
		return unit, nil
	}
	return s.Contents(ctx, unit)
}
