package rules_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/ruledoc"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := ruledoc.Explain(&out, metadata.Rule{
		Name: "custom/x", Title: "A title", Severity: finding.Warning, OptIn: true,
		Kinds: []string{"ConfigMap", "Role.rbac.authorization.k8s.io"},
		Fix:   metadata.FixInfo{Name: "set", Kind: "unsafe", Description: "Set it."},
		Texts: metadata.Texts{
			Description: "What is found.", Rationale: "What comes of it.",
			Examples: []metadata.Example{{Bad: true, Text: "a: 1\n\nb: 2\n", Target: "olm-1.11"}, {Text: "a: 2", Why: "better"}},
			Links:    []metadata.Link{{URL: "https://example.com/a", Description: "The manual"}, {URL: "https://example.com/b"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `custom/x: A title

What is found.

Why: What comes of it.

Severity: warning, only when enabled: --enable custom/x
Checks:   ConfigMap, Role.rbac.authorization.k8s.io
Fix:      unsafe, applied by salint lint --fix --unsafe-fixes: Set it.

Bad (olm-1.11)

    a: 1

    b: 2

Good: better

    a: 2

Silence it

    # salint:ignore custom/x until=2030-01-31 reason     on the line, or the line above
    # salint:ignore-file custom/x reason                 anywhere in the file
    salint/ignore: custom/x                              as an annotation of the object
    rules: {custom/x: off}                               in .salint.yaml, or under overrides for some paths
    salint lint --disable custom/x                       for one run

Read on

    The manual: https://example.com/a
    https://example.com/b
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestListAndExplainAll checks that every rule can be explained and is listed.
func TestListAndExplainAll(t *testing.T) {
	t.Parallel()
	all := load(t).Rules()
	var list strings.Builder
	if err := ruledoc.List(&list, all); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(list.String(), "\n"); lines != len(all) {
		t.Errorf("%d lines for %d rules", lines, len(all))
	}
	for _, rule := range all {
		var text strings.Builder
		if err := ruledoc.Explain(&text, rule); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{rule.Name, rule.Title, "Severity: ", "Fix:      ", "Silence it"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: the explanation lacks %q", rule.Name, want)
			}
		}
	}
}
