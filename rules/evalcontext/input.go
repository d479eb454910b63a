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
		values.Field("name", ast.String(s.Target.Name)), values.Field("model", ast.String(s.Target.Model)),
		values.Field("proposed", ast.Boolean(s.Target.Proposed)), values.Field("placeholder", ast.Boolean(s.Target.Placeholder)),
		values.Field("asked", ast.Boolean(s.TargetAsked)), values.Field("known", ast.Boolean(s.TargetKnown)),
		values.Field("detected_from", ast.String(s.DetectedFrom)),
	)
}

func (s *Evaluation) unit() ast.Value {
	return ast.NewObject(
		values.Field("name", ast.String(s.Unit.Name)), values.Field("kind", ast.String(s.Unit.Kind)), values.Field("root", ast.String(s.Unit.Root)),
		values.Field("transforms", values.Array(s.unseen(), func(t objects.Transform) ast.Value {
			return values.At(t.Position, values.Field("field", ast.String(t.Field)), values.Field("value", ast.String(t.Value)))
		})),
		values.Field("remotes", s.remotes()),
		values.Field("problems", values.Array(s.Unit.Problems, func(p objects.Problem) ast.Value {
			return values.At(p.Position, values.Field("message", ast.String(p.Message)))
		})),
		values.Field("unapplied", ast.Boolean(s.Unit.Unapplied != nil)),
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
	var remotes []*ast.Term
	for _, left := range s.Unit.LeftOut {
		if left.Missing {
			remotes = append(remotes, ast.NewTerm(values.At(left.Position, values.Field("value", ast.String(left.Reason)))))
		}
	}
	for _, r := range s.Unit.Remotes {
		remote := values.At(r.Position, values.Field("field", ast.String(r.Field)), values.Field("value", ast.String(r.Value)))
		remotes = append(remotes, ast.NewTerm(remote))
	}
	return ast.NewArray(remotes...)
}
