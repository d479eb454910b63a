package verify_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// generator generates small random units, and plans that change them.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.Intn(len(of))] }

const (
	clusterRoles = 4
	bindingCount = 5
)

func (g generator) repository() verifytest.Repo {
	var roles, bindings []string
	for i := range clusterRoles {
		roles = append(roles, g.role("ClusterRole", fmt.Sprintf("{name: role-%d, labels: {part: '%s'}}", i, g.one("yes", "no")), ""))
	}
	roles = append(roles,
		g.role("Role", "{name: role-0, namespace: ops}", ""),
		g.role("ClusterRole", "{name: all-parts}", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n"))
	for i := range bindingCount {
		bindings = append(bindings, g.binding(i))
	}
	return verifytest.Repo{
		"kustomization.yaml": "resources: [roles.yaml, bindings.yaml, extension.yaml]\n",
		"roles.yaml":         strings.Join(roles, "---\n"),
		"bindings.yaml":      strings.Join(bindings, "---\n"),
		"extension.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: argo}\nspec:\n  namespace: ops\n" +
			g.one("", "  serviceAccount: {name: installer}\n"),
	}
}

func (g generator) role(kind, metadata, more string) string {
	text := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\n%srules:\n", kind, metadata, more)
	for range 1 + g.Intn(3) {
		text += "- " + g.rule(kind) + "\n"
	}
	return text
}

func (g generator) rule(kind string) string {
	verbs := g.one("[get]", "[get, list]", "[list]", "['*']")
	if kind == "ClusterRole" && g.Intn(4) == 0 {
		return fmt.Sprintf("{verbs: %s, nonResourceURLs: [%s]}", verbs, g.one("/metrics", "/api/v1", "/api/*", "'*'"))
	}
	names := g.one("", "", ", resourceNames: [one]", ", resourceNames: [one, two]", ", resourceNames: []")
	return fmt.Sprintf("{verbs: %s, apiGroups: [%s], resources: [%s]%s}", verbs, g.one("''", "apps", "'', apps", "'*'"),
		g.one("pods", "secrets", "pods, secrets", "'*'", "pods/scale", "'*/scale'"), names)
}

func (g generator) binding(i int) string {
	kind, metadata, role := "ClusterRoleBinding", fmt.Sprintf("{name: binding-%d}", i), "ClusterRole"
	if g.Intn(2) == 0 {
		kind, metadata = "RoleBinding", fmt.Sprintf("{name: binding-%d, namespace: %s}", i, g.one("ops", "apps"))
		role = g.one("Role", "ClusterRole", "ClusterRole")
	}
	text := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\nroleRef: {kind: %s, name: %s, apiGroup: rbac.authorization.k8s.io}\nsubjects:\n",
		kind, metadata, role, g.roleName())
	for range 1 + g.Intn(3) {
		text += "- " + g.subject() + "\n"
	}
	return text
}

func (g generator) roleName() string {
	return g.one("role-0", "role-1", "role-2", "role-3", "all-parts", "role-elsewhere")
}

func (g generator) subject() string {
	return g.one("{kind: User, name: jane}", "{kind: User, name: 'olm:clusterextension:argo'}", "{kind: Group, name: 'olm:clusterextensions'}",
		"{kind: Group, name: 'system:serviceaccounts'}", "{kind: Group, name: 'system:serviceaccounts:ops'}", "{kind: Group, name: 'system:authenticated'}",
		"{kind: ServiceAccount, name: installer, namespace: ops}", "{kind: ServiceAccount, name: installer, namespace: apps}")
}

// plan changes one or two things in roles and bindings. It is not a plan of a safe fix, which must not grant anything.
func (g generator) plan(c *engine.Context) *engine.Plan {
	plan := &engine.Plan{Fixer: "tampering", Kind: finding.Unsafe, Description: "tamper", Object: c.Repo.Units[0].Objects[0]}
	g.change(c, plan)
	if g.Intn(3) == 0 {
		g.generate(plan)
	}
	return plan
}

func (g generator) change(c *engine.Context, plan *engine.Plan) {
	change := engine.Change{File: "roles.yaml", Document: g.Intn(clusterRoles + 2)}
	switch g.Intn(9) {
	case 0:
		change.Op, change.Path = engine.RemoveValue, path("rules[0]")
	case 1:
		change.Op, change.Path, change.Value = engine.ReplaceField, path("rules[0].verbs"), []any{g.one("get", "list", "*")}
	case 2:
		change.Op, change.Path, change.Value = engine.AppendItem, path("rules[0].verbs"), g.one("get", "list", "*")
	case 3:
		change.Document = g.Intn(clusterRoles)
		change.Op, change.Path, change.Value = engine.SetText, path("metadata.labels.part"), g.one("yes", "no")
	case 4:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path, change.Value = engine.SetText, path("roleRef.name"), g.roleName()
	case 5:
		change.File, change.Document, change.Op = "bindings.yaml", g.Intn(bindingCount), engine.RemoveDocument
	case 6:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path = engine.RemoveValue, path("subjects[0]")
	case 7:
		change.File, change.Document = "bindings.yaml", g.Intn(bindingCount)
		change.Op, change.Path, change.Value = engine.SetText, path("subjects[0].name"), g.one("jane", "installer")
	case 8:
		g.generate(plan)
		return
	}
	if !isSame(c, change) {
		plan.Changes = append(plan.Changes, change)
	}
}

// isSame reports whether a change sets the existing value, for which the editor does nothing.
func isSame(c *engine.Context, change engine.Change) bool {
	for _, o := range c.Repo.Units[0].Objects {
		if o.File == change.File && o.Doc.Index == change.Document {
			return change.Op == engine.SetText && o.Node.Lookup(change.Path).String() == change.Value
		}
	}
	return false
}

// generate adds a binding.
func (g generator) generate(plan *engine.Plan) {
	text := g.binding(bindingCount)
	id := engine.ObjectName{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: fmt.Sprint("binding-", bindingCount)}
	for _, namespace := range []string{"ops", "apps"} {
		if strings.Contains(text, "namespace: "+namespace+"}\nroleRef") {
			id.Kind, id.Namespace = "RoleBinding", namespace
		}
	}
	plan.Documents = []engine.Document{{File: "more.yaml", Object: id, Text: text}}
	entry := engine.Change{File: "kustomization.yaml", Op: engine.AppendItem, Path: path("resources"), Value: "more.yaml"}
	if !slices.ContainsFunc(plan.Changes, func(c engine.Change) bool { return c.File == entry.File }) {
		plan.Changes = append(plan.Changes, entry)
	}
}
