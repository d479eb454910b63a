package evalcontext

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/values"
)

// Input returns the document that a policy receives as `input`.
func (s *Evaluation) Input() ast.Value {
	input := ast.NewObject(
		values.Field("model", ast.String(s.Target.Model)),
		values.Field("target", s.target()),
		values.Field("unit", s.unit()),
	)
	if !s.Now.IsZero() {
		input.Insert(ast.InternedTerm("now"), ast.StringTerm(s.Now.UTC().Format(time.RFC3339)))
	}
	if s.Object != nil {
		input.Insert(ast.InternedTerm("resource"), ast.NewTerm(s.Values.Of(s.Object)))
	}
	return input
}

func (s *Evaluation) target() ast.Value {
	return ast.NewObject(
		values.Field("name", ast.String(s.Target.Name)),
		values.Field("model", ast.String(s.Target.Model)),
		values.Field("proposed", ast.Boolean(s.Target.Proposed)),
		values.Field("placeholder", ast.Boolean(s.Target.Placeholder)),
		values.Field("asked", ast.Boolean(s.TargetAsked)),
		values.Field("known", ast.Boolean(s.TargetKnown)),
		values.Field("detected_from", ast.String(s.DetectedFrom)),
	)
}

func (s *Evaluation) unit() ast.Value {
	transforms := make([]*ast.Term, 0, len(s.Unit.Transforms))
	for _, t := range s.unseen() {
		transforms = append(transforms, ast.NewTerm(ast.NewObject(
			values.Field("field", ast.String(t.Field)),
			values.Field("value", ast.String(t.Value)),
			values.Field("file", ast.String(t.Position.File)),
			values.Field("line", values.Number(t.Position.Line)),
		)))
	}
	return ast.NewObject(
		values.Field("name", ast.String(s.Unit.Name)),
		values.Field("kind", ast.String(s.Unit.Kind)),
		values.Field("root", ast.String(s.Unit.Root)),
		values.Field("transforms", ast.NewArray(transforms...)),
		values.Field("remotes", s.remotes()),
		values.Field("problems", s.problems()),
		values.Field("partial", ast.Boolean(s.Unit.Kind == objects.EmbeddedUnit)),
		values.Field("merged", ast.Boolean(s.Object != nil && s.Object.Embedding != nil && s.Object.Embedding.Merged)),
	)
}

// unseen returns the transforms whose effect the judged object does not show. Built objects show them; those of a base that was left
// out of the build do not.
func (s *Evaluation) unseen() []objects.Transform {
	leftOut := len(s.Unit.LeftOut) > 0 && s.Object != nil && s.Object.Applied == nil
	if s.Unit.Built && !leftOut {
		return nil
	}
	return s.Unit.Transforms
}

// remotes lists the entries of the unit's kustomizations that lead out of the repository, or that were left out of its build: what
// is not found can be there.
func (s *Evaluation) remotes() ast.Value {
	remotes := make([]*ast.Term, 0, len(s.Unit.Remotes)+len(s.Unit.LeftOut))
	for _, left := range s.Unit.LeftOut {
		if left.Missing {
			remotes = append(remotes, ast.NewTerm(ast.NewObject(
				values.Field("value", ast.String(left.Reason)),
				values.Field("file", ast.String(left.Position.File)),
				values.Field("line", values.Number(left.Position.Line)),
			)))
		}
	}
	for _, r := range s.Unit.Remotes {
		remotes = append(remotes, ast.NewTerm(ast.NewObject(
			values.Field("field", ast.String(r.Field)),
			values.Field("value", ast.String(r.Value)),
			values.Field("file", ast.String(r.Position.File)),
			values.Field("line", values.Number(r.Position.Line)),
		)))
	}
	return ast.NewArray(remotes...)
}

// problems lists the parts of the unit that could not be resolved or read.
func (s *Evaluation) problems() ast.Value {
	return values.Array(s.Unit.Problems, func(p objects.Problem) ast.Value {
		return ast.NewObject(
			values.Field("message", ast.String(p.Message)), values.Field("file", ast.String(p.Position.File)), values.Field("line", values.Number(p.Position.Line)),
		)
	})
}
