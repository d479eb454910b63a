package applications

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// Builtins are about Argo CD's and Flux's handling of the objects that they apply.
func Builtins() []*policy.Builtin {
	place := define.Record("ref", define.String, "path", define.Path)
	late := define.Record("ref", define.String, "resource", types.A, "never", types.B, "together", types.B, "why", define.String,
		"annotation", define.String, "place", place)
	danger := []any{"path", define.Path, "what", define.String, "effect", define.String}
	return append([]*policy.Builtin{
		{
			Name:        "salint.late_grants",
			Description: "The objects that grant a subject permissions (its account, its bindings, their roles), and that are applied never, or after `input.resource`, which needs them.",
			Decl:        define.Function(define.List(late), define.Arg("subject", define.AnyMap)),
			Eval:        define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.RememberedFor("late_grants", define.Reading(values.ReadSubject, lateGrants))),
		}, {
			Name:        "salint.late_accounts",
			Description: "The pods of a workload whose account is created later in a release or sync, or never; or, for an account, the pods of workloads without an order that run as it before it exists.",
			Decl: define.Function(define.List(define.Record("pod", place, "pod_resource", types.A, "account", define.String, "resource", types.A, "never", types.B, "why", define.String,
				"annotation", define.String)), define.Arg("resource", types.A)),
			Eval: define.Asking(define.OneOfEach([]string{"ServiceAccount"}), define.Inside(lateAccounts)),
		}, {
			Name:        "salint.sync_dangers",
			Description: "The annotations and labels that can make the tool that applies a resource delete it; undefined for a value that is not an object of the unit.",
			Decl:        define.Function(define.List(define.Record(danger...)), define.Arg("resource", types.A)), Eval: define.Inside(syncDangers),
		}, {
			Name:        "salint.endangered",
			Description: "The fields of `input.resource`, an application of Argo CD or Flux, that can make it delete objects that it applies and that match a query.",
			Decl:        define.Function(define.List(define.Record(append(danger, "objects", define.Found)...)), define.Arg("query", define.AnyMap)),
			Eval:        define.Asking(define.KindOfQuery, define.RememberedFor("endangered", define.Reading(fieldquery.ReadPlain, endangered))),
		},
	}, actingBuiltins()...)
}

func lateGrants(s *evalcontext.Evaluation, subject rbac.Subject) (ast.Value, error) {
	if s.Object == nil {
		return nil, nil
	}
	return values.Array(s.Delivery.LateGrants(s.Unit, s.Object, subject), func(l delivery.LateGrant) ast.Value {
		return ast.NewObject(
			values.Field("ref", ast.String(l.Object.Ref())), values.Field("resource", s.Values.Of(l.Object)),
			values.Field("never", ast.Boolean(l.Ordering.Relation == applying.Never)), values.Field("together", ast.Boolean(l.Together)),
			values.Field("why", ast.String(l.Ordering.Why)),
			values.Field("annotation", ast.String(l.Ordering.Annotation)), values.Field("place", gitopsPlace(l.Ordering.Location)),
		)
	}), nil
}

func lateAccounts(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	o := s.ObjectWith(args[0].Value)
	if o == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	return values.Array(s.Delivery.LateAccounts(s.Unit, o, s.PodSpecs...), func(l delivery.LateAccount) ast.Value {
		return ast.NewObject(
			values.Field("pod", gitopsPlace(view.Location{Object: l.Workload, Path: l.Path})), values.Field("pod_resource", s.Values.Of(l.Workload)),
			values.Field("account", ast.String(l.Account.Ref())), values.Field("resource", s.Values.Of(l.Account)),
			values.Field("never", ast.Boolean(l.Ordering.Relation == applying.Never)), values.Field("why", ast.String(l.Ordering.Why)),
			values.Field("annotation", ast.String(l.Ordering.Annotation)),
		)
	}), nil
}

// gitopsPlace is a place in an object, with an empty ref for none.
func gitopsPlace(p view.Location) ast.Value {
	if p.Object == nil {
		return ast.NewObject(values.Field("ref", ast.String("")), values.Field("path", ast.NewArray()))
	}
	return ast.NewObject(values.Field("ref", ast.String(p.Object.Ref())), values.Field("path", values.Path(p.Object.Node, p.Path)))
}

func syncDangers(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	o := s.ObjectWith(args[0].Value)
	if o == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	return values.Array(s.Delivery.DestructiveAnnotations(s.Unit, o), func(d delivery.DestructiveField) ast.Value {
		return ast.NewObject(dangerFields(o.Node, d)...)
	}), nil
}

func endangered(s *evalcontext.Evaluation, query objects.Query) (ast.Value, error) {
	if s.Object == nil {
		return nil, nil
	}
	return values.Array(s.Delivery.DestructiveOptions(s.Object, query), func(d delivery.DestructiveField) ast.Value {
		objects := s.Found(objects.SortedOnce(append([]*objects.Object{}, d.Objects...)))
		return ast.NewObject(append(dangerFields(s.Object.Node, d), values.Field("objects", objects))...)
	}), nil
}

func dangerFields(root *manifest.Node, d delivery.DestructiveField) [][2]*ast.Term {
	return [][2]*ast.Term{
		values.Field("path", values.Path(root, d.Path)), values.Field("what", ast.String(d.What)), values.Field("effect", ast.String(d.Effect)),
	}
}
