package report

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/config/finding"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"text", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown", "html"}, Formats()); diff != "" {
		t.Error(diff)
	}
	for _, name := range Formats() {
		if err := Check(name); err != nil {
			t.Errorf("Check(%q) = %v", name, err)
		}
	}
	for _, name := range []string{"xml", ""} {
		err := Check(name)
		if err == nil || !strings.HasPrefix(err.Error(), "unknown format") || !strings.Contains(err.Error(), "text, compact, json, sarif, github, gitlab, junit, markdown, html") {
			t.Errorf("the error for %q does not list the formats: %v", name, err)
		}
		if err := Write(io.Discard, name, &finding.Result{}, Options{}); err == nil {
			t.Errorf("Write(%q) does not fail", name)
		}
	}
}

func TestOrderOfFindingsDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		forward, backward := mixed(t), mixed(t)
		slices.Reverse(backward.Findings)
		backward.Rules = slices.Clone(backward.Rules)
		slices.Reverse(backward.Rules)
		if diff := cmp.Diff(string(render(t, format, forward, Options{})), string(render(t, format, backward, Options{}))); diff != "" {
			t.Errorf("%s depends on the order:\n%s", format, diff)
		}
	}
}

func TestWriteDoesNotChangeTheResult(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		r := mixed(t)
		render(t, format, r, Options{Verbose: true})
		want := mixed(t)
		r.Source, want.Source = nil, nil
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s changes the result:\n%s", format, diff)
		}
	}
}

// full is a full disk.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		if err := Write(full{}, format, mixed(t), Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v instead of %v", format, err, errFull)
		}
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	files := repository{"s.yaml": "kind: Secret\ndata:\n  password: aHVudGVyMg==\nstringData: {a: hunter2}\n"}
	for _, place := range []string{"data:", "password", "aHVudGVyMg==", "hunter2", "stringData: {a: hunter2}", "kind"} {
		r := &finding.Result{Source: files.source, Findings: []finding.Finding{{
			Rule: "a/b", Severity: finding.Error, Message: "found", File: "s.yaml", Range: files.at(t, "s.yaml", place),
			Fix: &finding.Fix{Kind: finding.Safe, Description: "remove it", Edits: []finding.FileEdit{
				files.replace(t, "s.yaml", "  password: aHVudGVyMg==\n", ""),
			}},
		}}}
		for _, format := range Formats() {
			out := render(t, format, r, Options{Verbose: true})
			for _, secret := range []string{"aHVudGVyMg", "hunter2"} {
				if bytes.Contains(out, []byte(secret)) {
					t.Errorf("%s at %q prints %q:\n%s", format, place, secret, out)
				}
			}
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	p := paths{"/src", "/src/a"}
	for place, want := range map[string]string{"": "", "a/b.yaml:7": "b.yaml:7", "b.yaml": "../b.yaml", "a/c:d": "c:d"} {
		if got := p.place(place); got != want {
			t.Errorf("place(%q) = %q, want %q", place, got, want)
		}
	}
}

func TestCommandWithFlag(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, flag, want string }{
		{"salint lint --fix prod", "", "salint lint --fix prod"},
		{"salint lint --fix prod", "--prune", "salint lint --fix --prune prod"},
		{"salint lint --fix -- --fix", "--prune", "salint lint --fix --prune -- --fix"},
		{"make fix", "--prune", "make fix --prune"},
	} {
		if got := withFlag(test.command, test.flag); got != test.want {
			t.Errorf("withFlag(%q, %q) = %q, want %q", test.command, test.flag, got, test.want)
		}
	}
}

func TestNothingChecked(t *testing.T) {
	t.Parallel()
	const want = "Nothing was checked: `exclude` of the configuration matches 1 folder."
	r := &finding.Result{Command: "salint lint --fix .", Summary: finding.Summary{Unchecked: "`exclude` of the configuration matches 1 folder"}}
	if got := string(render(t, "text", r, Options{})); got != want+"\n" {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, text := range map[string]string{
		"json": `"unchecked": "` + r.Summary.Unchecked + `"`, "junit": `<skipped message="` + want, "github": "::notice title=salint::" + want,
		"markdown": strings.TrimSuffix(strings.ReplaceAll(want, "`", "\\`"), "."), "html": "Nothing was checked",
		"sarif": `"text": "` + want,
	} {
		if got := string(render(t, name, r, Options{})); !strings.Contains(got, text) {
			t.Errorf("%s lacks %q:\n%s", name, text, got)
		}
	}
	r.Findings, r.Summary.Notes = []finding.Finding{{Rule: "repo/settings-changed", File: ".salint.yaml"}}, 1
	if got := string(render(t, "text", r, Options{})); !strings.HasSuffix(got, "\n1 note. "+want+"\n") {
		t.Errorf("with a finding: %s", got)
	}
}
