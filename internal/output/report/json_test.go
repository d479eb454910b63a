package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/config/finding"
)

// The shape is promised: every field exists, whatever its value is.
func TestJSONShape(t *testing.T) {
	t.Parallel()
	r := &finding.Result{Version: "1.0.0", Findings: []finding.Finding{{Rule: "a/b", Severity: finding.Note, File: "a.yaml", Message: "<m> & more"}}}
	out := render(t, "json", r, Options{Quiet: true})
	if !bytes.HasSuffix(out, []byte("}\n")) || !bytes.Contains(out, []byte("<m> & more")) {
		t.Errorf("no final newline, or escaped for HTML:\n%s", out)
	}
	var got any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"schemaVersion": "1",
		"tool":          map[string]any{"name": "salint", "version": "1.0.0"},
		"target":        map[string]any{"name": "", "model": "", "detectedFrom": ""},
		"findings": []any{map[string]any{
			"rule": "a/b", "severity": "note", "message": "<m> & more", "target": "", "file": "a.yaml",
			"line": 1.0, "column": 1.0, "endLine": 1.0, "endColumn": 1.0,
			"resource": map[string]any{"apiVersion": "", "kind": "", "namespace": "", "name": ""},
			"path":     "", "fix": nil, "related": []any{},
			"origin":      map[string]any{"kustomization": "", "chart": "", "template": "", "unit": ""},
			"fingerprint": r.Findings[0].Fingerprint(),
		}},
		"summary": map[string]any{
			"files": 0.0, "documents": 0.0, "errors": 0.0, "warnings": 0.0, "notes": 0.0, "suppressed": 0.0, "fixed": 0.0,
		},
		"permissions": nil,
	}
	if sum, isText := got.(map[string]any)["checksum"].(string); !isText || !strings.HasPrefix(sum, "sha256:") {
		t.Errorf("the checksum is %v", got.(map[string]any)["checksum"])
	}
	delete(got.(map[string]any), "checksum")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJSONWithoutFindings(t *testing.T) {
	t.Parallel()
	if out := render(t, "json", &finding.Result{}, Options{}); !bytes.Contains(out, []byte(`"findings": []`)) {
		t.Errorf("findings are not a list:\n%s", out)
	}
}

// An escape in JSON decodes to the original text.
func TestJSONKeepsTexts(t *testing.T) {
	t.Parallel()
	message := "a\x00\x1b\x7f\u0085\u202e\u2028\U000e0041 日本 😀 ##[group] é"
	r := &finding.Result{Findings: []finding.Finding{{Message: message}}}
	out := render(t, "json", r, Options{})
	var got jsonReport
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Findings[0].Message != message {
		t.Errorf("message becomes %q", got.Findings[0].Message)
	}
	for _, raw := range []string{"\x1b", "\x7f", "\u0085", "\u202e", "\u2028", "\U000e0041", "##["} {
		if bytes.Contains(out, []byte(raw)) {
			t.Errorf("%q is in the report unescaped", raw)
		}
	}
	if !bytes.Contains(out, []byte("日本 😀")) {
		t.Error("printable characters are escaped")
	}
}
