package sources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

func text(value string) view.Field[string] { return view.Field[string]{Value: value} }

func TestContents(t *testing.T) {
	t.Parallel()
	names := []string{
		"a/one.yaml", "a/two.json", "a/three.txt", "a/four.jsonnet", "a/b/five.yml", "a/b/tests/six.yaml", "ab/seven.yaml", "top.yaml",
		"a/k/kustomization.yml", "a/k/base.yaml", "a/k/deep/Kustomization", "a/.github/workflow.yaml",
	}
	recurse := view.Field[bool]{Value: true}
	for _, c := range []struct {
		name   string
		source sources.Source
		want   sources.Contents
	}{
		{"the folder alone", sources.Source{Kind: sources.Directory, Path: text("a")},
			sources.Contents{Files: []string{"a/one.yaml", "a/two.json"}, Skipped: []string{"a/four.jsonnet"}}},
		{"the root", sources.Source{Kind: sources.Directory, Path: text(".")}, sources.Contents{Files: []string{"top.yaml"}}},
		{"with all below, without some", sources.Source{Kind: sources.Directory, Path: text("a"), Directory: sources.Filter{Recurse: recurse, Exclude: text("{*.jsonnet,k/*,.github/*,b/tests/*}")}},
			sources.Contents{Files: []string{"a/b/five.yml", "a/one.yaml", "a/two.json"}}},
		{"only some; * goes over slashes", sources.Source{Kind: sources.Directory, Path: text("a"), Directory: sources.Filter{Recurse: recurse, Include: text("*six*")}},
			sources.Contents{Files: []string{"a/b/tests/six.yaml"}}},
		{"of any name", sources.Source{Kind: sources.Directory, Path: text("a"), Directory: sources.Filter{AnyExtension: recurse, Include: text("*.txt")}},
			sources.Contents{Files: []string{"a/three.txt"}}},
		{"a broken pattern", sources.Source{Kind: sources.Directory, Path: text("a"), Directory: sources.Filter{Include: text("[")}}, sources.Contents{}},
		{"as Flux lists them", sources.Source{Kind: sources.Collected, Path: text("a")},
			sources.Contents{Files: []string{"a/b/five.yml", "a/b/tests/six.yaml", "a/one.yaml"}, Folders: []string{"a/k"}}},
		{"a kustomization", sources.Source{Kind: sources.Kustomize, Path: text("a/k")}, sources.Contents{Folders: []string{"a/k"}}},
		{"a chart", sources.Source{Kind: sources.Chart, Path: text("a")}, sources.Contents{}},
		{"what is not here", sources.Source{Kind: sources.Directory, Path: text("a"), Absent: true}, sources.Contents{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.source.Repository.Is = sources.Here
			if diff := cmp.Diff(c.want, c.source.Contents(names)); diff != "" {
				t.Error(diff)
			}
		})
	}
	listed := sources.Contents{Files: []string{"a/one.yaml"}, Folders: []string{"a/k"}}.Kustomization("a")
	want := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ./k\n- ./one.yaml\n"
	if diff := cmp.Diff(want, string(listed)); diff != "" {
		t.Error(diff)
	}
	if !sources.SkipsFile([]byte("# +argocd:skip-file-rendering\n")) || sources.SkipsFile([]byte("kind: A")) {
		t.Error("the mark that keeps a file out")
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	entry := func(key, value string) view.Entry { return view.Entry{Key: key, Value: text(value)} }
	for _, c := range []struct {
		name, file, want string
		change           sources.Kustomization
	}{
		{"nothing", "resources: [a.yaml]\n", "resources:\n- a.yaml\n", sources.Kustomization{}},
		{"an empty file", "", "namespace: a\n", sources.Kustomization{Namespace: text("a")}},
		{"names", "namePrefix: a-\n", "namePrefix: b-\nnameSuffix: -c\nnamespace: d\n",
			sources.Kustomization{NamePrefix: text("b-"), NameSuffix: text("-c"), Namespace: text("d")}},
		{"labels", "commonLabels: {a: b}\n", "commonAnnotations:\n  e: f\ncommonLabels:\n  a: b\n  c: d\n",
			sources.Kustomization{Labels: []view.Entry{entry("c", "d")}, Annotations: []view.Entry{entry("e", "f")}}},
		{"labels by force", "commonLabels: {a: b}\n", "commonLabels:\n  a: c\n",
			sources.Kustomization{Labels: []view.Entry{entry("a", "c")}, ForceLabels: true}},
		{"labels without selectors", "{}\n", "labels:\n- includeSelectors: false\n  includeTemplates: true\n  pairs:\n    a: b\n",
			sources.Kustomization{Labels: []view.Entry{entry("a", "b")}, LabelsWithoutSelectors: true, LabelsInTemplates: true}},
		{"images", "images: [{name: a, newTag: v1, newName: x}]\n", "images:\n- digest: sha256:1\n  name: a\n  newName: x\n- name: b\n  newTag: v2\n",
			sources.Kustomization{Images: []sources.Image{{Name: "a", Digest: "sha256:1"}, {Name: "b", NewTag: "v2"}}}},
		{"replicas", "replicas: [{name: a, count: 1}, 7]\n", "replicas:\n- count: 3\n  name: a\n- 7\n", sources.Kustomization{Replicas: []sources.Replicas{{Name: "a", Count: 3}}}},
		{"patches", "patches: [{path: a.yaml}]\n", "patches:\n- path: a.yaml\n- patch: b\n  target:\n    kind: C\n",
			sources.Kustomization{Patches: []sources.Patch{{Patch: text("b"), Target: map[string]any{"kind": "C"}}}}},
		{"components, those that are there", "components: [a]\n", "components:\n- a\n- ../b\n",
			sources.Kustomization{Components: []view.Field[string]{text("../b"), text("../c")}, IgnoreMissingComponents: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.change.Edit([]byte(c.file), "over/lay", func(name string) bool { return name == "over/b" })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, file := range map[string]string{"a label that is there": "commonLabels: {a: b}", "no kustomization": "- a", "no YAML": "a: ["} {
		if _, err := (sources.Kustomization{Labels: []view.Entry{entry("a", "c")}}).Edit([]byte(file), ".", nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
