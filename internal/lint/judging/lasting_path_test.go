package judging

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

func TestLastingPath(t *testing.T) {
	t.Parallel()
	doc := manifest.Scan("a.yaml", []byte(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: b}
subjects:
- {kind: ServiceAccount, name: a, namespace: n}
- {kind: User, name: a}
- {kind: User, name: a}
- {kind: User}
- text
spec: {serviceAccount: a, containers: [{name: main, env: [{name: X, value: 1}]}], roles: [{name: ci, jwtTokens: [{iat: 5}, {iat: 5, id: k}, {exp: 1}]}]}
`)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	o := objects.Objects(doc)[0]
	var names itemNames
	got := map[string]string{}
	for _, path := range []string{
		"subjects[0]", "subjects[1].name", "subjects[2]", "subjects[3].kind", "subjects[4]", "subjects[9].name",
		"spec.containers[0].env[0].value", "spec.serviceAccount", "spec.serviceAccount.name", "roleRef.name", "metadata",
		"spec.roles[0].jwtTokens[0]", "spec.roles[0].jwtTokens[1].exp", "spec.roles[0].jwtTokens[2]",
	} {
		parsed, err := manifest.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		got[path] = names.lastingPath(o, parsed)
	}
	want := map[string]string{
		"subjects[0]": "subjects[ServiceAccount n/a]", "subjects[1].name": "subjects[User a].name", "subjects[2]": "subjects[User a #2]",
		"subjects[3].kind": "subjects[3].kind", "subjects[4]": "subjects[4]", "subjects[9].name": "subjects.9.name",
		"spec.containers[0].env[0].value": "spec.containers[main].env[X].value",
		"spec.serviceAccount":             "spec.serviceAccountName", "spec.serviceAccount.name": "spec.serviceAccount.name",
		"roleRef.name": "roleRef.name", "metadata": "metadata",
		"spec.roles[0].jwtTokens[0]": "spec.roles[ci].jwtTokens[iat 5]", "spec.roles[0].jwtTokens[1].exp": "spec.roles[ci].jwtTokens[iat 5 k].exp",
		"spec.roles[0].jwtTokens[2]": "spec.roles[ci].jwtTokens[2]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
