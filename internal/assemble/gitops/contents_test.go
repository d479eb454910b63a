package gitops_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
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
		source gitops.Source
		want   gitops.Contents
	}{
		{"the folder alone", gitops.Source{Kind: gitops.Directory, Path: text("a")},
			gitops.Contents{Files: []string{"a/one.yaml", "a/two.json"}, Skipped: []string{"a/four.jsonnet"}}},
		{"the root", gitops.Source{Kind: gitops.Directory, Path: text(".")}, gitops.Contents{Files: []string{"top.yaml"}}},
		{"with all below, without some", gitops.Source{Kind: gitops.Directory, Path: text("a"), Directory: gitops.Filter{Recurse: recurse, Exclude: text("{*.jsonnet,k/*,.github/*,b/tests/*}")}},
			gitops.Contents{Files: []string{"a/b/five.yml", "a/one.yaml", "a/two.json"}}},
		{"only some; * goes over slashes", gitops.Source{Kind: gitops.Directory, Path: text("a"), Directory: gitops.Filter{Recurse: recurse, Include: text("*six*")}},
			gitops.Contents{Files: []string{"a/b/tests/six.yaml"}}},
		{"of any name", gitops.Source{Kind: gitops.Directory, Path: text("a"), Directory: gitops.Filter{AnyExtension: recurse, Include: text("*.txt")}},
			gitops.Contents{Files: []string{"a/three.txt"}}},
		{"a broken pattern", gitops.Source{Kind: gitops.Directory, Path: text("a"), Directory: gitops.Filter{Include: text("[")}}, gitops.Contents{}},
		{"as Flux lists them", gitops.Source{Kind: gitops.Collected, Path: text("a")},
			gitops.Contents{Files: []string{"a/b/five.yml", "a/b/tests/six.yaml", "a/one.yaml"}, Folders: []string{"a/k"}}},
		{"a kustomization", gitops.Source{Kind: gitops.Kustomize, Path: text("a/k")}, gitops.Contents{Folders: []string{"a/k"}}},
		{"a chart", gitops.Source{Kind: gitops.Chart, Path: text("a")}, gitops.Contents{}},
		{"what is not here", gitops.Source{Kind: gitops.Directory, Path: text("a"), Absent: true}, gitops.Contents{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.source.Repository.Is = gitops.Here
			if diff := cmp.Diff(c.want, c.source.Contents(names)); diff != "" {
				t.Error(diff)
			}
		})
	}
	listed := gitops.Contents{Files: []string{"a/one.yaml"}, Folders: []string{"a/k"}}.Kustomization("a")
	want := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ./k\n- ./one.yaml\n"
	if diff := cmp.Diff(want, string(listed)); diff != "" {
		t.Error(diff)
	}
	if !gitops.SkipsFile([]byte("# +argocd:skip-file-rendering\n")) || gitops.SkipsFile([]byte("kind: A")) {
		t.Error("the mark that keeps a file out")
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	entry := func(key, value string) view.Entry { return view.Entry{Key: key, Value: text(value)} }
	for _, c := range []struct {
		name, file, want string
		change           gitops.Kustomization
	}{
		{"nothing", "resources: [a.yaml]\n", "resources:\n- a.yaml\n", gitops.Kustomization{}},
		{"an empty file", "", "namespace: a\n", gitops.Kustomization{Namespace: text("a")}},
		{"names", "namePrefix: a-\n", "namePrefix: b-\nnameSuffix: -c\nnamespace: d\n",
			gitops.Kustomization{NamePrefix: text("b-"), NameSuffix: text("-c"), Namespace: text("d")}},
		{"labels", "commonLabels: {a: b}\n", "commonAnnotations:\n  e: f\ncommonLabels:\n  a: b\n  c: d\n",
			gitops.Kustomization{Labels: []view.Entry{entry("c", "d")}, Annotations: []view.Entry{entry("e", "f")}}},
		{"labels by force", "commonLabels: {a: b}\n", "commonLabels:\n  a: c\n",
			gitops.Kustomization{Labels: []view.Entry{entry("a", "c")}, ForceLabels: true}},
		{"labels without selectors", "{}\n", "labels:\n- includeSelectors: false\n  includeTemplates: true\n  pairs:\n    a: b\n",
			gitops.Kustomization{Labels: []view.Entry{entry("a", "b")}, LabelsWithoutSelectors: true, LabelsInTemplates: true}},
		{"images", "images: [{name: a, newTag: v1, newName: x}]\n", "images:\n- digest: sha256:1\n  name: a\n  newName: x\n- name: b\n  newTag: v2\n",
			gitops.Kustomization{Images: []gitops.Image{{Name: "a", Digest: "sha256:1"}, {Name: "b", NewTag: "v2"}}}},
		{"replicas", "replicas: [{name: a, count: 1}, 7]\n", "replicas:\n- count: 3\n  name: a\n- 7\n", gitops.Kustomization{Replicas: []gitops.Replicas{{Name: "a", Count: 3}}}},
		{"patches", "patches: [{path: a.yaml}]\n", "patches:\n- path: a.yaml\n- patch: b\n  target:\n    kind: C\n",
			gitops.Kustomization{Patches: []gitops.Patch{{Patch: text("b"), Target: map[string]any{"kind": "C"}}}}},
		{"components, those that are there", "components: [a]\n", "components:\n- a\n- ../b\n",
			gitops.Kustomization{Components: []view.Field[string]{text("../b"), text("../c")}, IgnoreMissingComponents: true}},
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
		if _, err := (gitops.Kustomization{Labels: []view.Entry{entry("a", "c")}}).Edit([]byte(file), ".", nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	object := map[string]any{"spec": map[string]any{"name": "${name}-${secret}"}}
	var none *gitops.Variables
	if filled, unknown, err := none.Fill(object); unknown != nil || err != nil || cmp.Diff(object, filled) != "" {
		t.Error("without variables something changed")
	}
	for _, open := range []bool{false, true} {
		variables := &gitops.Variables{Known: map[string]string{"name": "harbor"}, Open: open}
		filled, unknown, err := variables.Fill(object)
		want := map[string]any{"spec": map[string]any{"name": "harbor-"}}
		if diff := cmp.Diff(want, filled); diff != "" || err != nil || (len(unknown) == 1) != open {
			t.Error(diff, unknown, err)
		}
	}
}
