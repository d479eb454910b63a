package fixers_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/proof/verify/verifytest"
)

var update = flag.Bool("update", false, "write what came out into the golden files")

// Each file in testdata is a case: a header that says what is to be fixed and how, the repository (in/…), the files that
// changed (out/…), and a report.
func TestGolden(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			runCase(t, file)
		})
	}
}

func runCase(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := parseCase(t, string(data))
	result := c.repo.Run(t, c.options, c.requests...)
	got := c.header + c.input + outcome(c.repo, result)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(data), got); diff != "" && !*update {
		t.Errorf("-want +got (go test ./fixers -update writes it down):\n%s", diff)
	}
	again := result.After.Run(t, c.options, c.requests...)
	if diff := cmp.Diff(result.After, again.After); diff != "" {
		t.Errorf("the second run changes something:\n%s", diff)
	}
}

// goldenCase is a file of testdata, taken apart.
type goldenCase struct {
	header, input string
	options       verifytest.Options
	requests      []verifytest.Request
	repo          verifytest.Repo
}

func parseCase(t *testing.T, text string) goldenCase {
	t.Helper()
	c := goldenCase{repo: verifytest.Repo{}, options: verifytest.Options{Targets: map[string]string{}}}
	sections := strings.Split("\n"+text, "\n-- ")
	c.header = strings.TrimPrefix(sections[0], "\n") + "\n"
	for _, section := range sections[1:] {
		name, content, ok := strings.Cut(section, " --\n")
		if !ok {
			t.Fatalf("section %q has no name", section)
		}
		if path, input := strings.CutPrefix(name, "in/"); input {
			content = strings.TrimSuffix(content, "\n") + "\n"
			c.repo[path] = content
			c.input += fmt.Sprintf("-- %s --\n%s", name, content)
		}
	}
	for line := range strings.Lines(c.header) {
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

// outcome prints the files that changed, and the report.
func outcome(before verifytest.Repo, result verifytest.Result) string {
	var b bytes.Buffer
	for _, path := range result.After.Files() {
		if text, ok := before[path]; !ok || text != result.After[path] {
			fmt.Fprintf(&b, "-- out/%s --\n%s", path, result.After[path])
		}
	}
	b.WriteString("-- report --\n")
	for _, path := range before.Files() {
		if _, ok := result.After[path]; !ok {
			fmt.Fprintf(&b, "deleted %s\n", path)
		}
	}
	for _, w := range result.Proof.Writes() {
		fmt.Fprintf(&b, "write %d %s\n", w.Order, w.Path)
	}
	b.WriteString(result.Report())
	return b.String()
}
