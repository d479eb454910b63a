package evalcontext

import (
	"context"
	"sync"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/values"
)

// Evaluation is the state that the built-in functions of one evaluation use: the context, and the evaluated object.
type Evaluation struct {
	Context
	Object *objects.Object // nil for rules about units
	Values *values.Cache
	own    *sync.Map // Question → answer, of the rules about the object
	// Reads are the kinds, without group, that are certainly read when the rule is evaluated.
	Reads map[string]bool
	// pending collects the deferred units that the rule needs; nil builds them at once.
	pending *pendingUnits
}

// New returns the evaluation of an object, nil for the unit as a whole; values keeps the objects in the form of policies.
func New(w Context, object *objects.Object, values *values.Cache) *Evaluation {
	return &Evaluation{Context: w, Object: object, Values: values, own: new(sync.Map)}
}

// ForRule returns the evaluation of one rule, which reads some kinds.
func (s *Evaluation) ForRule(reads map[string]bool) *Evaluation {
	one := *s
	one.Reads, one.pending = reads, &pendingUnits{}
	return &one
}

type evaluationKey struct{}

// Attach returns a context from which built-in functions get the evaluation.
func (s *Evaluation) Attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, evaluationKey{}, s)
}

// Of returns the evaluation of a context, nil outside of an evaluation on a repository: in a unit test of a policy, and in the process that evaluates
// policies of users, where it ends the function: see StopOnUse.
func Of(ctx context.Context) *Evaluation {
	if asked, ok := ctx.Value(askedKey{}).(*bool); ok {
		*asked = true
		panic("the function needs the repository")
	}
	s, _ := ctx.Value(evaluationKey{}).(*Evaluation)
	return s
}

type askedKey struct{}

// ValuesOf returns the values of an evaluation, nil outside of one. Reading rules needs no repository, so this does not ask for it.
func ValuesOf(ctx context.Context) *values.Cache {
	if s, _ := ctx.Value(evaluationKey{}).(*Evaluation); s != nil {
		return s.Values
	}
	return nil
}

// StopOnUse returns a context in which a function panics as soon as it needs the repository, after it is recorded: what it would compute
// without the repository counts for nothing.
func StopOnUse(ctx context.Context, asked *bool) context.Context {
	return context.WithValue(ctx, askedKey{}, asked)
}
