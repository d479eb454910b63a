package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/test/long"
)

// hostileNames are what a runner would obey, or a terminal would obey or hide, if a line began with it or contained it.
var hostileNames = map[string]string{
	"command":           "::stop-commands::x",
	"command of a line": "a\n::stop-commands::x",
	"indented command":  "a\n \t::stop-commands::x",
	"carriage return":   "a\r::stop-commands::x",
	"legacy command":    "a\n##[stop]",
	"escape":            "a\x1b[2Jb",
	"direction":         "a\u202eb\u2066",
	"line separator":    "a\u2028::stop-commands::x",
	"next line":         "a\u0085::stop-commands::x",
	"vertical tab":      "a\v::stop-commands::x",
	"very long":         "::" + strings.Repeat("long", 5000),
}

// hostileRepository has a name in every place where a manifest, a file or a configuration can have one.
func hostileRepository(name string) map[string]string {
	yaml := func(text string) string {
		quoted := strings.NewReplacer("\\", `\\`, "\"", `\"`, "\n", `\n`, "\r", `\r`, "\x1b", `\e`, "\t", `\t`, "\v", `\v`).Replace(name)
		return strings.ReplaceAll(text, "NAME", `"`+quoted+`"`)
	}
	files := map[string]string{
		"e.yaml": yaml("apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: NAME}\nspec:\n  namespace: NAME\n  serviceAccount: {name: NAME}\n" +
			"  source: {sourceType: Catalog, catalog: {packageName: NAME}}\n"),
		"sa.yaml": yaml("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: NAME, namespace: NAME}\n"),
		"rbac.yaml": yaml("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: NAME}\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NAME}\nsubjects: [{kind: ServiceAccount, name: NAME, namespace: NAME}, {kind: NAME, name: NAME}]\n" +
			"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NAME}\nrules: [{apiGroups: [NAME], resources: [NAME, secrets], verbs: [NAME, get]}]\n"),
		"pod.yaml":             yaml("apiVersion: v1\nkind: Pod\nmetadata: {name: NAME, namespace: NAME}\nspec: {serviceAccountName: NAME, containers: [{name: NAME, image: NAME}]}\n"),
		"o/kustomization.yaml": yaml("namePrefix: a-\nnamespace: NAME\nresources: [../e.yaml, NAME]\npatches: [{path: NAME}]\n"),
		"c/Chart.yaml":         yaml("apiVersion: v2\nname: NAME\nversion: NAME\n"),
		"c/templates/a.yaml":   yaml("{{ fail NAME }}\n"),
		"bundle/manifests/csv.yaml": yaml("apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: NAME}\nspec:\n  installModes: [{type: AllNamespaces, supported: true}]\n" +
			"  install:\n    strategy: deployment\n    spec:\n      clusterPermissions: [{serviceAccountName: NAME, rules: [{apiGroups: [NAME], resources: [NAME], verbs: [NAME]}]}]\n      deployments: [{name: NAME, spec: {}}]\n"),
		"bundle/metadata/annotations.yaml": yaml("annotations: {operators.operatorframework.io.bundle.package.v1: NAME}\n"),
	}
	if len(name) < 200 && !strings.Contains(name, "/") {
		files[name+".yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {serviceAccount: x, containers: [{name: a, image: b}]}\n"
		files[name+"/b.yaml"] = "a: [\n"
		files["p/"+name+".rego"] = "package a\n" + name + "\n"
	}
	return files
}

// obeyed matches the beginning of a line that the runner obeys. It trims white space first, and a carriage return ends a line in
// its log.
var obeyed = regexp.MustCompile(`(?m)(?:^|[\r\v\f\x{0085}\x{2028}\x{2029}])\s*::|##\[`)

// invisible matches what a terminal obeys or hides. Every file ends its lines in a line feed.
var invisible = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{0080}-\x{009f}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]`)

// workflowCommand is a line that the format for GitHub writes.
var workflowCommand = regexp.MustCompile(`(?m)^::(?:error|warning|notice)(?: [^\r\n]*)?::[^\r\n]*$`)

// TestNoOutputHasCommands gives everything that has a name one which is a command to the runner of a workflow, or to a terminal,
// and looks for it at the beginning of the lines of all outputs.
func TestNoOutputHasCommands(t *testing.T) {
	t.Parallel()
	for _, kind := range long.Part(hostileNames, 2) {
		name := hostileNames[kind]
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir, reports := t.TempDir(), t.TempDir()
			makePlacement(t, dir, hostileRepository(name))
			for _, line := range append(secretLines(reports),
				"can-i get secrets --as x", "preflight --bundle bundle", "preflight --bundle bundle --format markdown", "bundle-diff bundle bundle",
				"policy test p", "lint --policy p", "lint --config x", "rules --policy p", "graph --format mermaid", "graph --format dot", "lint --format text nothing") {
				checkInert(t, line, runLine(dir, line))
			}
			for _, args := range [][]string{
				{name}, {"lint", name}, {"lint", "--target", name}, {"lint", "--config", name}, {"lint", "--format", name}, {"can-i", name, name, "--as", name},
				{"who-can", name, name}, {"who-can", "--become", name}, {"lint", "--enable", name}, {"lint", "--changed-since", name}, {"preflight", "--bundle", name}, {"graph", "--extension", name},
				{"policy", "test", name}, {"rules", name}, {"lint", "--" + name}, {"targets", name}, {"plan", "--to", name},
			} {
				checkInert(t, args[0], runArgs(dir, args))
			}
			for name, text := range filesIn(t, reports) {
				checkInert(t, "--output "+name, text)
			}
		})
	}
}

// checkInert reports the first place of an output that a runner or a terminal would obey, and lines without limit.
func checkInert(t *testing.T, where, output string) {
	t.Helper()
	output = workflowCommand.ReplaceAllStringFunc(output, func(line string) string { return line[2:] })
	for _, dangerous := range []*regexp.Regexp{obeyed, invisible} {
		if at := dangerous.FindStringIndex(output); at != nil {
			t.Errorf("%.70s: %q", where, output[max(0, at[0]-80):min(len(output), at[1]+60)])
		}
	}
}

// filesIn returns the texts of the files in a folder, by their names.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[e.Name()] = string(text)
	}
	return texts
}
