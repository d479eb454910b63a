package rules

import (
	"fmt"
	"runtime/debug"
)

// panicError is a panic of OPA or of a function in Go.
type panicError struct {
	value any
	// Stack is that of the goroutine.
	Stack string
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// contained calls a function, and returns its panic as an error. All that is evaluated for a rule on an object runs in it, because
// manifests are hostile, and the evaluator is large: one rule that fails must not end the run.
func contained(call func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, string(debug.Stack())}
		}
	}()
	return call()
}
