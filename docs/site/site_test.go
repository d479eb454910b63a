package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// build builds the documentation of this repository.
func build(t *testing.T, version string) *Site {
	t.Helper()
	site, err := Build(root, version)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// All links of the site lead somewhere, the same input gives the same bytes, and nothing is loaded from elsewhere.
func TestSite(t *testing.T) {
	t.Parallel()
	site := build(t, "v1.2.3")
	if err := site.Check(); err != nil {
		t.Error(err)
	}
	again := build(t, "v1.2.3")
	if !maps.EqualFunc(site.Files, again.Files, slices.Equal) {
		t.Error("the second build differs from the first one")
	}
	for name, content := range site.Files {
		text := string(content)
		if strings.HasSuffix(name, ".html") && (strings.Contains(text, `src="http`) || strings.Contains(text, `rel="stylesheet" href="http`)) {
			t.Errorf("%s loads something from elsewhere", name)
		}
		if strings.HasSuffix(name, ".html") && !strings.Contains(text, "salint v1.2.3</title>") {
			t.Errorf("%s does not show the version", name)
		}
	}
	if page := string(site.Files["fixes.html"]); !strings.Contains(page, `href="glossary.html#deployment-unit"`) {
		t.Error("a link to another page does not lead to it")
	}
	if page := string(site.Files["fleet.html"]); !strings.Contains(page, `https://github.com/salint/salint/tree/v1.2.3/examples/fleet`) {
		t.Error("a link to a folder does not lead to the repository in the same version")
	}
}

// Each rule has a page, with what it is, examples, and how to silence it.
func TestPagesOfRules(t *testing.T) {
	t.Parallel()
	site := build(t, "main")
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rulesFile)))
	if err != nil {
		t.Fatal(err)
	}
	rules := row.FindAllStringSubmatch(string(text), -1)
	if len(rules) < 60 {
		t.Errorf("only %d rules", len(rules))
	}
	for _, m := range rules {
		page := string(site.Files["rules/"+m[1]+".html"])
		for _, want := range []string{">Severity: ", ">Fix: ", `id="silence-it"`, "until=2030-01-31"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %s", m[1], want)
			}
		}
	}
}

func TestAnchorsAreThoseOfGitHub(t *testing.T) {
	t.Parallel()
	a := newAnchors()
	for _, c := range [][2]string{
		{"Four models", "four-models"}, {"`olm.synthetic-user`", "olmsynthetic-user"}, {"Safe, unsafe, prune", "safe-unsafe-prune"},
		{"can-i and who-can", "can-i-and-who-can"}, {"Four models", "four-models-1"}, {"Registry+v1 bundle", "registryv1-bundle"},
	} {
		if got := string(a.Generate([]byte(c[0]), 0)); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
}

// What is wrong with a page is an error, and not a page with a dead link.
func TestBrokenPages(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"docs/README.md does not list docs/lost.md": {"docs/lost.md": "# Lost\n"},
		"does not exist":  {"docs/one.md": "# One\n\n[two](two.md)\n"},
		"no such element": {"docs/one.md": "# One\n\n[home](README.md#no-heading)\n"},
		"the picture":     {"docs/one.md": "# One\n\n![none](none.png)\n"},
		"twice":           {"docs/README.md": "# Home\n\n## A\n\n* [One](one.md): one\n* [One](one.md): again\n"},
	} {
		dir := t.TempDir()
		all := map[string]string{
			"docs/README.md": "# Home\n\n## A\n\n* [One](one.md): one\n* [Rules](rules.md): all\n", "docs/one.md": "# One\n",
			"docs/rules.md": "# Rules\n",
		}
		maps.Copy(all, files)
		for name, text := range all {
			if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		site, err := Build(dir, "main")
		if err == nil {
			err = site.Check()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A site keeps the versions that it had, and leads to the newest release.
func TestVersions(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	site := &Site{Files: map[string][]byte{"index.html": []byte("page")}}
	for _, version := range []string{"v0.9.0", "main", "v0.10.0", "v0.2.1"} {
		if err := Write(out, version, site); err != nil {
			t.Fatal(err)
		}
	}
	versions, err := versionsIn(out)
	if want := []string{"v0.10.0", "v0.9.0", "v0.2.1", "main"}; err != nil || !slices.Equal(versions, want) {
		t.Errorf("%v, %v", versions, err)
	}
	for file, want := range map[string]string{"index.html": "url=v0.10.0/index.html", versionsFile: `href="v0.9.0/index.html"`, "versions.js": `"v0.10.0"`} {
		if text, err := os.ReadFile(filepath.Join(out, file)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
	for _, bad := range []string{"../up", "a/b", "..", "."} {
		if err := Write(out, bad, site); err == nil {
			t.Errorf("the version %s was accepted", bad)
		}
	}
}

// A browser that opens the pages from the disk finds what it searches.
func TestSearchInBrowser(t *testing.T) {
	t.Parallel()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	out := t.TempDir()
	if err := Write(out, "main", build(t, "main")); err != nil {
		t.Fatal(err)
	}
	page := "file://" + filepath.ToSlash(filepath.Join(out, "main", "search.html")) + "?q=synthetic+identity"
	run := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--user-data-dir="+t.TempDir(), "--dump-dom", page)
	dom, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`href="glossary.html#synthetic-identity"`, "<mark>"} {
		if !strings.Contains(string(dom), want) {
			t.Errorf("the results lack %s:\n%.3000s", want, string(dom[strings.Index(string(dom), `id="found"`):]))
		}
	}
}
