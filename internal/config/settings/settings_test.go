package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/regular"
)

const layered = `
target: olm-1.11
rules: {olm/apply-order: error, olm/*: note, grafana/*: off}
overrides:
  - paths: ["old/**"]
    target: required
    rules: {olm/*: off}
  - paths: ["old/keep.yaml"]
    rules: {olm/group-grant: warning, pod/token-mounted: note}
  - paths: ["new"]
    target: removed
`

func TestFor(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, layered)
	for _, test := range []struct {
		path, rule, target string
		overridden         bool
		severity           finding.Severity
		set                bool
	}{
		{"x.yaml", "olm/apply-order", "olm-1.11", false, finding.Error, true},
		{"x.yaml", "olm/group-grant", "olm-1.11", false, finding.Note, true},
		{"x.yaml", "pod/token-mounted", "olm-1.11", false, finding.Off, false},
		{"x.yaml", "grafana/schema", "olm-1.11", false, finding.Off, true},
		{"old/a/x.yaml", "olm/apply-order", "required", true, finding.Off, true},
		{"old/keep.yaml", "olm/apply-order", "required", true, finding.Off, true},
		{"old/keep.yaml", "olm/group-grant", "required", true, finding.Warning, true},
		{"a/new/x.yaml", "olm/apply-order", "removed", true, finding.Error, true},
	} {
		s := c.For(test.path)
		severity, set := s.Severity(test.rule)
		if s.Target != test.target || s.Overridden != test.overridden || severity != test.severity || set != test.set {
			t.Errorf("%s %s: %s %v %v %v", test.path, test.rule, s.Target, s.Overridden, severity, set)
		}
	}
	want := []string{"olm/apply-order", "olm/*", "olm/group-grant", "pod/token-mounted"}
	if diff := cmp.Diff(want, c.Enabled()); diff != "" {
		t.Error(diff)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	known := []string{"olm/apply-order", "olm/group-grant", "grafana/schema"}
	check := func(name string) error {
		if name == "bad" {
			return errors.New("no such target")
		}
		return nil
	}
	if err := mustLoad(t, "rules: {olm/*: off, '*': note, olm/group-grant: note}\n").Validate(check, known); err != nil {
		t.Error(err)
	}
	if err := Default().Validate(check, nil); err != nil {
		t.Error(err)
	}
	err := mustLoad(t, `
target: bad
rules: {olm/aply-order: off, pod/*: off, completely/different: off}
overrides:
  - paths: [a]
    target: bad
    rules:
      olm/group: off
`).Validate(check, known)
	for _, want := range []string{
		":2:9: no such target", `:3:9: unknown rule: "olm/aply-order"; did you mean "olm/apply-order"?`,
		`:3:30: no rule matches "pod/*"`, `:3:42: unknown rule: "completely/different": see ` + "`salint rules`",
		":6:13: no such target", ":8:7: unknown rule",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
}

func TestRelativeTo(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := `
exclude: [gen, a/b]
overrides: [{paths: ["old/**"], rules: {olm/*: off}}]
bundles: {x: ../bundles/x, y: /abs}
helm: {chart: {values: [[a.yaml, b.yaml]]}}
policies: [policy/]
`
	for _, dir := range []string{"", "clusters/prod"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(root, dir, FileName)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file, regular.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(c)
		got := c.RelativeTo(root)
		if fmt.Sprint(c) != before {
			t.Error("the original changed")
		}
		if dir == "" {
			if diff := cmp.Diff(c, got, compare); diff != "" {
				t.Error(diff)
			}
			continue
		}
		want := []any{
			[]string{"clusters/prod/**/gen", "clusters/prod/a/b"}, "clusters/prod/old/**",
			map[string]string{"x": "clusters/bundles/x", "y": "/abs"},
			map[string]Chart{"clusters/prod/chart": {Values: [][]string{{"clusters/prod/a.yaml", "clusters/prod/b.yaml"}}}},
			[]string{"clusters/prod/policy"},
		}
		have := []any{got.ExcludePatterns(), got.Overrides[0].Paths[0].String(), got.Bundles, got.Helm, got.Policies}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Error(diff)
		}
		if elsewhere := c.RelativeTo(filepath.Join(root, "elsewhere")); elsewhere.Policies[0] != "policy/" {
			t.Error("paths of a file outside the repository changed")
		}
	}
}
