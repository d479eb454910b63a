package salint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is the path of salint's program.
type Program string

// Build builds salint from the repository into a folder. The working directory must be that of a package of this suite.
func Build(folder string) (Program, error) {
	file := filepath.Join(folder, "salint")
	out, err := exec.Command("go", "build", "-C", "../../..", "-o", file, "./cmd/salint").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return Program(file), nil
}

// Run runs salint in a folder and returns its output. Findings, with which it exits with code 1, are no error.
func (p Program) Run(folder string, args ...string) ([]byte, error) {
	out, _, err := p.RunWith(folder, "", args...)
	return out, err
}

// RunWith runs salint in a folder with a text as its standard input, and returns its output and its exit code. The error
// contains its error output if the code is neither 0 nor 1.
func (p Program) RunWith(folder, input string, args ...string) (out []byte, code int, err error) {
	cmd := exec.Command(string(p), args...)
	cmd.Dir = folder
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return out, 1, nil
	}
	if err != nil {
		return out, cmd.ProcessState.ExitCode(), fmt.Errorf("salint %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, 0, nil
}

// Commands returns the commands of `salint plan` for a repository and a transition, in order.
func (p Program) Commands(folder, from, to string) (commands []string, err error) {
	out, err := p.Run(folder, "plan", "--from", from, "--to", to, "--format", "json")
	if err != nil {
		return nil, err
	}
	var plan struct {
		Transitions []struct{ Steps []struct{ Commands []string } }
	}
	if err := json.Unmarshal(out, &plan); err != nil || len(plan.Transitions) != 1 {
		return nil, fmt.Errorf("%d transitions from %s to %s, %w", len(plan.Transitions), from, to, err)
	}
	for _, step := range plan.Transitions[0].Steps {
		commands = append(commands, step.Commands...)
	}
	return commands, nil
}

// Words splits a command line whose words contain blanks only inside single quotes.
func Words(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
