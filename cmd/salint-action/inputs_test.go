package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// environment returns a getenv for fixed variables.
func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestReadInputs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  map[string]string
		want Inputs
	}{
		{"nothing given", nil, Inputs{Paths: []string{"."}, Summary: summaryFull}},
		{
			"paths hold spaces and are separated by line ends",
			map[string]string{"INPUT_PATHS": "clusters/prod east\r\n\n  apps  \n"},
			Inputs{Paths: []string{"clusters/prod east", "apps"}, Summary: summaryFull},
		},
		{
			"a path is never a flag",
			map[string]string{"INPUT_PATHS": "--fix\n-"},
			Inputs{Paths: []string{"./--fix", "./-"}, Summary: summaryFull},
		},
		{"the settings of the base", map[string]string{"INPUT_TRUSTED_CONFIG": "base"}, Inputs{Paths: []string{"."}, Summary: summaryFull, TrustBase: true}},
		{
			"everything",
			map[string]string{
				"INPUT_PATHS": "a", "INPUT_TARGET": "olm-1.11", "INPUT_FAIL_ON": "error", "INPUT_CONFIG": "c.yaml",
				"INPUT_SARIF_FILE": "out/salint.sarif", "INPUT_CHANGED_ONLY": "true", "INPUT_FIX": "True",
				"INPUT_SHARED": "true", "INPUT_PERMISSIONS": "true", "INPUT_SUMMARY": "short", "INPUT_ARGS": "--only\n  rbac/*\n",
			},
			Inputs{
				Paths: []string{"a"}, Target: "olm-1.11", FailOn: "error", Config: "c.yaml",
				SARIFFile: "out/salint.sarif", ChangedOnly: true, Fix: true, Shared: true, Permissions: true,
				Summary: summaryShort, Args: []string{"--only", "rbac/*"},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := ReadInputs(environment(test.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadInputsRejectsUnclearSwitches(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"changed-only", "fix", "shared"} {
		variable := "INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		_, err := ReadInputs(environment(map[string]string{variable: "yes"}))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=yes: error %v, want one that names the input", variable, err)
		}
	}
}

func TestReadInputsRejects(t *testing.T) {
	t.Parallel()
	for input, env := range map[string]map[string]string{
		"summary":        {"INPUT_SUMMARY": "none"},
		"trusted-config": {"INPUT_TRUSTED_CONFIG": "main"},
		"baseline":       {"INPUT_TRUSTED_CONFIG": "base", "INPUT_BASELINE": "b.json"},
		"config-from":    {"INPUT_TRUSTED_CONFIG": "base", "INPUT_CONFIG_FROM": "main"},
	} {
		if _, err := ReadInputs(environment(env)); err == nil || !strings.Contains(err.Error(), "input") || !strings.Contains(err.Error(), input) {
			t.Errorf("%v: error %v, want one that names the input", env, err)
		}
	}
}

func TestReadInputsRejectsSharedWithoutFix(t *testing.T) {
	t.Parallel()
	_, err := ReadInputs(environment(map[string]string{"INPUT_SHARED": "true"}))
	if err == nil || !strings.Contains(err.Error(), "input shared") {
		t.Errorf("error %v, want one that names the input", err)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	common := []string{
		"lint", "--color=never", "--progress=never",
		"--format=github", "--output=json=j", "--output=markdown=t",
	}
	tests := []struct {
		name  string
		in    Inputs
		since string
		want  []string
	}{
		{"defaults", Inputs{Paths: []string{"."}}, "", []string{"."}},
		{
			"everything",
			Inputs{
				Paths: []string{"a b", "c"}, Target: "synthetic", FailOn: "never", Config: "x.yaml", ConfigFrom: "main", Cache: "/c",
				SARIFFile: "s.sarif", Fix: true, Shared: true, Args: []string{"--only=rbac/*"},
			},
			"--changed-since=abc",
			[]string{
				"--target=synthetic", "--fail-on=never", "--config=x.yaml", "--config-from=main", "--cache=/c", "--output=sarif=s.sarif",
				"--changed-since=abc", "--fix", "--shared", "--only=rbac/*", "a b", "c",
			},
		},
		{
			"a value stays one argument whatever it holds",
			Inputs{Paths: []string{"$(id)"}, Target: "x --fix; id"}, "",
			[]string{"--target=x --fix; id", "$(id)"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := append(append([]string{}, common...), test.want...)
			if diff := cmp.Diff(want, test.in.arguments(test.since, "j", "t")); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}
