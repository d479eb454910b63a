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

// failure is salint's exit code for usage errors and internal errors.
const failure = 2

// Step is one run of the action.
type Step struct {
	// Salint is the path of the program to run.
	Salint string
	// Getenv reads the environment: the inputs, and the names of GitHub's files in GITHUB_… variables.
	Getenv func(string) string
	// Log receives annotations and messages; the runner reads both from it.
	Log io.Writer
}

// Run lints and reports. It returns the exit code of salint after writing outputs and summary, or 2 if it failed; the log
// then contains an annotation with the reason.
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
	// Each run has a separate folder for reports, so that an older report is never used.
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

// since returns the revision that changed-only compares with.
func (s *Step) since(in Inputs) (string, error) {
	if !in.ChangedOnly {
		return "", nil
	}
	revision, err := baseRevision(s.Getenv("GITHUB_EVENT_PATH"))
	if err == nil && revision == "" {
		fmt.Fprintf(s.Log, "::notice title=salint::changed-only: the event %s has no earlier commit to compare with, so "+
			"findings in all files are reported\n", escape(s.Getenv("GITHUB_EVENT_NAME")))
	}
	return revision, err
}

// lint runs salint and returns its exit code. The error reports that the program could not be started.
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

// publish writes outputs and summary. A run with exit code 2 may have written no report: then there is nothing to publish,
// and the log contains the error.
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
