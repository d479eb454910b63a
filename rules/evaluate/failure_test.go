package evaluate

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/rules/policy"
)

// TestContainedPanic checks that a panic is an error with its stack, and who is asked to correct it.
func TestContainedPanic(t *testing.T) {
	t.Parallel()
	err := policy.Contain(func() error {
		var absent *Error
		return errors.New(absent.Rule)
	})
	if err == nil || !strings.Contains(err.Error(), "internal error: ") {
		t.Fatalf("the error is %v", err)
	}
	e := &Error{Rule: "custom/x", User: true, Err: err}
	if !strings.Contains(e.Stack(), "failure_test.go") || !strings.Contains(e.Remedy(), "Please report this: https://") {
		t.Errorf("%q, %q", e.Stack(), e.Remedy())
	}
	if err := policy.Contain(func() error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestRemedies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		user    bool
		err     error
		stopped bool
		want    string
	}{
		{false, errors.New("a mistake"), false, "Please report this"},
		{true, errors.New("a mistake"), false, "Fix the rule, or disable it."},
		{true, &policy.LimitError{Time: true}, true, "limits.policyTime"},
		{true, fmt.Errorf("it: %w", &policy.LimitError{}), true, "Fix the rule, or disable it."},
	} {
		e := &Error{User: test.user, Err: test.err}
		if !strings.Contains(e.Remedy(), test.want) || e.Stopped() != test.stopped || e.Stack() != "" {
			t.Errorf("%v: %q, stopped %t, %q", test.err, e.Remedy(), e.Stopped(), e.Stack())
		}
	}
}

// TestFailures checks that an error that is not about a rule is not lost among those that are.
func TestFailures(t *testing.T) {
	t.Parallel()
	a, b, other := &Error{Rule: "a"}, &Error{Rule: "b"}, errors.New("cancelled")
	if failed, err := Failures(errors.Join(a, b)); err != nil || len(failed) != 2 || failed[0] != a || failed[1] != b {
		t.Error(failed, err)
	}
	for _, err := range []error{other, errors.Join(a, other)} {
		if failed, got := Failures(err); got == nil || len(failed) > 0 {
			t.Error(failed, got)
		}
	}
	if failed, err := Failures(nil); err != nil || failed != nil {
		t.Error(failed, err)
	}
}
