package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// access is one deployment unit that contains only identities, roles and bindings.
type access struct {
	Identities, Bindings, Roles int
	Seed                        uint64
}

const (
	documentsPerFile   = 20
	identitiesPerSpace = 10
	rulesPerRole       = 4
)

var (
	resources = []struct{ group, names string }{
		{`""`, "pods, pods/log"}, {`""`, "configmaps, secrets"}, {`""`, "services, endpoints"}, {`""`, "serviceaccounts"},
		{"apps", "deployments, statefulsets"}, {"apps", "daemonsets"}, {"batch", "jobs, cronjobs"},
		{"networking.k8s.io", "ingresses"}, {"rbac.authorization.k8s.io", "roles, rolebindings"},
		{"apiextensions.k8s.io", "customresourcedefinitions"}, {"monitoring.coreos.com", "servicemonitors"},
	}
	verbs = []string{"get, list, watch", "create, update, patch", "delete", `"*"`}
)

// all yields the files, the kustomization last: it applies all others together.
func (a access) all() iter.Seq[file] {
	return func(yield func(file) bool) {
		w := &writer{random: rand.New(rand.NewPCG(a.Seed, 0))}
		var written []string
		for _, part := range []struct {
			name  string
			count int
			write func(w *writer, i int) string
		}{{"account", a.Identities, a.account}, {"role", a.Roles, a.role}, {"binding", a.Bindings, a.binding}} {
			for first := 0; first < part.count; first += documentsPerFile {
				var documents []string
				for i := first; i < min(first+documentsPerFile, part.count); i++ {
					documents = append(documents, part.write(w, i))
				}
				f := file{
					Path:      path.Join(part.name+"s", fmt.Sprintf("%s-%05d.yaml", part.name, first)),
					Text:      strings.Join(documents, "---\n"),
					Documents: len(documents),
				}
				written = append(written, f.Path)
				if !yield(f) {
					return
				}
			}
		}
		yield(file{Path: "kustomization.yaml", Text: "resources:\n  - " + strings.Join(written, "\n  - ") + "\n", Documents: 1})
	}
}

// space is the namespace of an identity.
func space(i int) string { return fmt.Sprintf("team-%03d", i/identitiesPerSpace) }

func (a access) account(_ *writer, i int) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: robot-%05d\n  namespace: %s\n", i, space(i))
}

func (a access) role(w *writer, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: role-%05d\nrules:\n", i)
	for range rulesPerRole {
		r := resources[w.random.IntN(len(resources))]
		fmt.Fprintf(&b, "  - apiGroups: [%s]\n    resources: [%s]\n    verbs: [%s]\n", r.group, r.names, w.pick(verbs))
	}
	return b.String()
}

// binding grants a role to one to three accounts; every third one for the whole cluster, the others in a namespace.
func (a access) binding(w *writer, i int) string {
	who := []int{i % a.Identities}
	for range w.random.IntN(3) {
		if more := w.random.IntN(a.Identities); !slices.Contains(who, more) {
			who = append(who, more)
		}
	}
	var b strings.Builder
	kind, namespace := "ClusterRoleBinding", ""
	if i%3 > 0 {
		kind, namespace = "RoleBinding", "  namespace: "+space(who[0])+"\n"
	}
	fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata:\n  name: binding-%05d\n%s", kind, i, namespace)
	fmt.Fprintf(&b, "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: role-%05d\nsubjects:\n",
		w.random.IntN(a.Roles))
	for _, account := range who {
		fmt.Fprintf(&b, "  - kind: ServiceAccount\n    name: robot-%05d\n    namespace: %s\n", account, space(account))
	}
	return b.String()
}
