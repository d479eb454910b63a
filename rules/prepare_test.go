package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/rules/evalcontext"
)

// TestRulesWithoutTheirWordsAreNotCompiled checks that rules are compiled only for documents that have one of their words:
// most repositories contain nothing of Grafana, but many contain roles, which one of its rules judges.
func TestRulesWithoutTheirWordsAreNotCompiled(t *testing.T) {
	t.Parallel()
	const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: wide}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: [get]}]
`
	const account = `apiVersion: grafana.integreatly.org/v1beta1
kind: GrafanaServiceAccount
metadata: {name: reader}
spec: {instanceName: grafana, role: Viewer}
`
	without := compiled(t, worldOf(t, map[string]string{"role.yaml": role}), "grafana/")
	if without != 0 {
		t.Errorf("%d modules are compiled without anything of Grafana", without)
	}
	if with := compiled(t, worldOf(t, map[string]string{"account.yaml": account}), "grafana/"); with == 0 {
		t.Error("nothing is compiled for an account")
	}
}

// compiled returns how many modules the rules of a family need for the objects of a repository.
func compiled(t *testing.T, w evalcontext.Context, family string) int {
	t.Helper()
	registry := load(t)
	names, err := registry.Select(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, family) })
	evaluator, err := registry.Evaluator(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range w.Unit.Objects {
		if err := evaluator.Compile(t.Context(), evaluator.Select(w, o)); err != nil {
			t.Fatal(err)
		}
	}
	return evaluator.Counters().Modules
}
