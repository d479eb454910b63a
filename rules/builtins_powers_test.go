package rules_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/danger"
)

// TestPowersOfTheTable checks that rbac/escalation-verbs reports the direct powers of the table where they have an effect, and no others.
func TestPowersOfTheTable(t *testing.T) {
	t.Parallel()
	evaluator, err := load(t).Evaluator(t.Context(), []string{"rbac/escalation-verbs"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range danger.Powers() {
		for kind, namespace := range map[string]string{"ClusterRole": "", "Role": "shop"} {
			w := worldOf(t, filestest.Tree{"role.yaml": roleWith(kind, namespace, p)})
			found, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
			if err != nil {
				t.Fatal(err)
			}
			if want := p.Reach == danger.Direct && p.EffectiveIn(namespace); (len(found) == 1) != want || len(found) > 1 {
				t.Errorf("%s in a %s: %d findings", p.Name, kind, len(found))
			}
		}
	}
}

func roleWith(kind, namespace string, p *danger.Power) string {
	list := func(values []string) string {
		var quoted []string
		for _, value := range values {
			quoted = append(quoted, strconv.Quote(value))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: one, namespace: %q}\nrules:\n- {verbs: %s, apiGroups: [%q], resources: %s}\n",
		kind, namespace, list(p.Verbs), p.Group, list(p.Resources))
}
