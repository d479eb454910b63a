package rules

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/policy"
)

// deliveryBuiltins are about Argo CD's and Flux's handling of the objects that they apply.
func deliveryBuiltins() []*policy.Builtin {
	place := record("ref", textType, "path", pathType)
	late := record("ref", textType, "resource", types.A, "never", types.B, "together", types.B, "why", textType,
		"annotation", textType, "place", place)
	danger := []any{"path", pathType, "what", textType, "effect", textType}
	return append([]*policy.Builtin{
		{
			Name:        "salint.late_grants",
			Description: "The objects that grant a subject permissions (its account, its bindings, their roles), and that are applied never, or after `input.resource`, which needs them.",
			Decl:        function(listOf(late), arg("subject", anyMapType)),
			Eval:        asking(oneOfEach(bindingKinds, roleKinds), rememberedFor("late_grants", lateGrants)),
		},
		{
			Name:        "salint.sync_dangers",
			Description: "The annotations and labels that can make the tool that applies a resource delete it; undefined for a value that is not an object of the unit.",
			Decl:        function(listOf(record(danger...)), arg("resource", types.A)), Eval: inside(syncDangers),
		},
		{
			Name:        "salint.endangered",
			Description: "The fields of `input.resource`, an application of Argo CD or Flux, that can make it delete objects that it applies and that match a query.",
			Decl:        function(listOf(record(append(danger, "objects", foundType)...)), arg("query", anyMapType)),
			Eval:        asking(kindOfQuery, rememberedFor("endangered", endangered)),
		},
	}, actingBuiltins()...)
}

func lateGrants(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, ok, err := readSubject(args[0])
	if !ok || err != nil || s.object == nil {
		return nil, err
	}
	return arrayOf(s.Delivery.LateGrants(s.Unit, s.object, subject), func(l delivery.LateGrant) ast.Value {
		return ast.NewObject(
			field("ref", ast.String(l.Object.Ref())), field("resource", s.values.of(l.Object)),
			field("never", ast.Boolean(l.Ordering.Relation == gitops.Never)), field("together", ast.Boolean(l.Together)),
			field("why", ast.String(l.Ordering.Why)),
			field("annotation", ast.String(l.Ordering.Annotation)), field("place", gitopsPlace(l.Ordering.Location)),
		)
	}), nil
}

// gitopsPlace is a place in an object, with an empty ref for none.
func gitopsPlace(p view.Location) ast.Value {
	if p.Object == nil {
		return ast.NewObject(field("ref", ast.String("")), field("path", ast.NewArray()))
	}
	return ast.NewObject(field("ref", ast.String(p.Object.Ref())), field("path", pathValue(p.Object.Node, p.Path)))
}

func syncDangers(s *scene, args []*ast.Term) (ast.Value, error) {
	o := s.objectWith(args[0].Value)
	if o == nil || s.Unit.Object(o.Ref()) != o {
		return nil, nil
	}
	return arrayOf(s.Delivery.DestructiveAnnotations(s.Unit, o), func(d delivery.DestructiveField) ast.Value {
		return ast.NewObject(dangerFields(o.Node, d)...)
	}), nil
}

func endangered(s *scene, args []*ast.Term) (ast.Value, error) {
	query, ok, err := readQuery(args[0])
	if !ok || err != nil || s.object == nil {
		return nil, err
	}
	return arrayOf(s.Delivery.DestructiveOptions(s.object, query), func(d delivery.DestructiveField) ast.Value {
		objects := s.found(sortedOnce(append([]*objects.Object{}, d.Objects...)))
		return ast.NewObject(append(dangerFields(s.object.Node, d), field("objects", objects))...)
	}), nil
}

func dangerFields(root *manifest.Node, d delivery.DestructiveField) [][2]*ast.Term {
	return [][2]*ast.Term{
		field("path", pathValue(root, d.Path)), field("what", ast.String(d.What)), field("effect", ast.String(d.Effect)),
	}
}
