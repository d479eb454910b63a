package rbac_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	const role, jane = "ClusterRole, name: r", "{kind: User, name: jane}"
	tests := []struct{ text, want string }{
		{clusterBinding("b", role, jane), ""},
		{clusterBinding("b", "Role, name: r", jane), "roleRef.kind"},
		{roleBinding("b", "x", "Role, name: r", jane), ""},
		{roleBinding("b", "x", "clusterrole, name: r", jane), "roleRef.kind"},
		{roleBinding("b", "x", "ROLE_KIND, name: r", jane), ""},
		{roleBinding("b", "x", "ClusterRole", jane), "roleRef"},
		{roleBinding("b", "x", "ClusterRole, name: x/r", jane), "roleRef.name"},
		{roleBinding("b", "x", role+", apiGroup: rbac.authorization.k8s.io/v1", jane), "roleRef.apiGroup"},
		{roleBinding("b", "x", role+", apiGroup: ''", jane), ""},
		{strings.Replace(roleBinding("b", "x", role, jane), "roleRef: {kind: ClusterRole, name: r}\n", "", 1), "roleRef"},
		{strings.Replace(roleBinding("b", "x", role, jane), "{kind: ClusterRole, name: r}", "${ROLE}", 1), ""},
		{roleBinding("b", "x", role, "{kind: user, name: jane}, {name: jane}, {kind: '${KIND}', name: jane}"), "subjects[0].kind subjects[1]"},
		{roleBinding("b", "x", role, "{kind: User}, {kind: Group, name: ''}, {kind: Group, name: {n: }}"), "subjects[0] subjects[1].name"},
		{roleBinding("b", "x", role, "{kind: User, name: 7}, {kind: User, name: '7'}"), "subjects[0].name"},
		{roleBinding("b", "x", role, "{kind: ServiceAccount, name: 'shop:web'}, {kind: ServiceAccount, name: Web_1}"), "subjects[0].name subjects[1].name"},
		{roleBinding("b", "x", role, "{kind: ServiceAccount, name: WEB}, {kind: ServiceAccount, name: '<web>'}, {kind: ServiceAccount, name: replace_me}"), ""},
		{roleBinding("b", "x", role, "{kind: ServiceAccount, name: web, apiGroup: v1}"), "subjects[0].apiGroup"},
		{clusterBinding("b", role, "{kind: ServiceAccount, name: web}, {kind: ServiceAccount, name: web, namespace: {n: }}"), "subjects[0]"},
	}
	for _, test := range tests {
		objects := objectstest.Objects(t, tree{"a.yaml": test.text})
		var paths []string
		for _, r := range rbac.Refusals(objects[0]) {
			paths = append(paths, r.Path.String())
		}
		if diff := cmp.Diff(test.want, strings.Join(paths, " ")); diff != "" {
			t.Errorf("%s%s", test.text, diff)
		}
	}
}

func TestInvalidAccountName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"web": "", "": "", "a.b-c": "", "WEB_ACCOUNT": "", "${NAME}": "", "@name@": "", "%name%": "", "replace_me": "", "serviceAccountName": "", "($x)": "",
		"system:serviceaccount:shop:web": `"system:serviceaccount:shop:web" is not a valid account name: it is the user name of account web in namespace shop`,
		"shop/web":                       `"shop/web" is not a valid account name: only lowercase letters, digits, dashes, and dots are allowed`,
		"Web_1":                          `"Web_1" is not a valid account name: only lowercase letters, digits, dashes, and dots are allowed`,
	} {
		if got := rbac.InvalidAccountName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
