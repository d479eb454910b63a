package rules_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/rules"
)

// TestBindingsAreSkipped evaluates rules about bindings to what does not exist only on bindings to something that may not exist.
func TestBindingsAreSkipped(t *testing.T) {
	t.Parallel()
	const rbac = `apiVersion: v1
kind: ServiceAccount
metadata: {name: app, namespace: web}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: web}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: app, namespace: web}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: app, namespace: web}]
`
	for _, c := range []struct {
		old, new, evaluated string
		findings            int
	}{
		{"", "", "", 0},
		{"name: app, namespace: web}]", "name: other, namespace: web}]", "rbac/subject-not-found", 1},
		{"kind: Role, name: reader", "kind: Role, name: writer", "rbac/role-not-found", 1},
		{"kind: Role, name: reader", `kind: Role, name: "${ROLE}"`, "rbac/role-not-found rbac/subject-invalid rbac/subject-not-found", 0},
		{"subjects: [{kind: ServiceAccount, name: app,", "subjects: [{kind: ServiceAccount, name: App,", "rbac/subject-invalid rbac/subject-not-found", 1},
	} {
		w := worldOf(t, filestest.Tree{"rbac.yaml": strings.Replace(rbac, c.old, c.new, 1)})
		registry, err := rules.Load(t.Context(), rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"rbac/role-not-found", "rbac/subject-invalid", "rbac/subject-not-found"}
		evaluator, err := registry.Evaluator(t.Context(), names)
		if err != nil {
			t.Fatal(err)
		}
		reports, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[2])
		if err != nil {
			t.Fatal(err)
		}
		var evaluated []string
		for _, name := range names {
			if evaluator.Counters().Evaluations[name] > 0 {
				evaluated = append(evaluated, name)
			}
		}
		if got := strings.Join(evaluated, " "); got != c.evaluated || len(reports) != c.findings {
			t.Errorf("%q: evaluated %q, want %q; findings: %v", c.new, got, c.evaluated, reports)
		}
	}
}
