package policy

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic of OPA or of a function in Go.
type PanicError struct {
	value any
	// Stack is that of the goroutine.
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// Contain calls a function, and returns its panic as an error. All that is evaluated for a rule on an object runs in it, because
// manifests are hostile, and the evaluator is large: one rule that fails must not end the run.
func Contain(call func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, string(debug.Stack())}
		}
	}()
	return call()
}
