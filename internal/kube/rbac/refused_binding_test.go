package rbac_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// TestRefusedGrantsNothing checks that objects which the API server refuses, or overwrites, never allow a request.
func TestRefusedGrantsNothing(t *testing.T) {
	t.Parallel()
	r := clusterRole("r", on("apples"))
	b := clusterBinding("b", "ClusterRole, name: r", installerSubject)
	other := clusterBinding("b", "ClusterRole, name: r", "{kind: User, name: somebody}")
	user := func(name string) string {
		return clusterBinding("b", "ClusterRole, name: r", installerSubject+", {kind: User, name: "+name+"}")
	}
	for name, test := range map[string]struct {
		tree tree
		want bool
	}{
		"taken":                       {tree{"a.yaml": r + b}, true},
		"binding of v1beta1":          {tree{"a.yaml": r + strings.Replace(b, "io/v1", "io/v1beta1", 1)}, false},
		"binding of v1alpha1":         {tree{"a.yaml": r + strings.Replace(b, "io/v1", "io/v1alpha1", 1)}, false},
		"role of v1beta1":             {tree{"a.yaml": strings.Replace(r, "io/v1", "io/v1beta1", 1) + b}, false},
		"twice in a file":             {tree{"a.yaml": r + b + other}, false},
		"twice in a file, in order":   {tree{"a.yaml": r + other + b}, false},
		"once for each cluster":       {tree{"a.yaml": r + b, "x/b.yaml": other}, true},
		"a subject that is a boolean": {tree{"a.yaml": r + user("yes")}, false},
		"a subject that is a number":  {tree{"a.yaml": r + user("7")}, false},
		"a subject in quotes":         {tree{"a.yaml": r + user("'yes'")}, true},
		"a name that is a boolean":    {tree{"a.yaml": r + strings.Replace(b, "name: b", "name: on", 1)}, false},
		"a verb that is a boolean":    {tree{"a.yaml": strings.Replace(r, "apples", "apples, y", 1) + b}, false},
	} {
		answer := rbac.Ask(objectstest.Plain(t, test.tree), nil, installer.Identity(), rbac.Request{Verb: "get", Resource: "apples"})
		if answer.Allowed != test.want || !test.want && len(answer.Uncertain)+len(answer.Unknown) == 0 {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	twice := objectstest.Applied(t, tree{"a.yaml": r + b, "x/b.yaml": other})
	if rbac.Ask(twice, nil, installer.Identity(), rbac.Request{Verb: "get", Resource: "apples"}).Allowed {
		t.Error("twice in a kustomization")
	}
}
