package sandbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

// RunTests runs the tests in files whose names match a regular expression; "" runs all. With cover, the lines that they and later
// evaluations reach are collected. The error names the test that exceeded a limit.
func (s *Sandbox) RunTests(ctx context.Context, files []*metadata.File, run string, cover bool) ([]policy.TestResult, error) {
	request := testRequest{Run: run, Cover: cover}
	s.pool.setSingle(cover) // the lines that are reached are counted in one process
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
		return nil, fmt.Errorf("%s%w", s.testThatFails(ctx, tests, request), err)
	}
	if err != nil {
		return nil, err
	}
	return result.Tests, nil
}

// Lines returns the lines of the user's policies by their files, if RunTests has collected those that were reached.
func (s *Sandbox) Lines(ctx context.Context) (map[string]policy.Lines, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	result, err := s.exchange(ctx, toChild{Lines: true}, compileTime, nil)
	if err != nil {
		return nil, err
	}
	return result.Lines, nil
}

// testThatFails returns the name and the place of the first test that exceeds a limit when it runs alone, for the beginning of an
// error.
func (s *Sandbox) testThatFails(ctx context.Context, files []*metadata.File, request testRequest) string {
	for _, f := range files {
		for _, test := range f.Tests {
			request.Alone = test.Name
			var limit *policy.LimitError
			if _, err := s.test(ctx, request); errors.As(err, &limit) {
				return fmt.Sprintf("%s:%d: %s: ", f.Name, test.Row, test.Name)
			}
		}
	}
	return "the tests were "
}
