package objects_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// tree is a repository in memory.
type tree = filestest.Tree

// one parses a text with one object.
func one(t testing.TB, text string) *objects.Object {
	t.Helper()
	objects := objectstest.Objects(t, tree{"object.yaml": text})
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
