package loader

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// tree is a repository in memory.
type tree = filestest.Tree

// withLargeFiles is a tree whose files with a name that begins with "big" are over the size limit.
type withLargeFiles struct{ loadertest.Repository }

func (t withLargeFiles) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) (skipped []repo.Skip, err error) {
	_, err = t.Tree.Walk(ctx, o, func(f repo.File) {
		if strings.HasPrefix(f.Path, "big") {
			skipped = append(skipped, repo.Skip{Path: f.Path, Reason: "larger than 1 MiB", TooLarge: true})
			return
		}
		visit(f)
	})
	return skipped, err
}

func read(t *testing.T, files tree, kinds map[string][]string) *Repository {
	t.Helper()
	w, err := Read(context.Background(), withLargeFiles{loadertest.Repository{Tree: files}}, Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader}\n"

// TestReadTakesTheKindsAskedFor checks that only the kinds in question are parsed, in lists, kustomizations and plain files.
func TestReadTakesTheKindsAskedFor(t *testing.T) {
	t.Parallel()
	w := read(t, tree{
		"prod/kustomization.yaml": "resources: [role.yaml, ../base/list.yaml]\n",
		"prod/role.yaml":          role,
		"base/list.yaml":          "kind: List\nitems:\n- {kind: ClusterRole, metadata: {name: a}}\n- {kind: Secret, metadata: {name: b}}\n",
		"plain.yaml":              "kind: Deployment\nbroken: [\n---\n" + role,
	}, nil)
	got := map[string][]string{}
	for _, unit := range w.Units {
		for _, o := range unit.Objects {
			got[unit.Name] = append(got[unit.Name], o.Kind+" "+o.Name)
		}
	}
	want := map[string][]string{
		"prod": {"ClusterRole a", "Secret b", "Role reader"},
		".":    {"Role reader"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(w.NotRead) > 0 {
		t.Errorf("not read: %v", w.NotRead)
	}
}

// TestNotRead checks that everything is reported that could hold an object in question and was not read.
func TestNotRead(t *testing.T) {
	t.Parallel()
	w := read(t, tree{
		"a-broken.yaml":           role + "rules: [\n",
		"b-template.yaml":         role + "{{ if .x }}\n",
		"big.yaml":                "",
		"c-binary.yaml":           "kind: Role\x00",
		"chart/Chart.yaml":        "name: chart\n",
		"chart/templates/x.yaml":  role,
		"chart/templates/cm.yaml": "kind: ConfigMap\n",
		"d-legacy.yaml":           strings.ReplaceAll(role, "rbac.authorization.k8s.io", LegacyGroup),
		"e/kustomization.yaml":    "namePrefix: x-\nresources: [role.yaml, https://example.com/rbac.yaml, gone.yaml]\n",
		"e/role.yaml":             role,
	}, nil)
	want := []string{"a-broken.yaml", "b-template.yaml", "big.yaml", "c-binary.yaml", "chart/Chart.yaml", "d-legacy.yaml"}
	if diff := cmp.Diff(want, files(w.NotRead)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want = append(want, "e/kustomization.yaml", "e/kustomization.yaml", "e/kustomization.yaml")
	if diff := cmp.Diff(want, files(w.Problems(w.Units[0]))); diff != "" {
		t.Errorf("of the unit (-want +got)\n%s", diff)
	}
}

func files(problems []Problem) []string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Position.File)
	}
	return names
}

// TestExtensions checks that an extension is listed with the unit that applies it, and with the target of that unit.
func TestExtensions(t *testing.T) {
	t.Parallel()
	const extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: harbor}\n"
	w := read(t, tree{
		"old/kustomization.yaml": "resources: [openshift.yaml, ../base/extension.yaml]\n",
		"old/openshift.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n" +
			"spec: {desiredUpdate: {version: 4.20.1}}\n",
		"new/kustomization.yaml": "resources: [../base/extension.yaml]\n",
		"base/extension.yaml":    extension,
	}, Kinds(RBAC(), Installers()))
	var got []string
	for _, e := range w.Extensions() {
		got = append(got, e.Unit.Name+" "+e.Name+" "+string(e.Resolved.Target.Model)+" "+e.Resolved.DetectedFrom)
	}
	want := []string{"new harbor unknown ", "old harbor required old/openshift.yaml:4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAbout checks that a path selects the units that apply or read it, and that a plain file selects its folder.
func TestAbout(t *testing.T) {
	t.Parallel()
	const binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\n"
	w := read(t, tree{
		"prod/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n",
		"prod/patch.yaml":         "kind: ConfigMap\n",
		"test/kustomization.yaml": "resources: [../base]\n",
		"base/kustomization.yaml": "resources: [rbac.yaml, config.yaml]\n",
		"base/config.yaml":        "kind: ConfigMap\n",
		"base/rbac.yaml":          binding,
		"none/kustomization.yaml": "resources: [config.yaml]\n",
		"none/config.yaml":        "kind: ConfigMap\n",
		"a/config.yaml":           "kind: ConfigMap\n",
		"a/x/rbac.yaml":           role,
		"b/rbac.yaml":             role,
	}, map[string][]string{"Role": nil, "RoleBinding": {"a name that is not there"}})
	everything := func(*objects.Object) bool { return true }
	for path, want := range map[string][]string{
		"base/config.yaml": {"prod", "test", ".:0"},
		"prod/patch.yaml":  {"prod", ".:0"},
		"none/config.yaml": {"none", ".:0"},
		"a/config.yaml":    {".:1"},
		"b":                {".:1"},
	} {
		var got []string
		for _, u := range w.About(func(file string) bool { return file == path || strings.HasPrefix(file, path+"/") }, everything) {
			name := u.Name
			if u.Kind == objects.PlainUnit {
				name += fmt.Sprintf(":%d", len(u.Objects))
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", path, diff)
		}
	}
	for _, u := range w.Units {
		if want := u.Name == "prod" || u.Name == "test"; w.MayGrant(u) != want {
			t.Errorf("%s: may grant: %t", u.Name, !want)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	got := Kinds(map[string][]string{"A": {"x"}, "B": {"x"}}, map[string][]string{"A": {"y"}, "B": nil, "C": {"z"}})
	want := map[string][]string{"A": {"x", "y"}, "B": nil, "C": {"z"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
