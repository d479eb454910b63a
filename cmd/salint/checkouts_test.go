package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/test/golden"
)

const (
	leftAccount = `apiVersion: v1
kind: ServiceAccount
metadata: {name: kelp-installer, namespace: kelp}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kelp-installer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {kind: ServiceAccount, name: kelp-installer, namespace: kelp}
`
	otherExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: reef}
spec:
  namespace: kelp
  serviceAccount: {name: reef-installer}
  source: {sourceType: Catalog, catalog: {packageName: reef}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: reef-installer, namespace: kelp}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reef-installer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}
subjects:
- {kind: ServiceAccount, name: reef-installer, namespace: kelp}
`
	kelpExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: kelp}
spec:
  namespace: kelp
  serviceAccount: {name: kelp-installer}
  source: {sourceType: Catalog, catalog: {packageName: kelp}}
`
	readers = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ops}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
`
	opsBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ops}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ops}
subjects:
- {kind: Group, apiGroup: rbac.authorization.k8s.io, name: ops}
`
	onTen = "target: olm-1.10\n"
)

// checkoutCase is a repository of which git leaves something out of the working tree, and what a command line must and must not print.
type checkoutCase struct {
	name  string
	files map[string]string
	// links are symbolic links, with their targets.
	links map[string]string
	// git are the commands after the commit, and edit are files that are written after them.
	git  []string
	edit map[string]string
	line string
	want []string
	not  []string
}

var checkoutCases = []checkoutCase{
	{
		"a file left out names the account", map[string]string{".salint.yaml": onTen, "a/account.yaml": leftAccount, "a/reef.yaml": otherExtension, "b/kelp.yaml": kelpExtension}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint --fix --prune",
		[]string{"b/kelp.yaml:6: OLM installs ClusterExtension kelp as this identity"}, []string{"Deleted files", "olm/installer-orphaned", "repo/not-checked"},
	},
	{
		"a file left out names another account", map[string]string{".salint.yaml": onTen, "a/account.yaml": leftAccount, "a/reef.yaml": otherExtension, "b/kelp.yaml": readers}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint --fix --prune",
		[]string{"Deleted files: a/account.yaml"}, []string{"repo/not-checked"},
	},
	{
		"the fix of a file left out", map[string]string{".salint.yaml": "target: olm-1.11\n", "a/account.yaml": leftAccount, "b/kelp.yaml": kelpExtension}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint --fix",
		[]string{"b/kelp.yaml is not edited: the checkout leaves it out: check it out first (git sparse-checkout add b)"}, []string{"fixed: removed"},
	},
	{
		"the fix of a file beside those left out", map[string]string{".salint.yaml": "target: olm-1.11\n", "a/kelp.yaml": kelpExtension, "b/roles.yaml": readers}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint --fix",
		[]string{"a/kelp.yaml", "fixed: removed spec.serviceAccount"}, []string{"is not edited"},
	},
	{
		"a path left out", map[string]string{".salint.yaml": "target: olm-1.11\n", "a/roles.yaml": readers, "b/kelp.yaml": kelpExtension}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint b",
		[]string{"b/kelp.yaml", "olm/service-account-deprecated", "[exit code 1]"}, []string{"no such file"},
	},
	{
		"a path that git does not have", map[string]string{".salint.yaml": "target: olm-1.11\n", "a/roles.yaml": readers, "b/kelp.yaml": kelpExtension}, nil,
		[]string{"sparse-checkout set a"}, nil, "lint b/reef.yaml",
		[]string{"b/reef.yaml: no such file or folder", "[exit code 2]"}, nil,
	},
	{
		"a base left out", map[string]string{".salint.yaml": onTen, "prod/kustomization.yaml": "namespace: kelp\nresources: [../base]\n", "base/kustomization.yaml": "resources: [kelp.yaml]\n", "base/kelp.yaml": kelpExtension}, nil,
		[]string{"sparse-checkout set prod"}, nil, "lint",
		[]string{"applied by the kustomization prod"}, []string{"repo/not-checked"},
	},
	{
		"a binding left out of a diff", map[string]string{"roles/ops.yaml": readers, "bindings/ops.yaml": opsBinding}, nil,
		[]string{"sparse-checkout set roles"}, map[string]string{"roles/ops.yaml": strings.NewReplacer("[pods]", `["*"]`, `[""]`, `["*"]`, "[get]", `["*"]`).Replace(readers)}, "diff HEAD --strict",
		[]string{"effectively cluster-admin", "[exit code 1]"}, []string{"Less power"},
	},
	{
		"a harmless change beside a binding left out", map[string]string{"roles/ops.yaml": readers, "bindings/ops.yaml": opsBinding}, nil,
		[]string{"sparse-checkout set roles"}, map[string]string{"roles/ops.yaml": "# for operators\n" + readers}, "diff HEAD --strict",
		[]string{"No new RBAC permissions", "[exit code 0]"}, []string{"Less power"},
	},
	{
		"a kustomization left out that is a link", linkedOverlay, map[string]string{"prod/kustomization.yaml": "real.yaml"},
		[]string{"sparse-checkout set --no-cone /* !/prod/kustomization.yaml"}, nil, "lint --fix",
		[]string{"ClusterExtension a-kelp:", "Changed deployment units: prod"}, []string{"repo/not-checked"},
	},
	{
		"a folder left out that is a link", map[string]string{".salint.yaml": "target: olm-1.11\n", "base/kelp.yaml": kelpExtension, "prod/kustomization.yaml": "resources: [app/kelp.yaml]\nnamePrefix: a-\n"},
		map[string]string{"prod/app": "../base"}, []string{"sparse-checkout set --no-cone /* !/prod/app"}, nil, "lint --fix",
		[]string{"the kustomization prod could not be built", "is not in or below the folder of the kustomization"}, []string{"fixed: removed"},
	},
	{
		"a link left out to what is private", map[string]string{".salint.yaml": "target: olm-1.11\n", ".gitignore": "private.yaml\n", "a/kelp.yaml": kelpExtension},
		map[string]string{"b/kustomization.yaml": "../private.yaml"}, []string{"sparse-checkout set a"}, map[string]string{"private.yaml": "token: 0123456789\n"}, "lint",
		[]string{"b/kustomization.yaml:1:1: note: not read: the symlink points to private.yaml"}, []string{"0123456789"},
	},
	{
		"a link left out beside what it does not concern", map[string]string{".salint.yaml": "target: olm-1.11\n", "a/kelp.yaml": kelpExtension, "b/roles.yaml": readers, "b/real.yaml": "resources: [roles.yaml]\n"},
		map[string]string{"b/kustomization.yaml": "real.yaml"}, []string{"sparse-checkout set a"}, nil, "lint --fix",
		[]string{"a/kelp.yaml", "fixed: removed spec.serviceAccount"}, []string{"repo/not-checked"},
	},
}

