package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

// RunTests runs the tests in files. The error names the test that exceeded a limit.
func (s *Sandbox) RunTests(ctx context.Context, files []*metadata.File, w io.Writer) (passed, failed int, err error) {
	var request testRequest
	var tests []*metadata.File
	for _, f := range files {
		if f.IsTest() {
			tests = append(tests, f)
			request.Tests = append(request.Tests, SourceOf(f))
		}
	}
	result, err := s.test(ctx, request)
	var limit *policy.LimitError
	if errors.As(err, &limit) {
		return 0, 0, fmt.Errorf("%s%w", s.testThatFails(ctx, tests, request), err)
	}
	if err != nil {
		return 0, 0, err
	}
	_, err = io.WriteString(w, result.Output)
	return result.Passed, result.Failed, err
}

// testThatFails returns the name and the place of the first test that exceeds a limit when it runs alone, for the beginning of an
// error.
func (s *Sandbox) testThatFails(ctx context.Context, files []*metadata.File, request testRequest) string {
	for _, f := range files {
		for _, test := range f.Tests {
			request.Only = test.Name
			var limit *policy.LimitError
			if _, err := s.test(ctx, request); errors.As(err, &limit) {
				return fmt.Sprintf("%s:%d: %s: ", f.Name, test.Row, test.Name)
			}
		}
	}
	return "the tests were "
}
