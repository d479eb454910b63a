package inventory_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// tree is a repository: the text of each file.
type tree map[string]string

func (tr tree) files() []string { return slices.Sorted(maps.Keys(tr)) }

// objects parses every document of the repository.
func (tr tree) objects(t testing.TB) []*inventory.Object {
	t.Helper()
	var objects []*inventory.Object
	for _, file := range tr.files() {
		for _, doc := range parse(t, file, tr[file]) {
			objects = append(objects, inventory.Objects(doc)...)
		}
	}
	return objects
}

func (tr tree) kustomizations(t testing.TB) []*inventory.Kustomization {
	t.Helper()
	var all []*inventory.Kustomization
	for _, file := range tr.files() {
		if !inventory.IsKustomizationFile(file) {
			continue
		}
		for _, doc := range parse(t, file, tr[file]) {
			k, err := inventory.ReadKustomization(doc)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, k)
		}
	}
	return all
}

func (tr tree) units(t testing.TB) []*inventory.Unit {
	t.Helper()
	return inventory.Units(tr.objects(t), tr.kustomizations(t), tr.files()...)
}

// plain is the repository as one plain unit.
func (tr tree) plain(t testing.TB) *inventory.Unit {
	t.Helper()
	units := inventory.Units(tr.objects(t), nil)
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

// one parses a text that holds one object.
func one(t testing.TB, text string) *inventory.Object {
	t.Helper()
	objects := tree{"object.yaml": text}.objects(t)
	if len(objects) != 1 {
		t.Fatalf("%d objects, want one", len(objects))
	}
	return objects[0]
}

func refs(objects []*inventory.Object) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.Ref())
	}
	return all
}

func fileNames(objects []*inventory.Object) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.File)
	}
	return all
}

// account, extension and binding write manifests of which only the names matter.
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
