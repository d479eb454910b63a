package answer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
)

// change is a change with the name of a user and of an object.
func change(user, name string) bundlediff.Change {
	return bundlediff.Change{
		Part: bundlediff.Grants, Subject: rbac.Subject{Kind: rbac.KindUser, Name: user}, Dangers: []string{"*: every verb"},
		Rules: []rbacv1.PolicyRule{{Verbs: []string{"*"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{name}}},
	}
}

func write(t *testing.T, a answer.Answer, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := a.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostile prints names with control characters and markup.
func TestHostile(t *testing.T) {
	hostile := "a\x1b[2J\n## b ``` @all <script> \u202e ##[error]x\xff`"
	a := answer.Answer{
		Old: answer.Side{Path: hostile}, New: answer.Side{Path: "new", Name: hostile, Version: hostile}, Notes: []string{hostile},
		Diff: bundlediff.Diff{Growth: []bundlediff.Change{change(hostile, hostile)}, Shrinkage: []bundlediff.Change{change(hostile, hostile)}},
	}
	for _, format := range answer.Formats() {
		out := write(t, a, format)
		if strings.ContainsAny(out, "\x1b\u202e") || strings.Contains(out, "##[error]") || !utf8.ValidString(out) {
			t.Errorf("%s: %q", format, out)
		}
		if format == "json" {
			continue
		}
		if strings.Contains(out, "\n## b") {
			t.Errorf("%s: a name begins a line: %q", format, out)
		}
	}
	// Every backtick of the name is inside a longer fence.
	if out := write(t, a, "markdown"); !strings.Contains(out, "````") {
		t.Errorf("no fence that the name could not close: %q", out)
	}
}

// TestComment checks GitHub's limit for comments.
func TestComment(t *testing.T) {
	var d bundlediff.Diff
	for i := range 2000 {
		d.Growth = append(d.Growth, change(fmt.Sprintf("%d%s", i, strings.Repeat("u", 1000)), strings.Repeat("n", 1000)))
	}
	d.Shrinkage = d.Growth
	out := write(t, answer.Answer{Diff: d}, "markdown")
	if utf8.RuneCountInString(out) > 65_536 {
		t.Errorf("%d characters", utf8.RuneCountInString(out))
	}
	if !strings.Contains(out, "… and 1970 more") {
		t.Errorf("it does not say that there is more: %.200s", out)
	}
}

func TestFormat(t *testing.T) {
	if err := (answer.Answer{}).Write(&bytes.Buffer{}, "yaml"); err == nil {
		t.Error("no error for a format that is not there")
	}
}
