package testfiles_test

import (
	"testing"

	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/testfiles"
)

func TestTable(t *testing.T) {
	t.Parallel()
	files := []string{"policies/owner/kyverno-test.yaml", "suite/login/chainsaw-test.yaml"}
	table := testfiles.New([]testfiles.Pattern{pattern(t, "**/renderings/**", false), pattern(t, "pkg/testdata/**", true), pattern(t, "*.out.yaml", false)}, files)
	for file, want := range map[string]string{
		"cmd/testdata/a/role.yaml":             "cmd/testdata",
		"testdata/role.yaml":                   "testdata",
		"chart/__snapshots__/role.yaml":        "chart/__snapshots__",
		"chart/test/snapshots/a/role.yaml":     "chart/test/snapshots",
		"chart-tests/snapshots/role.yaml":      "chart-tests/snapshots",
		"tests/render/golden/role.yaml":        "tests/render/golden",
		"tests/e2e/01-errors.yaml":             "tests/e2e",
		"anywhere/02-assert.yaml":              "anywhere",
		"anywhere/02-assert-role.yaml":         "anywhere",
		"render/expected.yaml":                 "render",
		"render/prod.golden.yaml":              "render",
		"render/prod.snap.yaml":                "render",
		"render/expected-output.yaml":          "render",
		"suite/login/role.yaml":                "suite/login",
		"suite/login/data/role.yaml":           "suite/login",
		"policies/owner/resources/role.yaml":   "policies/owner",
		"a/renderings/b/role.yaml":             "a/renderings",
		"a/role.out.yaml":                      "a",
		"pkg/testdata/role.yaml":               "",
		"apps/snapshots/role.yaml":             "",
		"apps/test/storage/snapshots/x.yaml":   "",
		"clusters/golden/role.yaml":            "",
		"clusters/test/role.yaml":              "",
		"nginx/01-errors.yaml":                 "",
		"alerts/expected-replicas.yaml":        "",
		"tests/operator/00-install.yaml":       "",
		"charts/app/templates/tests/role.yaml": "",
		"suite/other.yaml":                     "",
		"snap.d/role.yaml":                     "",
		"apps/snapshot.yaml":                   "",
		"apps/latest/fixtures/role.yaml":       "",
	} {
		folder, is := table.Folder(file)
		if is != (want != "") || is && folder != want {
			t.Errorf("%s: %q, %v; want %q", file, folder, is, want)
		}
	}
	if !table.TakesOut("pkg/testdata/role.yaml") || table.TakesOut("apps/role.yaml") || table.TakesOut("a/renderings/x.yaml") {
		t.Error("what the settings take out is wrong")
	}
	if _, is := (*testfiles.Table)(nil).Folder("testdata/role.yaml"); is {
		t.Error("a nil table has data of tests")
	}
}

func pattern(t *testing.T, text string, not bool) testfiles.Pattern {
	t.Helper()
	p, err := glob.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return testfiles.Pattern{Path: p, Not: not}
}
