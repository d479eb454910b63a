package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The manifests in examples run salint with commands and flags that exist. Tests of test/clients run the scripts.
func TestCommandsOfExamples(t *testing.T) {
	t.Parallel()
	args := regexp.MustCompile(`args: \[((?:lint|report),[^\]]*)\]`)
	script := regexp.MustCompile(`(?m)^ *- salint (.*(?:\n +--.*)*)`)
	for _, file := range []string{"kubernetes/job.yaml", "kubernetes/report.yaml", "argo/workflow.yaml", "gitlab/templates/salint.yml"} {
		text := readPage(t, filepath.Join("../../examples/fleet", filepath.FromSlash(file)))
		found := 0
		for _, pattern := range []*regexp.Regexp{args, script} {
			for _, m := range pattern.FindAllStringSubmatch(text, -1) {
				found++
				words := strings.Fields(strings.NewReplacer(",", " ", `"`, "").Replace(m[1]))
				if problem := checkCommand(words); problem != "" {
					t.Errorf("%s: salint %s: %s", file, strings.Join(words, " "), problem)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s does not run salint", file)
		}
	}
}
