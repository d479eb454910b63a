package main

import (
	"errors"
	"fmt"
	"strings"
)

// Inputs are the inputs of a workflow under `with:`; action.yml documents each of them.
type Inputs struct {
	Paths       []string
	Target      string
	FailOn      string
	Config      string
	ConfigFrom  string
	Baseline    string
	Cache       string
	SARIFFile   string
	ChangedOnly bool
	Fix         bool
	Shared      bool
	// Permissions adds what the change allows, from salint diff.
	Permissions bool
}

// ReadInputs reads the inputs from the environment variables INPUT_PATHS, INPUT_CHANGED_ONLY and so on, which action.yml
// sets. A switch that is neither true nor false is an error, because a silent "no" would check less than requested.
func ReadInputs(getenv func(string) string) (Inputs, error) {
	in := Inputs{
		Paths:      paths(getenv("INPUT_PATHS")),
		Target:     strings.TrimSpace(getenv("INPUT_TARGET")),
		FailOn:     strings.TrimSpace(getenv("INPUT_FAIL_ON")),
		Config:     strings.TrimSpace(getenv("INPUT_CONFIG")),
		ConfigFrom: strings.TrimSpace(getenv("INPUT_CONFIG_FROM")),
		Baseline:   strings.TrimSpace(getenv("INPUT_BASELINE")),
		Cache:      strings.TrimSpace(getenv("INPUT_CACHE")),
		SARIFFile:  strings.TrimSpace(getenv("INPUT_SARIF_FILE")),
	}
	for _, s := range []struct {
		name, variable string
		to             *bool
	}{
		{"changed-only", "INPUT_CHANGED_ONLY", &in.ChangedOnly},
		{"fix", "INPUT_FIX", &in.Fix},
		{"shared", "INPUT_SHARED", &in.Shared},
		{"permissions", "INPUT_PERMISSIONS", &in.Permissions},
	} {
		var err error
		if *s.to, err = toggle(s.name, getenv(s.variable)); err != nil {
			return Inputs{}, err
		}
	}
	if in.Shared && !in.Fix {
		return Inputs{}, errors.New("input shared has an effect only with fix: set both to true, or remove it")
	}
	return in, nil
}

// paths splits the input at line ends, so that paths can contain spaces. Without paths it returns the whole repository.
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

// asPath prevents a path from being parsed as a flag, or as standard input.
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
	return false, fmt.Errorf("input %s is %q: use true or false", name, value)
}

// arguments returns the command line of a run: annotations go to standard output, the other reports to files. If since is
// "", findings in all files are reported.
func (in Inputs) arguments(since, jsonFile, markdownFile string) []string {
	args := []string{
		"lint", "--color=never", "--progress=never",
		"--format=github", "--output=json=" + jsonFile, "--output=markdown=" + markdownFile,
	}
	for _, optional := range []struct{ flag, value string }{
		{"--target=", in.Target},
		{"--fail-on=", in.FailOn},
		{"--config=", in.Config},
		{"--config-from=", in.ConfigFrom},
		{"--baseline=", in.Baseline},
		{"--cache=", in.Cache},
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
	if in.Shared {
		args = append(args, "--shared")
	}
	return append(args, in.Paths...)
}

// diffArguments returns the command line that compares permissions with a revision.
func (in Inputs) diffArguments(revision, markdownFile string) []string {
	args := []string{"diff", "--format=github", "--output=markdown=" + markdownFile}
	for _, optional := range []struct{ flag, value string }{
		{"--target=", in.Target},
		{"--fail-on=", in.FailOn},
		{"--config=", in.Config},
		{"--config-from=", in.ConfigFrom},
	} {
		if optional.value != "" {
			args = append(args, optional.flag+optional.value)
		}
	}
	return append(append(args, revision), in.Paths...)
}
