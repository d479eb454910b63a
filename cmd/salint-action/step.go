package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// failure is salint's own exit code for wrong usage and faults.
const failure = 2

// Step is one run of the action.
type Step struct {
	// Salint is the path of the program to run.
	Salint string
	// Getenv reads the environment: the inputs and the files that GitHub names in GITHUB_… variables.
	Getenv func(string) string
	// Log is where annotations and messages go; the runner reads both from it.
	Log io.Writer
}

// Run lints and reports. It returns the exit code of salint, after outputs and summary are written, or 2 when it could
// not do its work; the log then holds an annotation that says why.
func (s *Step) Run(ctx context.Context) int {
	code, err := s.run(ctx)
	if err != nil {
		fmt.Fprintf(s.Log, "::error title=salint::%s\n", escape(err.Error()))
		return failure
	}
	return code
}

func (s *Step) run(ctx context.Context) (int, error) {
	in, err := ReadInputs(s.Getenv)
	if err != nil {
		return failure, err
	}
	since, err := s.since(in)
	if err != nil {
		return failure, err
	}
	// Reports go to a folder of this run alone: an older report must never be taken for this run's.
	dir, err := os.MkdirTemp(s.Getenv("RUNNER_TEMP"), "salint-report-")
	if err != nil {
		return failure, err
	}
	defer os.RemoveAll(dir)
	jsonFile, markdownFile := filepath.Join(dir, "report.json"), filepath.Join(dir, "report.md")
	code, err := s.lint(ctx, in.arguments(since, jsonFile, markdownFile))
	if err != nil {
		return failure, err
	}
	return code, s.publish(code, in, jsonFile, markdownFile)
}

// since is the revision that changed-only compares with.
func (s *Step) since(in Inputs) (string, error) {
	if !in.ChangedOnly {
		return "", nil
	}
	revision, err := baseRevision(s.Getenv("GITHUB_EVENT_PATH"))
	if err == nil && revision == "" {
		fmt.Fprintf(s.Log, "::notice title=salint::changed-only: the event %s compares with no earlier commit, so "+
			"everything is reported on\n", escape(s.Getenv("GITHUB_EVENT_NAME")))
	}
	return revision, err
}

// lint runs salint and returns its exit code; a program that cannot be started is an error.
func (s *Step) lint(ctx context.Context, args []string) (int, error) {
	log := &locked{to: s.Log}
	messages := &guard{to: log}
	command := exec.CommandContext(ctx, s.Salint, args...)
	command.Stdout = log
	command.Stderr = messages
	err := command.Run()
	if closing := messages.Close(); closing != nil {
		return failure, closing
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// publish writes outputs and summary. A run that stopped early (exit code 2) may have left no report: then there is
// nothing to publish, and the log says what went wrong.
func (s *Step) publish(code int, in Inputs, jsonFile, markdownFile string) error {
	r, err := readResult(jsonFile)
	if errors.Is(err, os.ErrNotExist) && code == failure {
		return nil
	}
	if err != nil {
		return err
	}
	report, err := os.ReadFile(markdownFile)
	if err != nil {
		return err
	}
	if err := appendTo(s.Getenv("GITHUB_OUTPUT"), formatOutputs(outputs(r, in.SARIFFile))); err != nil {
		return fmt.Errorf("writing the outputs: %w", err)
	}
	if err := appendTo(s.Getenv("GITHUB_STEP_SUMMARY"), summary(r, string(report))); err != nil {
		return fmt.Errorf("writing the job summary: %w", err)
	}
	return nil
}