// linkedOverlay has an overlay that renames an extension, if its kustomization is a link.
var linkedOverlay = map[string]string{
	".salint.yaml": "target: olm-1.11\n", "base/kelp.yaml": kelpExtension, "base/kustomization.yaml": "resources: [kelp.yaml]\n",
	"prod/real.yaml": "namePrefix: a-\nresources: [../base]\n",
}

func TestSparseCheckouts(t *testing.T) {
	t.Parallel()
	for _, c := range checkoutCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := commitAll(t, c.files)
			for name, target := range c.links {
				disk.Link(t, target, root, name)
				disk.Git(t, root, "add", "-A")
				disk.Git(t, root, "commit", "-qm", "link")
			}
			for _, line := range c.git {
				disk.Git(t, root, strings.Fields(line)...)
			}
			for name, content := range c.edit {
				disk.Put(t, root, name, content)
			}
			check(t, runLine(root, c.line), c.want, c.not)
		})
	}
}

func commitAll(t *testing.T, files map[string]string) string {
	t.Helper()
	root := disk.Tree(t, files)
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-A")
	disk.Git(t, root, "commit", "-qm", "first")
	return root
}

func check(t *testing.T, out string, want, not []string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(out, text) {
			t.Errorf("%q is missing in:\n%s", text, out)
		}
	}
	for _, text := range not {
		if strings.Contains(out, text) {
			t.Errorf("%q is in:\n%s", text, out)
		}
	}
}

// TestPartialSparseCheckout has a clone without the files that are left out: nothing may be assured about them.
func TestPartialSparseCheckout(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		line      string
		want, not []string
	}{
		"prune": {"lint --fix --prune", []string{"not read: the checkout leaves it out", "git fetch --refetch --no-filter"}, []string{"Deleted files"}},
		"fix":   {"lint --fix --target olm-1.11", []string{"not read: the checkout leaves it out"}, []string{"fixed: removed"}},
		"diff":  {"diff HEAD --strict", []string{"[exit code 2]"}, []string{"Passed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := commitAll(t, map[string]string{
				".salint.yaml": onTen, "a/account.yaml": leftAccount, "a/reef.yaml": otherExtension, "b/kelp.yaml": kelpExtension, "b/roles.yaml": readers,
			})
			disk.Git(t, origin, "config", "uploadpack.allowFilter", "true")
			clone := filepath.Join(t.TempDir(), "clone")
			disk.Git(t, origin, "clone", "-q", "--sparse", "--filter=blob:none", "file://"+filepath.ToSlash(origin), clone)
			disk.Git(t, clone, "sparse-checkout", "set", "a")
			check(t, runLine(clone, test.line), test.want, test.not)
		})
	}
}

