package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/completion"
	"github.com/salint/salint/cmd/salint/internal/fastpath"
	"github.com/salint/salint/test/golden"
)

// TestAnswersBeforeInitialization compares the answers that the program contains with what its commands print.
func TestAnswersBeforeInitialization(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString("Written by: go test ./cmd/salint -run TestAnswersBeforeInitialization -update\n")
	for _, line := range linesWithAnswers() {
		text, errors, code := inProcess(t, strings.Fields(line))
		if code != exitOK || errors != "" || !strings.HasSuffix(text, "\n") {
			t.Fatalf("salint %s: exit code %d\n%s%s", line, code, text, errors)
		}
		file.WriteString("$ salint " + line + "\n" + text)
	}
	golden.File(t, "internal/fastpath/answers.txt", file.String())
	if t.Failed() {
		t.Log("a command or flag changed; write the answers: go test ./cmd/salint -run 'TestAnswersBeforeInitialization|TestPageOfCommands' -update")
	}
}

// linesWithAnswers returns the command lines whose output the program contains: the help of every command, and the completion scripts.
func linesWithAnswers() []string {
	lines := []string{"--help"}
	var add func(before string, commands []*cli.Command)
	add = func(before string, commands []*cli.Command) {
		for _, c := range commands {
			if c.Name != "help" {
				lines = append(lines, before+c.Name+" --help")
				add(before+c.Name+" ", c.Subcommands)
			}
		}
	}
	add("", newCommand().app().Commands)
	for _, shell := range completion.Shells {
		lines = append(lines, "completion "+shell)
	}
	return lines
}

// argumentsWithAnswers returns the arguments for which there is an answer, in every notation.
func argumentsWithAnswers() [][]string {
	var all [][]string
	for _, line := range linesWithAnswers() {
		words := strings.Fields(line)
		all = append(all, words)
		if command, isHelp := strings.CutSuffix(line, "--help"); isHelp {
			command := strings.Fields(command)
			all = append(all, slices.Concat(command, []string{"-h"}), slices.Concat([]string{"help"}, command))
		}
	}
	return all
}

// argumentsWithoutAnswers are similar to those with an answer.
var argumentsWithoutAnswers = [][]string{
	{}, {"lint"}, {"lint", "--version"}, {"lint", "--help", "extra"}, {"lint", "extra", "--help"}, {"lint", "--help", "--help"}, {"lint --help"}, {"", "--help"},
	{"--help", "lint"}, {"--help", "--help"}, {"-help"}, {"--", "--help"}, {"unknown", "--help"}, {"lint/../demo", "--help"}, {"lint", "--target", "--help"},
	{"help", "help"}, {"help", "-h"}, {"help", "--help"}, {"help", "unknown"}, {"help", "lint", "extra"}, {"help", "policy", "unknown"}, {"help", "completion", "bash"},
	{"version"}, {"version", "extra"}, {"version", "--foo"}, {"--version", "extra"}, {"--version", "--help"},
	{"completion"}, {"completion", "ksh"}, {"completion", "bash", "zsh"}, {"completion", "bash", "--help"}, {"completion", ""}, {"completion", "zsh\n#compdef salint"},
	{completion.Flag}, {"completion", completion.Flag}, {"help", completion.Flag}, {"rules", "olm/synthetic-gate-off"},
}

func TestAnswersOfArguments(t *testing.T) {
	t.Parallel()
	for _, args := range argumentsWithAnswers() {
		want, _, _ := inProcess(t, args)
		got, known := fastpath.Answer(args)
		if diff := cmp.Diff(want, got); diff != "" || !known {
			t.Errorf("salint %q: an answer: %v (-want +got; see TestAnswersBeforeInitialization)\n%s", args, known, diff)
		}
	}
	for _, args := range argumentsWithoutAnswers {
		if text, known := fastpath.Answer(args); known { // not the version, because none is linked into tests
			t.Errorf("salint %q has an answer:\n%s", args, text)
		}
	}
}

