package admission

import (
	"regexp/syntax"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// Limits for the values of an expression. CEL's cost limit does not include their size: a list that contains the previous
// one twice costs the same in every step, but comparing it takes twice the time. Functions take at most the square of this
// size.
const (
	maxNodes = 10_000
	maxBytes = 10_000
	// maxInstructions limits a compiled regular expression; matching it takes this number times the length of the text.
	maxInstructions = 2_000
)

var (
	errTooLarge    = types.NewErr("a value is larger than %d elements or %d bytes", maxNodes, maxBytes)
	errTooLong     = types.NewErr("the evaluation takes too long")
	errExpression  = types.NewErr("the regular expression is too large, or computed by an expression")
	boundedProgram = cel.CustomDecoratorV2(bound)
)

// bound wraps all steps of a program that create values, so that no value becomes too large, and none is created after the
// timeout.
func bound(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch step := step.(type) {
	case interpreter.InterpretableConst:
		if size(step.Value(), maxNodes) > maxNodes {
			return interpreter.NewConstValue(step.ID(), errTooLarge), nil
		}
	case interpreter.InterpretableConstructor:
		return boundedConstructor{step}, nil
	case interpreter.InterpretableCall:
		if step.Function() == overloads.Matches && !simplePattern(step.Args()) {
			return interpreter.NewConstValue(step.ID(), errExpression), nil
		}
		return boundedCall{step}, nil
	}
	return step, nil
}

type (
	boundedCall        struct{ interpreter.InterpretableCall }
	boundedConstructor struct {
		interpreter.InterpretableConstructor
	}
)

func (b boundedCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return bounded(frame, b.InterpretableCall.Exec)
}

func (b boundedCall) Eval(vars interpreter.Activation) ref.Val {
	return b.Exec(interpreter.AsFrame(vars))
}

func (b boundedConstructor) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return bounded(frame, b.InterpretableConstructor.Exec)
}

func (b boundedConstructor) Eval(vars interpreter.Activation) ref.Val {
	return b.Exec(interpreter.AsFrame(vars))
}

func bounded(frame *interpreter.ExecutionFrame, step func(*interpreter.ExecutionFrame) ref.Val) ref.Val {
	if frame.CheckInterrupt() {
		return errTooLong
	}
	value := step(frame)
	if size(value, maxNodes) > maxNodes {
		return errTooLarge
	}
	return value
}

// size returns the number of elements in a value, including itself, and stops above most. A long text counts as several.
func size(value ref.Val, most int) int {
	switch value := value.(type) {
	case types.String:
		return 1 + textSize(len(value))
	case types.Bytes:
		return 1 + textSize(len(value))
	case *types.Optional:
		if value.HasValue() {
			return 1 + size(value.GetValue(), most-1)
		}
	case traits.Mapper:
		return sizeOf(value.Iterator(), most, func(key ref.Val, most int) int {
			of := size(key, most)
			return of + size(value.Get(key), most-of)
		})
	case traits.Lister:
		return sizeOf(value.Iterator(), most, size)
	}
	return 1
}

func textSize(length int) int {
	const perNode = 100
	if length > maxBytes {
		return maxNodes
	}
	return length / perNode
}

func sizeOf(items traits.Iterator, most int, of func(ref.Val, int) int) int {
	all := 1
	for all <= most && items.HasNext() == types.True {
		all += of(items.Next(), most-all)
	}
	return all
}

// simplePattern reports whether the regular expression of a call is a literal, and small once compiled.
func simplePattern(args []interpreter.InterpretableV2) bool {
	if len(args) < 2 {
		return false
	}
	written, ok := args[1].(interpreter.InterpretableConst)
	if !ok {
		return false
	}
	pattern, ok := written.Value().(types.String)
	if !ok || len(pattern) > maxInstructions {
		return false
	}
	parsed, err := syntax.Parse(string(pattern), syntax.Perl)
	if err != nil {
		return false
	}
	compiled, err := syntax.Compile(parsed.Simplify())
	return err == nil && len(compiled.Inst) <= maxInstructions
}