// TestNothingIsCheckedOut has repositories without files to read, and beside them some that have files, or need none.
func TestNothingIsCheckedOut(t *testing.T) {
	t.Parallel()
	root := commitAll(t, map[string]string{"a/reef.yaml": otherExtension, "b/roles.yaml": readers})
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	disk.Git(t, root, "clone", "-q", "--bare", root, at("bare"))
	disk.Git(t, at("bare"), "worktree", "add", "-q", at("tree"))
	disk.Git(t, root, "clone", "-q", "--no-checkout", root, at("clone"))
	disk.Git(t, root, "clone", "-q", root, at("emptied"))
	disk.Git(t, at("emptied"), "rm", "-q", "-r", "a", "b")
	disk.Git(t, dir, "init", "-q", at("new"))
	golden.WriteFolder(t, dir, map[string]string{"names/HEAD": "a note\n", "names/objects/roles.yaml": readers, "names/refs/reef.yaml": otherExtension})
	for _, test := range []struct{ folder, line, want, not string }{
		{"bare", "lint", "is a bare repository, without files to read: run `git worktree add ../checkout`", "Nothing was checked"},
		{"bare", "lint --fix --format json", "is a bare repository", `"findings"`},
		{"bare/refs", "lint", "is a bare repository", "Nothing was checked"},
		{"bare", "can-i get pods --as eve", "is a bare repository", "no binding"},
		{"bare", "plan", "is a bare repository", "nothing to plan"},
		{"bare", "rules rbac/*", "rbac/", "is a bare repository"},
		{"bare", "lint ../tree/b", "No problems", "is a bare repository"},
		{"tree", "lint", "spec.serviceAccount", "is a bare repository"},
		{"clone", "lint", "has no files checked out: run `git checkout`", "Nothing was checked"},
		{"clone", "who-can get pods", "has no files checked out", "no subjects"},
		{"emptied", "lint", "no manifests found", "checked out"},
		{"new", "lint", "no manifests found", "checked out"},
		{"names", "lint", "spec.serviceAccount", "is a bare repository"},
	} {
		check(t, runLine(at(test.folder), test.line), []string{test.want}, []string{test.not})
	}
}

// TestLinksAsText has a checkout as git for Windows makes it: a symbolic link is a file with its target.
func TestLinksAsText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		target    string
		want, not []string
	}{
		"another folder uses the file": {"../base", []string{"fixed: removed spec.serviceAccount", "Changed deployment units: a/prod"}, []string{"is not edited"}},
		"another folder uses others":   {"../more", []string{"fixed: removed spec.serviceAccount"}, []string{"is not edited"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := commitAll(t, map[string]string{
				".salint.yaml": "target: olm-1.11\n", "a/base/kustomization.yaml": "resources: [kelp.yaml]\n", "a/base/kelp.yaml": kelpExtension,
				"a/more/kustomization.yaml": "resources: [roles.yaml]\n", "a/more/roles.yaml": readers, "a/prod/kustomization.yaml": "resources: [app]\n",
			})
			disk.Link(t, test.target, root, "a/prod/app")
			disk.Git(t, root, "add", "-A")
			disk.Git(t, root, "commit", "-qm", "a link")
			disk.Git(t, root, "config", "core.symlinks", "false")
			if err := os.Remove(filepath.Join(root, "a", "prod", "app")); err != nil {
				t.Fatal(err)
			}
			disk.Git(t, root, "checkout", "-q", "a/prod/app")
			check(t, runLine(root, "lint --fix"), test.want, test.not)
		})
	}
}

// TestNamesThatDifferInCase has two files of which a file system that ignores case has one.
func TestNamesThatDifferInCase(t *testing.T) {
	t.Parallel()
	root := commitAll(t, map[string]string{
		".salint.yaml": onTen, "a/account.yaml": leftAccount, "a/reef.yaml": otherExtension, "b/roles.yaml": readers, "b/Roles.yaml": kelpExtension,
	})
	line := "lint --fix --prune"
	disk.Git(t, root, "config", "core.ignoreCase", "true")
	check(t, runLine(root, line), []string{"b/Roles.yaml:1:1: note: not read: git has it and b/roles.yaml"}, []string{"Deleted files"})
	disk.Git(t, root, "rm", "-q", "b/Roles.yaml")
	check(t, runLine(root, line), []string{"Deleted files: a/account.yaml"}, []string{"not read"})
}

// TestLinkToIgnoredFile has a pull request with links to files that git ignores: nothing of these may be printed.
func TestLinkToIgnoredFile(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "html", "markdown", "json", "sarif"} {
		root := commitAll(t, map[string]string{".gitignore": ".env\nprivate.yaml\n", "a.yaml": readers})
		disk.Put(t, root, ".env", "TOKEN="+outsideText+"\n")
		disk.Put(t, root, "private.yaml", "resources: ["+outsideText+"]\n")
		disk.Link(t, ".env", root, "b.yaml")
		disk.Link(t, "private.yaml", root, "c.yaml")
		disk.Put(t, root, "k/x.yaml", readers)
		disk.Link(t, "../private.yaml", root, "k/kustomization.yaml")
		out := runLine(root, "lint --format "+format)
		check(t, out, []string{"b.yaml", "c.yaml", "k/kustomization.yaml"}, []string{outsideText})
	}
}

// outsideText is in files that git ignores, and in no other.
const outsideText = "quartz-marker"
