package evaluate

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/conditions"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// memoryLimit limits the growth of the program while one rule is evaluated on one object.
const memoryLimit = 512 << 20

// Evaluate evaluates on an object the rules for its kind; with a nil object, the rules about the unit as a whole. Reports
// are sorted. A failing rule does not prevent others from being evaluated: the error joins one *Error for each, and
// there can be reports as well. Any other error means that policies could not be compiled, or that ctx is done.
func (e *Evaluator) Evaluate(ctx context.Context, w evalcontext.Context, obj *objects.Object) ([]Report, error) {
	selected := e.Select(w, obj)
	if err := e.Compile(ctx, selected); err != nil {
		return nil, err
	}
	return e.Run(ctx, selected)
}

// Selection is an object with the rules that are evaluated on it; nil is one without rules.
type Selection struct {
	evaluation *evalcontext.Evaluation
	programs   []*program
	known      policy.Known
}

// Select returns the rules that can have findings about an object, or with nil about the unit.
func (e *Evaluator) Select(w evalcontext.Context, obj *objects.Object) *Selection {
	programs := e.programsFor(w.Unit, obj)
	if w.NotAsked && obj != nil {
		programs = slices.DeleteFunc(programs, func(p *program) bool { return !mayPointElsewhere(&p.rule) })
	}
	s := evalcontext.New(w, obj, &e.values)
	if !e.All && obj != nil {
		candidate := conditions.New(s)
		programs = slices.DeleteFunc(programs, func(p *program) bool {
			return !p.rule.User && candidate.Exclude(p.rule.EvaluateIf)
		})
	}
	if len(programs) == 0 {
		return nil
	}
	return &Selection{evaluation: s, programs: programs}
}

// Run evaluates the rules of a selection, which are compiled, as Evaluate does.
func (e *Evaluator) Run(ctx context.Context, selected *Selection) ([]Report, error) {
	if selected == nil {
		return nil, nil
	}
	var reports []Report
	var failed []error
	s := selected.evaluation
	input := s.Input()
	for _, p := range selected.programs {
		if p.stopped.Load() {
			continue
		}
		var found []Report
		err := policy.Contain(func() (err error) {
			found, err = e.runOne(ctx, selected, p, input)
			return err
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed = append(failed, &Error{Rule: p.rule.Name, User: p.rule.User, Object: s.Object, Err: err})
		}
		reports = append(reports, found...)
	}
	slices.SortStableFunc(reports, compareReports)
	tellApart(reports)
	return reports, errors.Join(failed...)
}

// Judges reports whether Evaluate has a rule to evaluate on an object, or with nil on the unit. The caller need not compute
// the context of an object without rules.
func (e *Evaluator) Judges(unit *objects.Unit, obj *objects.Object) bool {
	return len(e.programsFor(unit, obj)) > 0
}

// programsFor returns the rules that can have findings.
func (e *Evaluator) programsFor(unit *objects.Unit, obj *objects.Object) []*program {
	var programs []*program
	if obj == nil {
		for _, p := range e.ofUnits {
			if p.judgesUnit(unit) {
				programs = append(programs, p)
			}
		}
		return programs
	}
	for _, p := range slices.Concat(e.byKind[metadata.KindKey(obj.Kind, obj.Group)], e.ofAll) {
		if e.mayFire(p, obj) {
			programs = append(programs, p)
		}
	}
	return programs
}

// judgesUnit reports whether the unit has an object of the rule's kinds.
func (p *program) judgesUnit(unit *objects.Unit) bool {
	return p.rule.All && len(unit.Objects) > 0 || slices.ContainsFunc(p.rule.Kinds, func(kind string) bool {
		group := ""
		if i := len(metadata.BareKind(kind)); i < len(kind) {
			group = kind[i+1:]
		}
		return len(unit.Find(objects.Query{Kind: metadata.BareKind(kind), Group: &group})) > 0
	})
}

// mayFire reports whether a rule can have findings about an object.
func (e *Evaluator) mayFire(p *program, obj *objects.Object) bool {
	if len(p.rule.SkipUnless) > 0 && e.Skippable != nil && e.Skippable(p.rule.Name, obj.Doc) {
		return false
	}
	return p.mayFire(obj)
}

// mayFire reports whether the document of an object contains one of the words without which the rule has no findings. A
// list can contain thousands of objects, and is searched once for all of them.
func (p *program) mayFire(obj *objects.Object) bool {
	if len(p.words) == 0 {
		return true
	}
	doc := obj.Text()
	if len(obj.Path) == 0 {
		return p.hasWord(doc)
	}
	found, known := p.lists.Load(doc)
	if !known {
		found, _ = p.lists.LoadOrStore(doc, p.hasWord(doc))
	}
	return found.(bool)
}

func (p *program) hasWord(doc *manifest.Document) bool {
	data := doc.Bytes()
	contains := func(w []byte) bool { return bytes.Contains(data, w) }
	if slices.ContainsFunc(p.words, contains) {
		return true
	}
	data = wordfilter.WithoutEscapes(data)
	return slices.ContainsFunc(p.words, contains)
}

func (e *Evaluator) runOne(ctx context.Context, selected *Selection, p *program, input ast.Value) ([]Report, error) {
	p.evaluations.Add(1)
	for {
		evaluation := selected.evaluation.ForRule(p.reads)
		input, err := e.withParameters(evaluation, p, input)
		if err != nil {
			return nil, err
		}
		result, err := e.runOnce(ctx, evaluation, p, &selected.known, input)
		if again, cancelled := evaluation.BuildPending(ctx); !again || cancelled != nil {
			e.inspect(evaluation, p, input, result, err)
			return result.reports, errors.Join(err, cancelled)
		}
	}
}

// withParameters adds the parameters of a rule to its input.
func (e *Evaluator) withParameters(s *evalcontext.Evaluation, p *program, input ast.Value) (ast.Value, error) {
	if p.rule.Parameters == nil || e.Parameters == nil {
		return input, nil
	}
	file := path.Join(s.Unit.Root, "kustomization.yaml")
	if s.Object != nil {
		file = s.Object.Position(nil).File
	}
	known, err := e.Parameters(&p.rule, file)
	if err != nil {
		return nil, err
	}
	value, err := ast.InterfaceToValue(known)
	if err != nil {
		return nil, err
	}
	merged, _ := input.(ast.Object).Merge(ast.NewObject(values.Field("parameters", value)))
	return merged, nil
}

// runOnce evaluates a rule: one of a user in the sandbox. Its result counts only if no unit is pending.
func (e *Evaluator) runOnce(ctx context.Context, s *evalcontext.Evaluation, p *program, known *policy.Known, input ast.Value) (out outcome, err error) {
	if p.rule.User {
		out.Evaluated, err = e.sandbox.Evaluate(ctx, s, &p.rule, input, e.timeout)
		e.remarks.add(p.rule.Name, s.Object, out.Remarks)
		p.nanoseconds.Add(int64(out.Time))
	} else {
		defer func(start time.Time) { p.nanoseconds.Add(int64(time.Since(start))) }(time.Now())
		out.Value, err = p.query.Load().Evaluate(s.Attach(ctx), input, known, policy.Limits{Time: e.timeout, Memory: memoryLimit})
	}
	if limit := new(policy.LimitError); errors.As(err, &limit) {
		p.stopped.Store(true)
	}
	if err != nil {
		return out, err
	}
	out.reports, err = reports(s, &p.rule, out.Value)
	return out, err
}
