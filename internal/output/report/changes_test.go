package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

// No diff shows data of a Secret: neither old data, nor data of the change, nor lines beside it.
func TestDiffsHideSecrets(t *testing.T) {
	t.Parallel()
	const old = "kind: Secret\nmetadata: {name: x}\nstringData:\n  a: hunter2\n"
	for name, after := range map[string]string{
		"changed": strings.Replace(old, "hunter2", "hunter3", 1),
		"beside":  strings.Replace(old, "{name: x}", "{name: y}", 1),
		"behind":  old + "---\nkind: Secret\nstringData:\n  b: hunter4\n",
		"removed": "",
	} {
		r := &finding.Result{Preview: true, Changes: []finding.Change{{File: "s.yaml", Before: []byte(old), After: []byte(after)}}}
		for _, format := range Formats() {
			if out := render(t, format, r, Options{}); bytes.Contains(out, []byte("hunter")) {
				t.Errorf("%s, %s:\n%s", name, format, out)
			}
		}
	}
	created := &finding.Result{Preview: true, Changes: []finding.Change{{File: "s.yaml", After: []byte(old)}}}
	if out := render(t, "html", created, Options{}); bytes.Contains(out, []byte("hunter")) || !bytes.Contains(out, []byte("&lt;hidden&gt;")) {
		t.Errorf("a new file shows data of a Secret, or does not mark it as hidden:\n%s", out)
	}
}

// The marks and numbers of a diff match its lines, and a long diff is cut.
func TestChange(t *testing.T) {
	t.Parallel()
	c := changeOf(finding.Change{File: "a.yaml", Before: []byte("one\ntwo\n"), After: []byte("one\n2\n\t3\n")}, paths{}, 3)
	if c.Added != 2 || c.Removed != 1 || c.Cut != 2 || len(c.Lines) != 3 || c.Kind != "changed" {
		t.Errorf("%+v", c)
	}
	if c := changeOf(finding.Change{File: "a.yaml", After: []byte("x\n")}, paths{}, 9); c.Kind != "new" || c.Lines[1] != (diffLine{"add", "+x"}) {
		t.Errorf("%+v", c)
	}
}
