package main

import (
	"fmt"
	"strings"
)

// Inputs are what a workflow may write under `with:`; action.yml documents each of them.
type Inputs struct {
	Paths       []string
	Target      string
	FailOn      string
	Config      string
	SARIFFile   string
	ChangedOnly bool
	Fix         bool
}

// ReadInputs takes the inputs from the environment variables INPUT_PATHS, INPUT_CHANGED_ONLY and so on, which
// action.yml sets. A switch that is neither true nor false is an error: a silent "no" would lint less than was asked.
func ReadInputs(getenv func(string) string) (Inputs, error) {
	in := Inputs{
		Paths:     paths(getenv("INPUT_PATHS")),
		Target:    strings.TrimSpace(getenv("INPUT_TARGET")),
		FailOn:    strings.TrimSpace(getenv("INPUT_FAIL_ON")),
		Config:    strings.TrimSpace(getenv("INPUT_CONFIG")),
		SARIFFile: strings.TrimSpace(getenv("INPUT_SARIF_FILE")),
	}
	var err error
	if in.ChangedOnly, err = toggle("changed-only", getenv("INPUT_CHANGED_ONLY")); err != nil {
		return Inputs{}, err
	}
	in.Fix, err = toggle("fix", getenv("INPUT_FIX"))
	return in, err
}

// paths are separated by line ends, so that they may hold spaces. No path means the whole repository.
func paths(input string) []string {
	var all []string
	for line := range strings.Lines(input) {
		if path := strings.TrimSpace(line); path != "" {
			all = append(all, asPath(path))
		}
	}
	if len(all) == 0 {
		return []string{"."}
	}
	return all
}

// asPath keeps the command line from taking a path for a flag, or for standard input.
func asPath(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

func toggle(name, value string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "true":
		return true, nil
	case "false", "":
		return false, nil
	}
	return false, fmt.Errorf("input %s is %q: write true or false", name, value)
}

// arguments is the command line of one run: annotations go to standard output, the other reports to files. An empty
// since means that everything is reported on.
func (in Inputs) arguments(since, jsonFile, markdownFile string) []string {
	args := []string{
		"lint", "--color=never", "--progress=never",
		"--format=github", "--output=json=" + jsonFile, "--output=markdown=" + markdownFile,
	}
	for _, optional := range []struct{ flag, value string }{
		{"--target=", in.Target},
		{"--fail-on=", in.FailOn},
		{"--config=", in.Config},
		{"--output=sarif=", in.SARIFFile},
		{"--changed-since=", since},
	} {
		if optional.value != "" {
			args = append(args, optional.flag+optional.value)
		}
	}
	if in.Fix {
		args = append(args, "--fix")
	}
	return append(args, in.Paths...)
}
