package rules

import (
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
)

// answerKey identifies a question to a unit. Questions repeat: every rule about an extension asks for the same bindings.
type answerKey struct {
	// cache separates the answers of two evaluators: the values in them belong to one of them
	cache    *valueCache
	function string
	args     string
	object   *objects.Object
}

type answer struct {
	value ast.Value
	err   error
}

// remember returns the answer to a question, computed once for each unit.
func (s *scene) remember(key answerKey, compute func() (ast.Value, error)) (ast.Value, error) {
	key.cache = s.values
	a := s.Unit.Cached(key, func() any {
		value, err := compute()
		return answer{value, err}
	}).(answer)
	return a.value, a.err
}

// rememberForObject is remember for a question about the evaluated object. Rules about one object are evaluated one after the other, so
// two of them hardly ever compute the same answer at once; if they do, the answers are equal.
func (s *scene) rememberForObject(key answerKey, compute func() (ast.Value, error)) (ast.Value, error) {
	if known, ok := s.own.Load(key); ok {
		return known.(answer).value, known.(answer).err
	}
	value, err := compute()
	s.own.Store(key, answer{value, err})
	return value, err
}

// Shared holds answers that concern all units of a repository, so that they are computed once and not for each unit. The zero
// value is empty. It is safe for concurrent use; all evaluations that share it must have the same Units.
type Shared struct{ answers sync.Map }

// cached returns the result of build, computed on first use; without a Shared, it is kept with the unit.
func (s *scene) cached(key any, build func() any) any {
	if s.Shared == nil {
		return s.Unit.Cached(key, build)
	}
	value, _ := s.Shared.answers.LoadOrStore(key, sync.OnceValue(build))
	return value.(func() any)()
}

// rememberEverywhere is remember for a question to all units.
func (s *scene) rememberEverywhere(key answerKey, compute func() (ast.Value, error)) (ast.Value, error) {
	key.cache = s.values
	a := s.cached(key, func() any {
		value, err := compute()
		return answer{value, err}
	}).(answer)
	return a.value, a.err
}

// argsKey is the text of the arguments, with the keys of objects sorted.
func argsKey(args []*ast.Term) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// forget drops the answers with some values that are kept with units.
func forget(units []*objects.Unit, values *valueCache) {
	for _, u := range units {
		u.Forget(func(key any) bool {
			answer, ok := key.(answerKey)
			return ok && answer.cache == values
		})
	}
}
