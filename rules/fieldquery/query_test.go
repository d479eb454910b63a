package fieldquery

import (
	"fmt"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/rules/builtins/extensions"
)

// TestAccountState compares the index with what a policy sees of the extension.
func TestAccountState(t *testing.T) {
	t.Parallel()
	states := map[string]bool{}
	for _, account := range []string{
		"", "serviceAccount:", "serviceAccount: {}", "serviceAccount: {name: ''}", "serviceAccount: {name: a}", "serviceAccount: {name: '{{ .Values.a }}'}",
		"serviceAccount: [a]", "serviceAccount: '{{ .Values.a }}'",
	} {
		unit := objectstest.Plain(t, map[string]string{"a.yaml": fmt.Sprintf(
			"apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: a}\nspec:\n  namespace: n\n  %s\n", account)})
		o := unit.Objects[0]
		value := extensions.ExtensionValue(o.Node).(ast.Object)
		state := string(value.Get(ast.StringTerm("account")).Value.(ast.Object).Get(ast.StringTerm("state")).Value.(ast.String))
		states[state] = true
		for _, asked := range []string{state, "other"} {
			q := Query{Query: objects.Query{Kind: o.Kind}, Fields: map[string]string{"installed_in": "n", "account_state": asked}}
			if found := len(q.In(unit)) == 1; found != (asked == state) {
				t.Errorf("%q: its state is %s, and a query for %s finds it: %v", account, state, asked, found)
			}
		}
	}
	if len(states) < 6 {
		t.Errorf("only the states %v were compared", states)
	}
}
