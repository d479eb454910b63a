package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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
	// TrustBase reads the settings from the revision with which a change is compared.
	TrustBase bool
	// Summary is what the job summary contains: full, short, or off.
	Summary string
	// Comment writes the report as a comment on the pull request.
	Comment bool
	// Args are further arguments of salint lint.
	Args []string
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
		Summary:    cmp.Or(strings.TrimSpace(getenv("INPUT_SUMMARY")), summaryFull),
		Args:       lines(getenv("INPUT_ARGS")),
	}
	if !slices.Contains([]string{summaryFull, summaryShort, summaryOff}, in.Summary) {
		return Inputs{}, fmt.Errorf("input summary is %q: use full, short, or off", in.Summary)
	}
	switch trusted := strings.TrimSpace(getenv("INPUT_TRUSTED_CONFIG")); trusted {
	case "":
	case "base":
		in.TrustBase = true
	default:
		return Inputs{}, fmt.Errorf("input trusted-config is %q: use base, or config-from for another revision", trusted)
	}
	for _, s := range []struct {
		name, variable string
		to             *bool
	}{
		{"changed-only", "INPUT_CHANGED_ONLY", &in.ChangedOnly},
		{"fix", "INPUT_FIX", &in.Fix},
		{"shared", "INPUT_SHARED", &in.Shared},
		{"permissions", "INPUT_PERMISSIONS", &in.Permissions},
		{"comment", "INPUT_COMMENT", &in.Comment},
	} {
		var err error
		if *s.to, err = toggle(s.name, getenv(s.variable)); err != nil {
			return Inputs{}, err
		}
	}
	if in.Shared && !in.Fix {
		return Inputs{}, errors.New("input shared has an effect only with fix: set both to true, or remove it")
	}
	if in.TrustBase && (in.ConfigFrom != "" || in.Config != "") {
		return Inputs{}, errors.New("input trusted-config cannot be used with config or config-from: remove one of them")
	}
	if in.TrustBase && in.Baseline != "" {
		return Inputs{}, errors.New("input trusted-config cannot be used with baseline, which is read from the checkout: set `baseline:` in .salint.yaml instead")
	}
	return in, nil
}

// The values of the input summary.
const (
	summaryFull  = "full"
	summaryShort = "short"
	summaryOff   = "off"
)

// paths splits the input at line ends, so that paths can contain spaces. Without paths it returns the whole repository.
func paths(input string) []string {
	all := lines(input)
	for i, path := range all {
		all[i] = asPath(path)
	}
	if len(all) == 0 {
		return []string{"."}
	}
	return all
}

// lines returns the lines of an input without the space around them, and without empty ones.
func lines(input string) (all []string) {
	for line := range strings.Lines(input) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
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

// arguments returns the command line of a run: annotations go to standard output, the other reports to files. The flag compares with a
// revision, unless it is "".
func (in Inputs) arguments(compared, jsonFile, markdownFile string) []string {
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
		{"", compared},
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
	return append(append(args, in.Args...), in.Paths...)
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
