package evalcontext

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/rules/values"
)

// Context is the context in which an object is evaluated.
type Context struct {
	// Unit is the deployment unit in which the object is evaluated; Units are all units of the repository.
	Unit  *objects.Unit
	Units []*objects.Unit
	// Deferred are those of Units that are built when a rule asks about an object that they may hold. They are not evaluated.
	Deferred []*objects.Unit
	// Shared keeps answers about all units; nil computes them for each unit.
	Shared *Shared
	// NotAsked is true for an object that the user did not ask about: only findings about other objects count.
	NotAsked bool
	// Target is the release or model for which the unit is checked.
	Target olm.Target
	// TargetAsked is true if the user set the target, TargetKnown if it is set or detected; otherwise its model is unknown.
	TargetAsked, TargetKnown bool
	// DetectedFrom is the place of the deciding signal, file:line, or "".
	DetectedFrom string
	// Now is the current time for policies; the zero value is unknown.
	Now time.Time
	// Signals holds the signals of the unit for its target, each with the Ref of its object.
	Signals []olm.Signal
	// Mentions lists the places that name an account anywhere in the repository; nil if they are unknown. For the object that is
	// evaluated, if it is the account, places that mean another account of that name are left out.
	Mentions func(context.Context, objects.Account, *objects.Object) ([]uses.Place, error)
	// CreatedInTexts lists the places of texts, such as heredocs of scripts, that create an account; nil if they are unknown.
	CreatedInTexts func(context.Context, objects.Account) ([]objects.Position, error)
	// Bundles are those of extensions, and Installer returns the installer of one; nil if there are none.
	Bundles   *bundles.Library
	Installer func(*objects.Unit, *objects.Object) (*installer.Installer, error)
	// Delivery holds the settings of Argo CD and Flux for the units; nil if there are none.
	Delivery *delivery.Delivery
	// Former returns the manifest of an object of a unit, and the same object at the base revision; nil for both if it did not change,
	// or if that cannot be known. It can be nil.
	Former func(*objects.Unit, *objects.Object) (now, before *objects.Object)
	// Contents returns a unit with all of its objects, and not only those that rules need; nil if Unit and Units have all of them.
	Contents func(context.Context, *objects.Unit) (*objects.Unit, error)
	// PodSpecs are kinds that embed a pod, in addition to the known ones.
	PodSpecs []objects.PodSpecKind
	// NotChecked records an unchecked part of an object, with the reason and the files that cause it; it can be nil. It
	// must be safe for concurrent use.
	NotChecked func(o *objects.Object, reason string, causes []finding.Place)
}

// Evaluation is the state that the built-in functions of one evaluation use: the context, and the evaluated object.
type Evaluation struct {
	Context
	Object *objects.Object // nil for rules about units
	Values *values.Cache
	own    *sync.Map // answerKey → answer, of the rules about the object
	// Reads are the kinds, without group, that are certainly read when the rule is evaluated.
	Reads map[string]bool
	// pending collects the deferred units that the rule needs; nil builds them at once.
	pending *pendingUnits
}

// New returns the scene of an object, nil for the unit as a whole; values keeps the objects in the form of policies.
func New(w Context, object *objects.Object, values *values.Cache) *Evaluation {
	return &Evaluation{Context: w, Object: object, Values: values, own: new(sync.Map)}
}

// ForRule returns the scene for the evaluation of a rule that reads some kinds.
func (s *Evaluation) ForRule(reads map[string]bool) *Evaluation {
	one := *s
	one.Reads, one.pending = reads, &pendingUnits{}
	return &one
}

type sceneKey struct{}

func (s *Evaluation) Attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, sceneKey{}, s)
}

// Of returns nil outside of an evaluation on a repository: in a unit test of a policy, and in the process that evaluates
// policies of users, where it records that the function needs the repository.
func Of(ctx context.Context) *Evaluation {
	if asked, ok := ctx.Value(askedKey{}).(*bool); ok {
		*asked = true
	}
	s, _ := ctx.Value(sceneKey{}).(*Evaluation)
	return s
}

type askedKey struct{}

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

// NodeOf returns a resource as a node: that of its manifest if it is an object of the repository, otherwise one created
// from the value.
func (s *Evaluation) NodeOf(resource *ast.Term) (*manifest.Node, error) {
	if o := s.ObjectWith(resource.Value); o != nil {
		return o.Node, nil
	}
	value, err := ast.JSON(resource.Value)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	file := manifest.Scan("resource", text)
	if len(file.Docs) != 1 {
		return nil, nil
	}
	if err := file.Docs[0].Parse(); err != nil {
		return nil, err
	}
	return file.Docs[0].Root, nil
}

// ObjectWith returns the object from which a value was created, or nil if the policy created the value. A nil scene has no
// objects.
func (s *Evaluation) ObjectWith(value ast.Value) *objects.Object {
	if s == nil {
		return nil
	}
	return s.Values.ObjectOf(value)
}

// ObjectIn returns the object of the repository for a resource, or one created from the value; nil for a value that is not
// an object.
func (s *Evaluation) ObjectIn(resource *ast.Term) (*objects.Object, error) {
	if o := s.ObjectWith(resource.Value); o != nil {
		return o, nil
	}
	node, err := s.NodeOf(resource)
	if node == nil || err != nil {
		return nil, err
	}
	return objects.Detached(node), nil
}

// Lookup returns the object of a ref, in the unit or in another unit of the repository.
func (s *Evaluation) Lookup(ref any) (*objects.Object, error) {
	name, _ := ref.(string)
	if o := s.Unit.Object(name); o != nil {
		return o, nil
	}
	if err := s.Need(func(unit *objects.Unit) bool { return HasFileOf(unit, name) }); err != nil {
		return nil, err
	}
	for _, unit := range s.Units {
		if unit.Pending() {
			continue
		}
		if o := unit.Applied().Object(name); o != nil {
			return o, nil
		}
	}
	return nil, fmt.Errorf("there is no object with the ref %q: use refs of salint.find, salint.lookup, or similar functions", name)
}

// Found is the answer of functions that find objects.
func (s *Evaluation) Found(objs []*objects.Object) ast.Value {
	return values.Array(objs, func(o *objects.Object) ast.Value {
		return ast.NewObject(values.Field("ref", ast.String(o.Ref())), values.Field("resource", s.Values.Of(o)))
	})
}

// ValuesOf returns the values of an evaluation, nil outside of one. Reading rules needs no repository, so this does not ask for it.
func ValuesOf(ctx context.Context) *values.Cache {
	if s, _ := ctx.Value(sceneKey{}).(*Evaluation); s != nil {
		return s.Values
	}
	return nil
}

// RecordUse returns a context for which it is recorded whether a function needs the repository.
func RecordUse(ctx context.Context, asked *bool) context.Context {
	return context.WithValue(ctx, askedKey{}, asked)
}
