package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/internal/output/report"
)

// unread is a cause for which the content of a file is not read, with the same file in a form that is.
type unread struct {
	name string
	// with are the other files, and file is the one that is selected.
	with       map[string]string
	file       string
	bad, clean string
	// without are commands that do not depend on the content: questions, about a file that has nothing to do with permissions, or that no
	// known values render; and lint, about a file of which a part was judged.
	without string
}

const (
	pearBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: view, namespace: orchard}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: pear, namespace: orchard}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: view}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: pickers}]
`
	pearChart = "apiVersion: v2\nname: pear\nversion: 1.0.0\n"
)

var unreadCauses = []unread{
	{"no YAML", nil, "pear.yaml", "kind: RoleBinding\nsubjects: [{kind: Group, name: pickers}\n\tx: {\n", pearBinding, ""},
	{"no UTF-8", nil, "pear.yaml", "# \xff\xfe\n" + strings.Split(pearBinding, "---\n")[1], "# ÿ\n" + pearBinding, ""},
	{"larger than the limit", map[string]string{".salint.yaml": "target: olm-1.11\nlimits: {fileSize: 1KiB}\n"}, "pear.yaml", pearBinding + strings.Repeat("# pears\n", 200), pearBinding, ""},
	{
		"a template that needs a value", map[string]string{"pear/Chart.yaml": pearChart}, "pear/templates/pear.yaml",
		strings.Replace(pearBinding, "Role, name: view", "Role, name: {{ required \"role\" .Values.role }}", 1), pearBinding, "",
	},
	{
		"a template that renders nothing", map[string]string{"pear/Chart.yaml": pearChart}, "pear/templates/pear.yaml",
		"{{- if .Values.pear }}\n" + pearBinding + "{{- end }}\n", "{{- if not .Values.pear }}\n" + pearBinding + "{{- end }}\n", "can-i diff",
	},
	{
		"values of a chart that is not rendered", map[string]string{
			"pear/Chart.yaml": pearChart, "pear/templates/pear.yaml": strings.Replace(pearBinding, "Role, name: view", "Role, name: {{ .Values.role | required \"role\" }}", 1),
		}, "pear/values.yaml", "other: view\n", "role: view\n", "",
	},
	{
		"a dependency that is missing", map[string]string{"pear/Chart.yaml": pearChart + "dependencies: [{name: core, version: 1.0.0, repository: https://example.com}]\n"},
		"pear/templates/pear.yaml", pearBinding, "", "",
	},
	{
		"a kustomization with a missing file", map[string]string{"pear.yaml": pearBinding}, "kustomization.yaml",
		"namePrefix: x-\nresources: [pear.yaml, plum.yaml]\n", "namePrefix: x-\nresources: [pear.yaml]\n", "",
	},
	{
		"a kustomization with a remote base", map[string]string{"pear.yaml": pearBinding}, "kustomization.yaml",
		"resources: [pear.yaml, 'https://example.com/plum?ref=v1']\n", "resources: [pear.yaml]\n", "lint",
	},
	{
		"a patch of a kustomization that cannot be built", map[string]string{"pear.yaml": pearBinding, "kustomization.yaml": "resources: [pear.yaml]\npatches: [{path: patch.json, target: {kind: RoleBinding}}]\n"},
		"patch.json", `[{"op": "remove", "path": "/plum"}]`, `[{"op": "replace", "path": "/roleRef/name", "value": "view"}]`, "",
	},
	{
		"a patch that nothing applies", map[string]string{"pear.yaml": pearBinding}, "patch.json",
		`[{"op": "replace", "path": "/roleRef/name", "value": "edit"}]`, "", "can-i diff",
	},
	{
		"a file of a kustomization that kustomize refuses", map[string]string{"pear.yaml": pearBinding},
		"kustomization.yaml", "nameprefixes: x-\nresources: [pear.yaml]\n", "namePrefix: x-\nresources: [pear.yaml]\n", "",
	},
}

// assured are sentences that a report on what was not read must not have: in text, and in machine formats.
var assured = []string{"No problems\n", "No problems in ", "No new RBAC permissions\n", "No new RBAC permissions.", "Passed:", "no\n", "no subjects\n", `"certain": true`, `"complete": true`}

// TestUnreadIsSaid crosses causes for which a file is not read with what selects it and with all formats: nothing is assured about it,
// each format names it, and --strict makes the exit code 2. With the file as it can be read, the answer is green.
func TestUnreadIsSaid(t *testing.T) {
	t.Parallel()
	for _, cause := range unreadCauses {
		t.Run(cause.name, func(t *testing.T) {
			t.Parallel()
			for _, changed := range []bool{false, true} {
				cause.checkIn(t, cause.repository(t, cause.bad, changed), changed, false)
				if cause.clean != "" {
					cause.checkIn(t, cause.repository(t, cause.clean, changed), changed, true)
				}
			}
		})
	}
}

// repository returns a folder with the files of the cause. With changed, the selected file had its clean content in the commit before.
func (u unread) repository(t *testing.T, content string, changed bool) string {
	t.Helper()
	files := map[string]string{".salint.yaml": "target: olm-1.11\n", "README.md": "# Pears\n"}
	maps.Copy(files, u.with)
	first := content
	if changed {
		first = u.clean
	}
	if first != "" {
		files[u.file] = first
	}
	root := disk.Tree(t, files)
	disk.Git(t, root, "init", "-q", "-b", "main")
	disk.Git(t, root, "add", "-A")
	disk.Git(t, root, "commit", "-qm", "first")
	if changed {
		disk.Git(t, root, "checkout", "-q", "-b", "change")
		disk.Put(t, root, u.file, content+"\n")
		disk.Git(t, root, "add", "-A")
		disk.Git(t, root, "commit", "-qm", "second")
	}
	return root
}

// checkIn runs the commands that select the file.
func (u unread) checkIn(t *testing.T, root string, changed, isClean bool) {
	t.Helper()
	lines := []string{"lint", "lint " + u.file}
	if changed {
		lines = []string{"lint --changed-since main"}
	}
	if strings.Contains(u.without, "lint") {
		lines = nil
	}
	formats := report.Formats()
	if isClean {
		formats = formats[:1]
	}
	for _, line := range lines {
		for _, format := range formats {
			out := runLine(root, line+" --strict --format "+format)
			switch {
			case isClean && !strings.Contains(out, "[exit code 0]"):
				t.Errorf("%s in %s is not green:\n%s", line, format, out)
			case !isClean && !strings.Contains(out, "[exit code 2]"):
				t.Errorf("%s in %s has another exit code:\n%s", line, format, out)
			case !isClean && (!strings.Contains(out, u.file) || strings.Contains(out, "No problems")):
				t.Errorf("%s in %s does not name %s, or assures something:\n%s", line, format, u.file, out)
			}
		}
	}
	u.ask(t, root, changed, isClean)
}

// ask asks the questions to which the file can belong, in their formats.
func (u unread) ask(t *testing.T, root string, changed, isClean bool) {
	t.Helper()
	questions := map[string][]string{
		"can-i delete pods -n orchard --as rose --as-group pickers": {"text", "json"},
		"who-can delete pods -n orchard":                            {"text", "json"},
	}
	if changed {
		questions["diff main"] = diffFormats
	}
	for line, formats := range questions {
		if command, _, _ := strings.Cut(line, " "); strings.Contains(u.without, command) || command == "who-can" && strings.Contains(u.without, "can-i") {
			continue
		}
		if isClean {
			formats = formats[:1]
		}
		for _, format := range formats {
			out := runLine(root, line+" --strict --format "+format)
			if unknown := strings.Contains(out, "[exit code 2]"); unknown == isClean {
				t.Errorf("%s in %s, with the file as it can be read: %t:\n%s", line, format, isClean, out)
			}
			for _, sentence := range assured {
				if !isClean && strings.Contains(out, sentence) {
					t.Errorf("%s in %s assures %q:\n%s", line, format, sentence, out)
				}
			}
		}
	}
}
