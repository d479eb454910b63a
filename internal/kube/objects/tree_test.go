package objects_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// tree is a repository: the text of each file.
type tree map[string]string

func (tr tree) files() []string { return slices.Sorted(maps.Keys(tr)) }

// objects parses every document of the repository.
func (tr tree) objects(t testing.TB) []*objects.Object {
	t.Helper()
	var objs []*objects.Object
	for _, file := range tr.files() {
		for _, doc := range parse(t, file, tr[file]) {
			objs = append(objs, objects.Objects(doc)...)
		}
	}
	return objs
}

func (tr tree) kustomizations(t testing.TB) []*objects.Kustomization {
	t.Helper()
	var all []*objects.Kustomization
	for _, file := range tr.files() {
		if !objects.IsKustomizationFile(file) {
			continue
		}
		for _, doc := range parse(t, file, tr[file]) {
			k, err := objects.ReadKustomization(doc)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, k)
		}
	}
	return all
}

func (tr tree) units(t testing.TB) []*objects.Unit {
	t.Helper()
	return objects.Units(tr.objects(t), tr.kustomizations(t), tr.files()...)
}

// plain returns the repository as one plain unit.
func (tr tree) plain(t testing.TB) *objects.Unit {
	t.Helper()
	units := objects.Units(tr.objects(t), nil)
	if len(units) != 1 {
		t.Fatalf("%d units, want one", len(units))
	}
	return units[0]
}

func parse(t testing.TB, file, text string) []*manifest.Document {
	t.Helper()
	docs := manifest.Scan(file, []byte(text)).Docs
	for _, doc := range docs {
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

// one parses a text with one object.
func one(t testing.TB, text string) *objects.Object {
	t.Helper()
	objects := tree{"object.yaml": text}.objects(t)
	if len(objects) != 1 {
		t.Fatalf("%d objects, want one", len(objects))
	}
	return objects[0]
}

func refs(objects []*objects.Object) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.Ref())
	}
	return all
}

func fileNames(objects []*objects.Object) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.File)
	}
	return all
}

// account, extension, and binding return manifests in which only the names matter.
func account(namespace, name string) string {
	return manifestOf("v1", "ServiceAccount", namespace, name)
}

func extension(name, namespace, account string) string {
	return manifestOf("olm.operatorframework.io/v1", "ClusterExtension", "", name) +
		"spec:\n  namespace: " + namespace + "\n  serviceAccount:\n    name: " + account + "\n"
}

func binding(name, namespace, account string) string {
	return manifestOf("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", name) +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n" +
		"subjects: [{kind: ServiceAccount, namespace: " + namespace + ", name: " + account + "}]\n"
}

func manifestOf(apiVersion, kind, namespace, name string) string {
	lines := []string{"apiVersion: " + apiVersion, "kind: " + kind, "metadata:", "  name: " + name}
	if namespace != "" {
		lines = append(lines, "  namespace: "+namespace)
	}
	return strings.Join(lines, "\n") + "\n"
}
