package salint

import (
	"bytes"
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
