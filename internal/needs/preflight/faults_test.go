package preflight

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ objects, want string }{
		"unknown kind": {
			`{apiVersion: goharbor.io/v1, kind: Harbor, metadata: {name: h}}`,
			"bundle.yaml:1: the kind Harbor of goharbor.io/v1 is unknown, and so are its resource and scope. " +
				"Add its CustomResourceDefinition to the bundle or the repository",
		},
		"no name": {
			`{apiVersion: v1, kind: Secret, metadata: {}}`,
			"bundle.yaml:1: the Secret has no metadata.name",
		},
		"rules that are no list": {
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}, rules: {verbs: [get]}}`,
			"bundle.yaml:1: Role r is invalid: json: cannot unmarshal object into Go value of type []v1.PolicyRule",
		},
		"no role": {
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: r}, roleRef: {kind: Rule, name: x}}`,
			"bundle.yaml:1: the roleRef of RoleBinding r is not a Role or ClusterRole",
		},
		"a Role for the whole cluster": {
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: r}, roleRef: {kind: Role, name: x}}`,
			"bundle.yaml:1: the roleRef of ClusterRoleBinding r is a Role, but the API server requires a ClusterRole",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Check(input(t, test.objects, ""))
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// TestUnknownField checks that a field that rules do not have is a note: the role is a third party's.
func TestUnknownField(t *testing.T) {
	t.Parallel()
	in := input(t, `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}, rules: [{Verbs: [get], apigroups: [apps], resources: [pods], verb: [list]}]}`, "")
	var notes []string
	in.Note = func(text string) { notes = append(notes, text) }
	missing := lines(check(t, in).Missing)
	want := []string{"bundle.yaml:1: Role r has the unknown field rules[0].verb: its permissions were read without it, and the API server drops it or rejects the object"}
	if diff := cmp.Diff(want, notes); diff != "" || !strings.Contains(missing, "harbor: get apps/pods\n") {
		t.Errorf("%s\nmissing\n%s", diff, missing)
	}
}

func TestKindOfADefinition(t *testing.T) {
	t.Parallel()
	const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: harbors.goharbor.io}
spec:
  group: goharbor.io
  scope: Namespaced
  names: {kind: Harbor, plural: harbors, singular: harbor}
`
	const object = `
apiVersion: goharbor.io/v1
kind: Harbor
metadata: {name: main}
`
	want := "harbor: create goharbor.io/harbors\nharbor: delete,get,patch,update goharbor.io/harbors main\n"
	for name, in := range map[string]Input{
		"in the bundle":            input(t, definition+"---"+object, ""),
		"is not in the repository": input(t, object, definition),
	} {
		missing := lines(check(t, in).Missing)
		if !strings.HasSuffix(missing, want) {
			t.Errorf("%s: missing\n%s", name, missing)
		}
	}
}
