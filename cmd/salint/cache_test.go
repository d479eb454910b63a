package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// cacheRepo is a repository with overlays, a chart, and a chart in a kustomization. Some of its entries do not exist at first.
var cacheRepo = map[string]string{
	".gitignore":                  "/.cache\n",
	"base/kustomization.yaml":     "resources: [extension.yaml, role.yaml, binding.yaml]\n",
	"base/extension.yaml":         extensionNamed("ext"),
	"base/role.yaml":              "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: installer}\nrules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]\n",
	"base/binding.yaml":           cacheBinding("installer"),
	"one/kustomization.yaml":      "resources: [../base]\nnamePrefix: one-\n",
	"two/kustomization.yaml":      "resources: [../base, missing.yaml]\nnameSuffix: -two\ncomponents: [../part]\n",
	"part/kustomization.yaml":     "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{pairs: {a: b}}]\n",
	"three/kustomization.yaml":    "resources: [../one]\npatches: [{path: patch.yaml}]\n",
	"three/patch.yaml":            "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: one-ext}\nspec: {namespace: other}\n",
	"four/kustomization.yaml":     "resources: [../base]\nhelmCharts: [{name: ops, releaseName: r, valuesFile: values.yaml}]\n",
	"four/values.yaml":            "who: runner\n",
	"four/charts/ops/Chart.yaml":  "apiVersion: v2\nname: ops\nversion: 1.0.0\n",
	"four/charts/ops/values.yaml": "who: other\n",
	"four/charts/ops/templates/a.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: shop}\nspec: {template: {spec: {serviceAccount: '{{ .Values.who }}', " +
		"containers: [{name: a, image: b}]}}}\n",
}

func cacheBinding(role string) string {
	return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: installer}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " +
		role + "}\nsubjects: [{kind: ServiceAccount, name: ext, namespace: ext}]\n"
}

// cacheSteps are changes of the repository, one after the other. "-" removes a file.
var cacheSteps = []struct {
	name  string
	files map[string]string
}{
	{"nothing", nil},
	{"a changed file", map[string]string{"base/binding.yaml": cacheBinding("cluster-admin")}},
	{"an entry that did not exist", map[string]string{"two/missing.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: left, namespace: ext}\n"}},
	{"a name that was looked for", map[string]string{"base/kustomization.yml": "resources: [role.yaml]\n"}},
	{"without it", map[string]string{"base/kustomization.yml": "-"}},
	{"a removed file", map[string]string{"base/role.yaml": "-"}},
	{"a changed component", map[string]string{"part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamespace: moved\n"}},
	{"a removed patch", map[string]string{"three/patch.yaml": "-"}},
	{"a patch again", map[string]string{"three/patch.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: one-ext}\n$patch: delete\n"}},
	{"other values", map[string]string{"four/values.yaml": "who: runner2\n"}},
	{"a changed chart", map[string]string{"four/charts/ops/templates/b.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner2, namespace: shop}\n"}},
	{"a folder instead of a file", map[string]string{"base/role.yaml/kustomization.yaml": "resources: []\n"}},
	{"the first files", cacheRepo},
}

