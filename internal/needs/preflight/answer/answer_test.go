package answer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
)

func write(t *testing.T, a Answer, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := a.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile would clear the screen, end a comment, and print a workflow command.
const hostile = "x\x1b[2J\nkind: Evil ##[error]\u202e"

func TestNothingHostileIsPrinted(t *testing.T) {
	t.Parallel()
	object := &rendered.Object{Origin: rendered.Origin{File: hostile, Line: 1}, JSON: map[string]any{
		"apiVersion": "v1", "kind": hostile, "metadata": map[string]any{"name": hostile},
	}}
	rule := rbacv1.PolicyRule{Verbs: []string{hostile}, APIGroups: []string{hostile}, Resources: []string{hostile}, ResourceNames: []string{hostile}}
	a := Answer{
		Extension: hostile, Namespace: hostile, Identity: rbac.Identity{User: hostile, Groups: []string{hostile}},
		Content: hostile, Target: Target{Name: hostile, DetectedFrom: hostile}, Notes: []string{hostile}, Command: hostile,
		Result: preflight.Result{
			Missing: []preflight.Scoped{{Namespace: hostile, Rules: []rbacv1.PolicyRule{rule}}},
			Gaps: []preflight.Gap{{
				Need: preflight.Need{Purpose: preflight.Manage, Namespace: hostile, Objects: []*rendered.Object{object}},
				Hold: []rbacv1.PolicyRule{rule}, Chosen: []rbacv1.PolicyRule{rule},
			}},
		},
		Errors: nil,
	}
	if err := a.Write(&bytes.Buffer{}, "yaml"); err == nil || !strings.Contains(err.Error(), "invisible") {
		t.Errorf("yaml: %v", err)
	}
	for _, format := range []string{"text", "json"} {
		out := write(t, a, format)
		if strings.ContainsAny(out, "\x1b\u202e") || strings.Contains(out, "\nkind: Evil") {
			t.Errorf("%s:\n%q", format, out)
		}
		if format == "text" && strings.Contains(out, "##[") {
			t.Errorf("a command to the runner:\n%s", out)
		}
	}
}

func TestLongListsAreCut(t *testing.T) {
	t.Parallel()
	scoped := preflight.Scoped{Namespace: "harbor"}
	for i := range 40 {
		scoped.Rules = append(scoped.Rules, rbacv1.PolicyRule{
			Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{fmt.Sprintf("things%02d", i)},
		})
	}
	a := Answer{Errors: &Errors{}, Result: preflight.Result{Missing: []preflight.Scoped{scoped}}}
	if out := write(t, a, "text"); !strings.Contains(out, "… and 29 more (--verbose lists them)") || strings.Contains(out, "things30") {
		t.Errorf("not cut:\n%s", out)
	}
	a.Verbose = true
	if out := write(t, a, "text"); !strings.Contains(out, "things39") {
		t.Errorf("cut:\n%s", out)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		if err := CheckFormat(format); err != nil {
			t.Error(err)
		}
	}
	if err := (Answer{}).Write(&bytes.Buffer{}, "sarif"); err == nil {
		t.Error("sarif is no format of this command")
	}
}
