package report

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/golden"
)

func render(t *testing.T, format string, r *finding.Result, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fixed returns the result of a run with --fix in a folder below the root: the safe fix is applied.
func fixed(t *testing.T) *finding.Result {
	t.Helper()
	r := mixed(t)
	r.WorkDir = "/src/gitops/prod"
	r.Findings[0].Fix.Applied = true
	r.Summary.Count(r.Findings)
	r.Permissions = handedOver()
	r.Fixing, r.FixCommand, r.Notes = true, "salint lint --fix .", []string{"ClusterRole x stays"}
	r.Changes = []finding.Change{{
		File: "prod/argocd.yaml", Before: []byte(manifests["prod/argocd.yaml"]),
		After: []byte(strings.Replace(manifests["prod/argocd.yaml"], "  serviceAccount:\n    name: argocd-installer\n", "", 1)),
	}}
	return r
}

// preserved returns the result of a run whose fixes change no permissions.
func preserved(t *testing.T) *finding.Result {
	t.Helper()
	r := fixed(t)
	r.Permissions = &permission.Report{Made: true}
	return r
}

// hostile returns a result whose texts try to inject commands and markup.
func hostile(t *testing.T) *finding.Result {
	t.Helper()
	files := repository{
		"::warning\x1b[31m.yaml": "name: \x1b]0;title\a# \u202eexe.txt \u200b\xff",
	}
	file := "::warning\x1b[31m.yaml"
	return &finding.Result{
		Version: "0.1.0", Root: "/src", WorkDir: "/src", Source: files.source, Command: "salint lint --fix $'\x1b[2J'",
		Findings: []finding.Finding{{
			Rule: "custom/\u202ename", Severity: finding.Warning, File: file, Message: "line\n::error::two \u0085\x7f [click](https://example.com) \xff",
			Range:    finding.Range{Line: 1, Column: 7, EndLine: 1, EndColumn: 9},
			Resource: finding.Resource{Kind: "Pod", Name: "\u2066x"},
			Related:  []finding.Related{{File: file, Line: 1, Message: "\x1b[8m"}},
			Fix:      &finding.Fix{Kind: finding.Safe, Description: "a\rb"},
		}},
		Summary: finding.Summary{Files: 1, Documents: 1, Warnings: 1},
		Permissions: &permission.Report{Made: true, Identities: []permission.Identity{{
			Subject:    rbac.Subject{Kind: "User", Name: "a\n::error::b \u202e"},
			Difference: permission.DifferenceIn(permission.Scope{Namespace: "\x1b[8m", Added: rule("get\r", "pods ##[group]")}),
			Context:    permission.Context{Why: []string{"c\rd"}},
		}}},
	}
}

func clean(*testing.T) *finding.Result {
	return &finding.Result{
		Version: "0.1.0", Target: finding.Target{Name: "synthetic", Model: "synthetic"}, Root: "/src", WorkDir: "/src",
		Summary: finding.Summary{Files: 12, Documents: 31, Suppressed: 2},
	}
}

// limited returns the result of a run that was less than one of the whole repository, with the record of it.
func limited(t *testing.T) *finding.Result {
	t.Helper()
	r := mixed(t)
	r.Origin = finding.Provenance{Repository: "git.example.org/acme/gitops", Revision: "0f1e2d3c"}
	r.Run = &finding.Run{
		Date: "2026-01-31", Commit: "4b5a6978", Settings: strings.Repeat("ab", 32),
		Selection: finding.Selection{Paths: []string{"prod"}, ChangedSince: "main"},
		Silencing: finding.Silencing{RulesOff: []string{"pod/token-mounted"}, Exclude: []string{"vendor/**"}, Baseline: "baseline.json", Known: 1, Ignored: 1},
		WorkTree:  finding.WorkTree{Compared: true, Changed: 2, LeftOut: 3},
	}
	return r
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file   string
		format string
		result func(*testing.T) *finding.Result
		o      Options
	}{
		{"mixed.txt", "text", mixed, Options{}},
		{"mixed-color.txt", "text", mixed, Options{Color: true}},
		{"mixed-verbose.txt", "text", mixed, Options{Verbose: true}},
		{"mixed-quiet.txt", "text", mixed, Options{Quiet: true}},
		{"mixed-narrow.txt", "text", mixed, Options{Width: 50}},
		{"mixed.json", "json", mixed, Options{}},
		{"mixed.sarif", "sarif", mixed, Options{}},
		{"mixed.github", "github", mixed, Options{}},
		{"mixed.md", "markdown", mixed, Options{}},
		{"fixed.md", "markdown", fixed, Options{Graph: pictured(1, "argocd")}},
		{"hostile.md", "markdown", hostile, Options{Graph: pictured(1, "<script>alert(1)</script>]]>|```\u202e")}},
		{"clean.md", "markdown", clean, Options{}},
		{"mixed.html", "html", mixed, Options{}},
		{"fixed.html", "html", fixed, Options{Graph: pictured(1, "argocd"), Chains: chained("argocd")}},
		{"hostile.html", "html", hostile, Options{
			Graph: pictured(1, "<script>alert(1)</script>]]>|```\u202e"), Chains: chained("<script>alert(1)</script>]]>|```\u202e"),
		}},
		{"mixed.junit.xml", "junit", mixed, Options{FailOn: finding.Warning}},
		{"limited.txt", "text", limited, Options{}},
		{"limited-quiet.txt", "text", limited, Options{Quiet: true}},
		{"limited.github", "github", limited, Options{}},
		{"limited.junit.xml", "junit", limited, Options{FailOn: finding.Warning}},
		{"limited.sarif", "sarif", limited, Options{}},
		{"limited.md", "markdown", limited, Options{}},
		{"fixed.txt", "text", fixed, Options{}},
		{"fixed-verbose.txt", "text", fixed, Options{Verbose: true}},
		{"fixed-quiet.txt", "text", fixed, Options{Quiet: true}},
		{"fixed.sarif", "sarif", fixed, Options{}},
		{"preserved.txt", "text", preserved, Options{}},
		{"preserved.json", "json", preserved, Options{}},
		{"preserved.github", "github", preserved, Options{}},
		{"fixed.json", "json", fixed, Options{}},
		{"fixed.github", "github", fixed, Options{}},
		{"fixed.junit.xml", "junit", fixed, Options{FailOn: finding.Error}},
		{"hostile.txt", "text", hostile, Options{Verbose: true}},
		{"hostile.json", "json", hostile, Options{}},
		{"hostile.sarif", "sarif", hostile, Options{}},
		{"hostile.github", "github", hostile, Options{}},
		{"hostile.junit.xml", "junit", hostile, Options{FailOn: finding.Warning}},
		{"clean.junit.xml", "junit", clean, Options{}},
		{"clean.txt", "text", clean, Options{}},
		{"clean.json", "json", clean, Options{}},
		{"clean.sarif", "sarif", clean, Options{}},
		{"clean.github", "github", clean, Options{}},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			out := render(t, test.format, test.result(t), test.o)
			text := regexp.MustCompile(`(?s)<style>.*?</style>|'sha256-[^']*'`).ReplaceAll(out, []byte("…"))
			golden.File(t, filepath.Join("testdata", test.file), string(text))
		})
	}
}
