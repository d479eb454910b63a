package evaluate

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/policy"
)

// Error reports that a rule could not be evaluated, so that its findings are unknown.
type Error struct {
	Rule string
	// User is set for a rule of the user. The failure of another one is a mistake in salint.
	User bool
	// Object is the object on which the rule was evaluated; nil for a rule about the unit.
	Object *objects.Object
	Err    error
}

func (e *Error) Error() string {
	if e.Object == nil {
		return fmt.Sprintf("rule %s: %v", e.Rule, e.Err)
	}
	return fmt.Sprintf("rule %s on %s %s (%s): %v", e.Rule, e.Object.Kind, e.Object.Name, e.Object.Position(nil), e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Stopped reports whether the rule exceeded a limit: it is not evaluated on further objects.
func (e *Error) Stopped() bool {
	var limit *policy.LimitError
	return errors.As(e.Err, &limit)
}

// Remedy returns what to do about the failure.
func (e *Error) Remedy() string {
	var limit *policy.LimitError
	switch {
	case !e.User || e.Stack() != "":
		return "Please report this: https://github.com/salint/salint/issues"
	case errors.As(e.Err, &limit) && limit.Time:
		return "Fix the rule, disable it, or raise limits.policyTime in .salint.yaml."
	}
	return "Fix the rule, or disable it."
}

// Stack returns the stack of the goroutine if the rule failed by a panic; otherwise "".
func (e *Error) Stack() string {
	var p *policy.PanicError
	if errors.As(e.Err, &p) {
		return p.Stack
	}
	return ""
}

// Failures returns the errors that Evaluate and Run join. Other is an error of another kind: the evaluation ended.
func Failures(err error) (failed []*Error, other error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil, err
	}
	for _, each := range joined.Unwrap() {
		one := new(Error)
		if !errors.As(each, &one) {
			return nil, err
		}
		failed = append(failed, one)
	}
	return failed, nil
}
