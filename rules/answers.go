package rules

import (
	"strings"

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

// argsKey is the text of the arguments, with the keys of objects sorted.
func argsKey(args []*ast.Term) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
		b.WriteByte('\n')
	}
	return b.String()
}
