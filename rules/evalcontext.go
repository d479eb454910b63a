package rules

import (
	"context"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// EvalContext is what an object is judged in.
type EvalContext struct {
	// Unit is the deployment unit that the object is looked at in; Units are all units of the repository.
	Unit  *objects.Unit
	Units []*objects.Unit
	// Context tells that nobody asked about the object: what is found only counts where it is about another.
	Context bool
	// Target is the release or model the unit is judged for.
	Target olm.Target
	// TargetAsked is true when the user named it, TargetKnown when anything did; else Target is a default.
	TargetAsked, TargetKnown bool
	// DetectedFrom is the place of the sign that tells the target, file:line, or "".
	DetectedFrom string
	// Now is what counts as the current time; the zero value is unknown.
	Now time.Time
	// Signs are those of the unit that say which target it is, each with the Ref of its object.
	Signs []olm.Sign
	// Mentions lists who names an account anywhere in the repository; nil: nobody can tell.
	Mentions func(context.Context, objects.Account) ([]objects.Mention, error)
	// Bundles are those of extensions, and Installer tells who installs one; nil: there are none.
	Bundles   *bundles.Library
	Installer func(*objects.Unit, *objects.Object) (*installer.Installer, error)
	// Delivery is what Argo CD and Flux say of the units; nil: nothing.
	Delivery *delivery.Delivery
	// PodSpecs are kinds that embed a pod, beyond those that everybody knows.
	PodSpecs []objects.PodSpecKind
	// NotChecked takes note of what could not be found out about an object, why, and which files that comes from; nil does
	// not. It may be called by several goroutines.
	NotChecked func(o *objects.Object, reason string, causes []finding.Place)
}

// scene is what the built-in functions of one evaluation know: the world, and the object that is judged.
type scene struct {
	EvalContext
	object   *objects.Object // nil for rules about units
	resource ast.Value       // the object as the policy sees it
	values   *valueCache
	program  *program // the rule that is evaluated
}

// with is the scene for the evaluation of one rule.
func (s *scene) with(p *program) *scene {
	scene := *s
	scene.program = p
	return &scene
}

type sceneKey struct{}

func (s *scene) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, sceneKey{}, s)
}

// sceneOf is nil outside an evaluation on a repository: in a unit test of a policy.
func sceneOf(ctx context.Context) *scene {
	s, _ := ctx.Value(sceneKey{}).(*scene)
	return s
}

// input is the document that a policy sees as `input`.
func (s *scene) input() ast.Value {
	input := ast.NewObject(
		field("model", ast.String(s.Target.Model)),
		field("target", s.target()),
		field("unit", s.unit()),
	)
	if !s.Now.IsZero() {
		input.Insert(ast.InternedTerm("now"), ast.StringTerm(s.Now.UTC().Format(time.RFC3339)))
	}
	if s.resource != nil {
		input.Insert(ast.InternedTerm("resource"), ast.NewTerm(s.resource))
	}
	return input
}

func (s *scene) target() ast.Value {
	return ast.NewObject(
		field("name", ast.String(s.Target.Name)),
		field("model", ast.String(s.Target.Model)),
		field("proposed", ast.Boolean(s.Target.Proposed)),
		field("placeholder", ast.Boolean(s.Target.Placeholder)),
		field("asked", ast.Boolean(s.TargetAsked)),
		field("known", ast.Boolean(s.TargetKnown)),
		field("detected_from", ast.String(s.DetectedFrom)),
	)
}

func (s *scene) unit() ast.Value {
	transforms := make([]*ast.Term, 0, len(s.Unit.Transforms))
	for _, t := range s.unseen() {
		transforms = append(transforms, ast.NewTerm(ast.NewObject(
			field("field", ast.String(t.Field)),
			field("value", ast.String(t.Value)),
			field("file", ast.String(t.Position.File)),
			field("line", number(t.Position.Line)),
		)))
	}
	return ast.NewObject(
		field("name", ast.String(s.Unit.Name)),
		field("kind", ast.String(s.Unit.Kind)),
		field("root", ast.String(s.Unit.Root)),
		field("transforms", ast.NewArray(transforms...)),
		field("remotes", s.remotes()),
		field("problems", s.problems()),
	)
}

// unseen are the changes that the objects of the unit do not show: what was built shows them.
func (s *scene) unseen() []objects.Transform {
	if s.Unit.Built {
		return nil
	}
	return s.Unit.Transforms
}

// remotes are the entries of the unit's kustomizations that lead out of the repository.
func (s *scene) remotes() ast.Value {
	remotes := make([]*ast.Term, 0, len(s.Unit.Remotes))
	for _, r := range s.Unit.Remotes {
		remotes = append(remotes, ast.NewTerm(ast.NewObject(
			field("value", ast.String(r.Value)),
			field("file", ast.String(r.Position.File)),
			field("line", number(r.Position.Line)),
		)))
	}
	return ast.NewArray(remotes...)
}

// problems are what of the unit could not be followed or read.
func (s *scene) problems() ast.Value {
	return arrayOf(s.Unit.Problems, func(p objects.Problem) ast.Value {
		return ast.NewObject(
			field("message", ast.String(p.Message)), field("file", ast.String(p.Position.File)), field("line", number(p.Position.Line)),
		)
	})
}

func field(name string, value ast.Value) [2]*ast.Term {
	return ast.Item(ast.InternedTerm(name), ast.NewTerm(value))
}

func number(n int) ast.Value { return ast.InternedTerm(n).Value }
