package rbac_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// TestUncertainBindings checks that the rules of a binding that may not apply are counted, and that the binding is listed.
func TestUncertainBindings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"certain":                     {clusterBinding("b", "ClusterRole, name: pods", installerSubject), nil},
		"an unknown namespace":        {roleBinding("b", "null", "ClusterRole, name: pods", installerSubject), []string{"b"}},
		"a templated namespace":       {roleBinding("b", "'${NS}'", "ClusterRole, name: pods", installerSubject), []string{"b"}},
		"an account of any namespace": {clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: sa}"), []string{"b"}},
		"an account of a templated namespace": {
			clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: sa, namespace: '${NS}'}"), []string{"b"},
		},
		"a refused binding": {clusterBinding("b", "ClusterRole, name: pods", installerSubject+", {kind: User, name: ''}"), []string{"b"}},
		"a binding with the role of a certain one": {
			clusterBinding("a", "ClusterRole, name: pods", installerSubject) +
				clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: sa}"),
			[]string{"b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := objectstest.Plain(t, tree{"a.yaml": clusterRole("pods", on("pods")) + test.text})
			got := rbac.EffectiveRules(u, nil, installer)
			if diff := cmp.Diff(test.want, names(got.Uncertain)); diff != "" {
				t.Error(diff)
			}
			var counted []string
			for _, rules := range got.Namespaces {
				counted = append(counted, resources(rules))
			}
			if counted = append(counted, resources(got.Cluster)); !strings.Contains(strings.Join(counted, " "), "pods") {
				t.Errorf("the rules are not counted: %q", counted)
			}
		})
	}
}
