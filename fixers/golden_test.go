package fixers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/golden"
)

// cases are the golden cases. An archive has settings (the requests and the options), the repository, the files that the
// fixes change or create, and a report.
var cases = golden.Suite{Cases: "testdata/*", Inputs: []string{"in/"}, Outputs: []string{"out/", "report"}}

func TestGolden(t *testing.T) {
	t.Parallel()
	cases.Run(t, func(t *testing.T, stored golden.Case) map[string]string {
		c := parseCase(t, stored)
		result := c.repo.Run(t, c.options, c.requests...)
		again := result.After.Run(t, c.options, c.requests...)
		if diff := cmp.Diff(result.After, again.After); diff != "" {
			t.Errorf("the second run changes something:\n%s", diff)
		}
		return outcome(c.repo, result)
	})
}

// goldenCase holds the settings and the repository of a case.
type goldenCase struct {
	options  verifytest.Options
	requests []verifytest.Request
	repo     verifytest.Repo
}

func parseCase(t *testing.T, stored golden.Case) goldenCase {
	t.Helper()
	c := goldenCase{repo: golden.Below("in/", stored.Files), options: verifytest.Options{Targets: map[string]string{}}}
	for line := range strings.Lines(stored.Comment) {
		c.setting(t, strings.TrimSpace(line))
	}
	return c
}

func (c *goldenCase) setting(t *testing.T, line string) {
	t.Helper()
	key, value, _ := strings.Cut(line, ": ")
	switch key {
	case "target":
		c.options.Target = value
	case "targets":
		for _, pair := range strings.Fields(value) {
			unit, target, _ := strings.Cut(pair, "=")
			c.options.Targets[unit] = target
		}
	case "bundle":
		extension, dir, _ := strings.Cut(value, "=")
		if c.options.Bundles == nil {
			c.options.Bundles = map[string]string{}
		}
		c.options.Bundles[extension] = dir
	case "grant":
		c.options.Grant = value
	case "flags":
		flags := strings.Fields(value)
		c.options.Prune, c.options.Unsafe = slices.Contains(flags, "prune"), slices.Contains(flags, "unsafe")
	case "fix":
		words := append(strings.Fields(value), "", "")
		c.requests = append(c.requests, verifytest.Request{
			Fixer: words[0], Kind: words[1], Name: words[2], Path: words[3], File: strings.TrimPrefix(words[4], "@"),
		})
	default:
		if line != "" && !strings.HasPrefix(line, "#") {
			t.Fatalf("unknown setting %q", line)
		}
	}
}

// outcome returns the files that changed, and the report.
func outcome(before verifytest.Repo, result verifytest.Result) map[string]string {
	outputs := map[string]string{}
	for _, path := range result.After.Tree().Names() {
		if text, ok := before[path]; !ok || text != result.After[path] {
			outputs["out/"+path] = result.After[path]
		}
	}
	var report strings.Builder
	for _, path := range before.Tree().Names() {
		if _, ok := result.After[path]; !ok {
			fmt.Fprintf(&report, "deleted %s\n", path)
		}
	}
	for _, w := range result.Proof.Writes() {
		fmt.Fprintf(&report, "write %d %s\n", w.Order, w.Path)
	}
	report.WriteString(result.Report())
	outputs["report"] = report.String()
	return outputs
}
