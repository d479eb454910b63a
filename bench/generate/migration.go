package main

import (
	"fmt"
	"iter"
	"strings"
)

// migration is a repository of extensions to migrate, each with a namespace, an account, a role and three bindings, and of
// what grows beside them.
type migration struct {
	Extensions int
	// InOneFile puts all extensions into one file; otherwise each has a folder with two files.
	InOneFile bool
	// Clusters is the number of overlays over a base with the extensions; 0 writes no kustomization.
	Clusters int
	// Subjects is the number of subjects, each refused by the API server, of one more binding.
	Subjects int
	// Others is the number of other documents, in one more file.
	Others int
}

// all yields the files of the extensions, then the others.
func (m migration) all() iter.Seq[file] {
	files := m.extensions()
	if m.Subjects > 0 {
		files = append(files, file{Path: "subjects.yaml", Text: refusedSubjects(m.Subjects)})
	}
	if m.Others > 0 {
		files = append(files, file{Path: "others.yaml", Text: configMaps(m.Others)})
	}
	for i := range m.Clusters {
		files = append(files, file{
			Path: fmt.Sprintf("clusters/c%04d/kustomization.yaml", i),
			Text: fmt.Sprintf("resources:\n  - ../../base\nnamePrefix: c%04d-\n", i),
		})
	}
	return counted(files)
}

func (m migration) extensions() []file {
	if m.InOneFile {
		var text strings.Builder
		for i := range m.Extensions {
			if i > 0 {
				text.WriteString("---\n")
			}
			text.WriteString(migrated(i) + "---\n" + migratedAccess(i))
		}
		return []file{{Path: "all.yaml", Text: text.String()}}
	}
	var files []file
	folder, resources := "extensions", "resources:\n"
	if m.Clusters > 0 {
		folder = "base"
	}
	for i := range m.Extensions {
		name := fmt.Sprintf("op-%05d", i)
		files = append(
			files,
			file{Path: folder + "/" + name + "/extension.yaml", Text: migrated(i)},
			file{Path: folder + "/" + name + "/rbac.yaml", Text: migratedAccess(i)},
		)
		resources += "  - " + name + "/extension.yaml\n  - " + name + "/rbac.yaml\n"
	}
	if m.Clusters > 0 {
		files = append(files, file{Path: "base/kustomization.yaml", Text: resources})
	}
	return files
}

// migrated is a namespace with an extension.
func migrated(i int) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: op-%05[1]d-system\n---\n", i) +
		fmt.Sprintf(extensionParts[0].text, fmt.Sprintf("op-%05d", i))
}

// migratedAccess is the account of an extension with its role, which one of three bindings grants.
func migratedAccess(i int) string {
	name := fmt.Sprintf("op-%05d", i)
	var documents []string
	for _, p := range extensionParts[1:] {
		documents = append(documents, fmt.Sprintf(p.text, name))
	}
	documents = append(documents, fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: %[1]s-view
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: view
subjects:
  - kind: ServiceAccount
    name: %[1]s-installer
    namespace: %[1]s-system
`, name), fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: %[1]s-admin
  namespace: %[1]s-system
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: admin
subjects:
  - kind: ServiceAccount
    name: %[1]s-installer
    namespace: %[1]s-system
`, name))
	return strings.Join(documents, "---\n")
}

// refusedSubjects is a binding whose subjects have no namespace.
func refusedSubjects(n int) string {
	var text strings.Builder
	text.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: many\n  namespace: team\n" +
		"roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: view\nsubjects:\n")
	for i := range n {
		fmt.Fprintf(&text, "  - kind: ServiceAccount\n    name: robot-%05d\n", i)
	}
	return text.String()
}

func configMaps(n int) string {
	documents := make([]string, n)
	for i := range documents {
		documents[i] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings-%05d\n  namespace: team\ndata:\n  key: value\n", i)
	}
	return strings.Join(documents, "---\n")
}