func writeChanges(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if text == "-" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			if err := os.RemoveAll(file); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// cacheEntries returns the files in a cache.
func cacheEntries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*.build"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// TestCacheChangesNothing changes a repository step by step: a run with what earlier runs have cached prints the same bytes as one
// without, also if entries are damaged.
func TestCacheChangesNothing(t *testing.T) {
	t.Parallel()
	dir, cache := history(t, cacheRepo), filepath.Join(t.TempDir(), "cache")
	for i, step := range cacheSteps {
		writeChanges(t, dir, step.files)
		const line = "lint --target olm-1.11 --format json"
		plain := runLine(dir, line)
		for run := range 2 {
			if cached := runLine(dir, line+" --cache "+cache); cached != plain {
				t.Fatalf("%s, run %d: without the cache\n%s\nwith it\n%s", step.name, run, plain, cached)
			}
		}
		stats := runLine(dir, "lint --target olm-1.11 --stats --cache "+cache)
		if !strings.Contains(stats, "\ncache       hits: ") || strings.Contains(stats, "hits: 0,") {
			t.Errorf("%s: nothing was found in the cache:\n%s", step.name, stats)
		}
		for n, entry := range cacheEntries(t, cache) {
			if (n+i)%3 != 0 {
				continue
			}
			if err := os.Truncate(entry, int64(100*(n%5))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestConcurrentRunsShareACache has runs on two states of a repository that use one cache at the same time.
func TestConcurrentRunsShareACache(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	first, second := history(t, cacheRepo), history(t, cacheRepo)
	writeChanges(t, second, map[string]string{"base/binding.yaml": cacheBinding("cluster-admin")})
	want := map[string]string{first: runLine(first, "lint"), second: runLine(second, "lint")}
	var group sync.WaitGroup
	for range 2 {
		for dir := range want {
			group.Go(func() {
				for range 2 {
					if got := runLine(dir, "lint --cache "+cache); got != want[dir] {
						t.Errorf("want\n%s\ngot\n%s", want[dir], got)
					}
				}
			})
		}
	}
	group.Wait()
}

// TestFixesDoNotUseTheCache checks that runs that fix or verify neither read a cache nor write one.
func TestFixesDoNotUseTheCache(t *testing.T) {
	t.Parallel()
	dir, cache := history(t, cacheRepo), filepath.Join(t.TempDir(), "cache")
	for _, flags := range []string{"--target olm-1.11 --diff", "--target olm-1.11 --fix", "--target olm-1.11 --format sarif"} {
		plain := runLine(history(t, cacheRepo), "lint "+flags)
		if got := runLine(history(t, cacheRepo), "lint "+flags+" --cache "+cache); got != plain {
			t.Errorf("%s: %s", flags, got)
		}
		if _, err := os.Stat(cache); err == nil {
			t.Errorf("%s used the cache", flags)
		}
	}
	if runLine(dir, "lint --cache "+cache); len(cacheEntries(t, cache)) == 0 {
		t.Error("lint did not use it")
	}
}

// TestCacheOfTheConfiguration has the folders that a configuration, which a pull request can change, may name and may not.
func TestCacheOfTheConfiguration(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for name, test := range map[string]struct {
		config, flag string
		prepare      func(dir string) error
		want         string
	}{
		"a folder":                     {config: "cache: .cache/salint"},
		"one that git does not ignore": {config: "cache: results"},
		"one that is ignored":          {config: "cache: .cache"},
		"outside":                      {config: "cache: ../x", want: `cache: "../x" is outside of the repository: use a folder in it, or name it with --cache`},
		"an absolute path":             {config: "cache: " + outside, want: "is outside of the repository"},
		"the folder of git":            {config: "cache: .git/x", want: "it is in the folder of git"},
		"the root":                     {config: "cache: .", want: "it is the root of the repository"},
		"a link":                       {config: "cache: link/x", prepare: func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "link")) }, want: "link is a symbolic link or a file"},
		"tracked":                      {config: "cache: base", want: "git tracks base/"},
		"tracked, on command line":     {flag: "base", want: "--cache base cannot be used: git tracks base/"},
		"a link, on command line":      {flag: "link", prepare: func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "link")) }, want: "link is a symbolic link or a file"},
		"open to others": {flag: "open", prepare: func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "open"), 0o700), os.Chmod(filepath.Join(dir, "open"), 0o777))
		}, want: "can be written by other users"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"e.yaml": extensionNamed("ext")}
			for file, text := range cacheRepo {
				files[file] = text
			}
			files[".salint.yaml"] = "failOn: warning\n"
			plain := runLine(history(t, files), "lint")
			if test.config != "" {
				files[".salint.yaml"] = test.config + "\n"
			}
			dir := history(t, files)
			if test.prepare != nil {
				if err := test.prepare(dir); err != nil {
					t.Fatal(err)
				}
			}
			line := "lint"
			if test.flag != "" {
				line += " --cache " + test.flag
			}
			for range 2 {
				out := runLine(dir, line)
				if test.want == "" && out != plain {
					t.Errorf("want\n%s\ngot\n%s", plain, out)
				}
				if test.want != "" && (!strings.Contains(out, test.want) || !strings.Contains(out, "[exit code 2]")) {
					t.Errorf("want %q, got\n%s", test.want, out)
				}
			}
			entries, err := os.ReadDir(outside)
			if len(entries) > 0 || err != nil {
				t.Errorf("written outside: %v, %v", entries, err)
			}
		})
	}
}

// TestRenamedEntriesAreIgnored checks that an entry with the name of another one is not found.
func TestRenamedEntriesAreIgnored(t *testing.T) {
	t.Parallel()
	dir, cache := history(t, cacheRepo), filepath.Join(t.TempDir(), "cache")
	runLine(dir, "lint --cache "+cache)
	entries := cacheEntries(t, cache)
	if len(entries) == 0 {
		t.Fatal("no entries")
	}
	for i, entry := range entries {
		if err := os.Rename(entry, filepath.Join(filepath.Dir(entry), fmt.Sprintf("%032x", i)+filepath.Base(entry)[32:])); err != nil {
			t.Fatal(err)
		}
	}
	if stats := runLine(dir, "lint --stats --cache "+cache); !strings.Contains(stats, "cache       hits: 0, misses: ") {
		t.Errorf("got\n%s", stats)
	}
}
