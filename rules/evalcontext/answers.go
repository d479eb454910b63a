package evalcontext

import (
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/values"
)

// Question identifies a question to a unit. Questions repeat: every rule about an extension asks for the same bindings.
type Question struct {
	// cache separates the answers of two evaluators: the values in them belong to one of them
	cache    *values.Cache
	Function string
	Args     string
	Object   *objects.Object
}

// Compute computes the answer to a question.
type Compute = func() (ast.Value, error)

type answer struct {
	value ast.Value
	err   error
}

// Remember returns the answer to a question, computed once for each unit.
func (s *Evaluation) Remember(key Question, compute Compute) (ast.Value, error) {
	return s.rememberIn(s.Unit.Cached, key, compute)
}

// RememberEverywhere is Remember for a question to all units.
func (s *Evaluation) RememberEverywhere(key Question, compute Compute) (ast.Value, error) {
	return s.rememberIn(s.Cached, key, compute)
}

func (s *Evaluation) rememberIn(cached func(key any, build func() any) any, key Question, compute Compute) (ast.Value, error) {
	key.cache = s.Values
	a := cached(key, func() any {
		value, err := compute()
		return answer{value, err}
	}).(answer)
	return a.value, a.err
}

// RememberForObject is Remember for a question about the evaluated object. Rules about one object are evaluated one after the other, so
// two of them hardly ever compute the same answer at once; if they do, the answers are equal.
func (s *Evaluation) RememberForObject(key Question, compute Compute) (ast.Value, error) {
	if known, ok := s.own.Load(key); ok {
		return known.(answer).value, known.(answer).err
	}
	value, err := compute()
	s.own.Store(key, answer{value, err})
	return value, err
}

// Shared holds answers that concern all units of a repository, so that they are computed once and not for each unit. The zero
// value is empty. It is safe for concurrent use; all evaluations that share it must have the same Units.
type Shared struct {
	// Creators are kinds for whose objects an operator creates accounts and roles, in addition to those that the policies know.
	Creators []settings.Creator
	// Clusters returns the known clusters that get a unit with others, or a plain file, each with the bindings, roles, and extensions of its units that
	// are built. It can be nil.
	Clusters func(*objects.Unit, *objects.Object) []*objects.Unit

	answers sync.Map
}

// Cached returns the result of build, computed on first use; without a Shared, it is kept with the unit.
func (s *Evaluation) Cached(key any, build func() any) any {
	if s.Shared == nil {
		return s.Unit.Cached(key, build)
	}
	value, _ := s.Shared.answers.LoadOrStore(key, sync.OnceValue(build))
	return value.(func() any)()
}

// ArgsKey is the text of the arguments, with the keys of objects sorted.
func ArgsKey(args []*ast.Term) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Forget drops the answers with some values that are kept with units.
func Forget(units []*objects.Unit, values *values.Cache) {
	for _, u := range units {
		u.Forget(func(key any) bool {
			answer, ok := key.(Question)
			return ok && answer.cache == values
		})
	}
}
