package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	base, err := s.base(in)
	if err != nil {
		return failure, err
	}
	if in.TrustBase {
		in.ConfigFrom = base
	}
	if in.ChangedOnly && base != "" && !hasHistory(ctx, base) {
		return failure, errors.Join(errShallow, s.addSummary(in, summary{unknown: "## salint: the files were not checked\n\n" + upperFirst(errShallow.Error())}))
	}
	compared := s.compareWith(ctx, in, base)
	// Each run has a separate folder for reports, so that an older report is never used.
	dir, err := os.MkdirTemp(s.Getenv("RUNNER_TEMP"), "salint-report-")
	if err != nil {
		return failure, err
	}
	defer os.RemoveAll(dir)
	jsonFile, markdownFile := filepath.Join(dir, "report.json"), filepath.Join(dir, "report.md")
	allowed, err := s.compare(ctx, in, base, filepath.Join(dir, "diff.md")) // before a fix changes the working tree
	if err != nil {
		return failure, err
	}
	code, err := s.salint(ctx, in.arguments(compared.flag, jsonFile, markdownFile))
	if err != nil {
		return failure, err
	}
	return max(code, allowed.code), s.publish(code, in, jsonFile, markdownFile, summary{compared: allowed.report, isPower: allowed.code != 0, unknown: compared.unknown})
}

// errShallow says why changed-only cannot work.
var errShallow = errors.New("changed-only: the checkout lacks the commit with which it is compared; set `fetch-depth: 0` for actions/checkout")

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// base returns the revision with which changed-only, permissions, and trusted-config compare, and since which settings can have changed;
// "" if the event has none.
func (s *Step) base(in Inputs) (string, error) {
	revision, err := baseRevision(s.Getenv("GITHUB_EVENT_PATH"))
	if !in.ChangedOnly && !in.Permissions && !in.TrustBase {
		return revision, nil
	}
	if err != nil || revision != "" {
		return revision, err
	}
	event := escape(s.Getenv("GITHUB_EVENT_NAME"))
	if in.ChangedOnly {
		fmt.Fprintf(s.Log, "::notice title=salint::changed-only: the event %s has no earlier commit to compare with, so "+
			"findings in all files are reported\n", event)
	}
	if in.Permissions {
		fmt.Fprintf(s.Log, "::notice title=salint::permissions: the event %s has no earlier commit to compare with, so "+
			"permissions are not compared\n", event)
	}
	if in.TrustBase {
		fmt.Fprintf(s.Log, "::notice title=salint::trusted-config: the event %s has no earlier commit to compare with, so "+
			"the configuration is that of the checkout\n", event)
	}
	return "", nil
}

// comparison is the result of salint diff: its exit code, and its report in Markdown.
type comparison struct {
	code   int
	report string
}

// compare runs salint diff if it was asked for and there is a revision to compare with. A run that fails has no report, and its
// error is in the log.
func (s *Step) compare(ctx context.Context, in Inputs, base, markdownFile string) (c comparison, err error) {
	if !in.Permissions || base == "" {
		return c, nil
	}
	if c.code, err = s.salint(ctx, in.diffArguments(base, markdownFile)); err != nil {
		return c, err
	}
	report, err := os.ReadFile(markdownFile)
	if errors.Is(err, os.ErrNotExist) && c.code == failure {
		c.report = "## salint: the permissions were not compared\n\nThe log of this step has the error."
		return c, nil
	}
	c.report = string(report)
	return c, err
}

// salint runs salint and returns its exit code. The error reports that the program could not be started.
func (s *Step) salint(ctx context.Context, args []string) (int, error) {
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
func (s *Step) publish(code int, in Inputs, jsonFile, markdownFile string, text summary) error {
	r, err := readResult(jsonFile)
	if errors.Is(err, os.ErrNotExist) && code == failure {
		text.report = "## salint: the check failed\n\nThe log of this step has the error."
		return errors.Join(s.addSummary(in, text), s.addComment(in, true, text))
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
	text.settings, text.report, text.counts = r.settings(), string(report), counts(r)
	say := r.Summary.Errors+r.Summary.Warnings > 0 || text.isPower || text.settings != ""
	return errors.Join(s.addSummary(in, text), s.addComment(in, say, text))
}

func (s *Step) addSummary(in Inputs, text summary) error {
	if err := appendTo(s.Getenv("GITHUB_STEP_SUMMARY"), text.of(in.Summary)); err != nil {
		return fmt.Errorf("writing the job summary: %w", err)
	}
	return nil
}