// inProcess runs the command without the answers.
func inProcess(t *testing.T, args []string) (out, errors string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = testCommand(t.TempDir(), &stdout, &stderr).Main(args)
	return stdout.String(), stderr.String(), code
}

// programWithAnswers runs the test program under the name of the program, under which it has the answers.
func programWithAnswers(args []string) *exec.Cmd {
	return &exec.Cmd{Path: os.Args[0], Args: append([]string{"salint"}, args...), Env: append(os.Environ(), asProgram+"=yes")}
}

// programWithoutAnswers runs it under its own name, in another environment.
func programWithoutAnswers(args []string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = []string{
		asProgram + "=yes", "COLUMNS=20", "TERM=dumb", "NO_COLOR=1", "LC_ALL=de_DE.UTF-8", "CI=true", "GITHUB_ACTIONS=true", "SALINT_LIMITS=renderTime=1s", "GOMAXPROCS=1",
	}
	return c
}

// TestProcessWithAnswers runs the program with and without its answers.
func TestProcessWithAnswers(t *testing.T) {
	t.Parallel()
	type result struct {
		Out, Errors string
		Code        int
	}
	run := func(c *exec.Cmd) result {
		var stdout, stderr bytes.Buffer
		c.Dir, c.Stdout, c.Stderr = t.TempDir(), &stdout, &stderr
		_ = c.Run() // the exit code is compared
		return result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
	}
	for _, args := range slices.Concat(argumentsWithAnswers(), argumentsWithoutAnswers) {
		if diff := cmp.Diff(run(programWithoutAnswers(args)), run(programWithAnswers(args))); diff != "" {
			t.Errorf("salint %q (-without +with answers)\n%s", args, diff)
		}
	}
}

// TestProcessWithoutOutput checks that the answers end as the command does if nothing can be written.
func TestProcessWithoutOutput(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("skipped: this system has no /dev/full")
	}
	defer full.Close()
	reader, broken, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer broken.Close()
	readOnly, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	run := func(c *exec.Cmd, out *os.File) string {
		var stderr bytes.Buffer
		c.Stdout, c.Stderr = out, &stderr
		_ = c.Run() // how it ended is compared
		return c.ProcessState.String() + "\n" + stderr.String()
	}
	for name, out := range map[string]*os.File{"full": full, "broken pipe": broken, "read-only": readOnly} {
		for _, args := range [][]string{{"--help"}, {"lint", "--help"}, {"completion", "bash"}} {
			if got := run(programWithoutAnswers(args), out); !strings.Contains(got, "salint: write") && !strings.Contains(got, "broken pipe") {
				t.Errorf("salint %q, %s: no error in %q", args, name, got)
			}
			if diff := cmp.Diff(run(programWithoutAnswers(args), out), run(programWithAnswers(args), out)); diff != "" {
				t.Errorf("salint %q, %s (-without +with answers)\n%s", args, name, diff)
			}
		}
	}
}

// TestAnswersComeFirst checks that the answers precede the initialization of libraries that take long.
func TestAnswersComeFirst(t *testing.T) {
	t.Parallel()
	slow := []string{"github.com/santhosh-tekuri/jsonschema/", "k8s.io/client-go/kubernetes/scheme", "google.golang.org/protobuf/", "github.com/open-policy-agent/opa/v1/ast "}
	initialized := func(c *exec.Cmd) string {
		var stderr strings.Builder
		c.Env, c.Stderr = append(c.Env, "GODEBUG=inittrace=1"), &stderr
		if err := c.Run(); err != nil {
			t.Error(err)
		}
		return stderr.String()
	}
	args := []string{"lint", "--help"}
	with, without := initialized(programWithAnswers(args)), initialized(programWithoutAnswers(args))
	for _, library := range slow {
		if !strings.Contains(without, "init "+library) {
			t.Errorf("%s is not initialized at all: name another library here", library)
		}
		if strings.Contains(with, "init "+library) {
			t.Errorf("%s is initialized before the answers: does the package fastpath import more than before?\n%s", library, with)
		}
	}
}
