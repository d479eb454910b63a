package rbac_test

import (
	"testing"

	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// administratorManifests make the group ops and the accounts of the namespace argocd administrators, and the user ada by
// two bindings. Developers are allowed much, but not everything.
const administratorManifests = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ops}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: ops}, {kind: Group, name: "system:serviceaccounts:argocd"}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: read}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: write}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: [create, update, patch, delete, deletecollection]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: read}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: read}
subjects: [{kind: User, name: ada}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: write}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: write}
subjects: [{kind: User, name: ada}, {kind: Group, name: developers}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: inside, namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: User, name: eve}]
`

func TestIsAdministrator(t *testing.T) {
	t.Parallel()
	objs := objectstest.In(t, "a.yaml", administratorManifests)
	unit := assembly.Units(objs, nil)[0]
	account := func(namespace, name string) rbac.Subject {
		return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: namespace, Name: name}
	}
	for subject, want := range map[rbac.Subject]bool{
		{Kind: rbac.KindGroup, Name: "system:masters"}:                                     true,
		{Kind: rbac.KindUser, Name: "system:masters"}:                                      false,
		{Kind: rbac.KindGroup, Name: "system:cluster-admins"}:                              true,
		{Kind: rbac.KindGroup, Name: "system:authenticated"}:                               false,
		{Kind: rbac.KindGroup, Name: "ops"}:                                                true,
		{Kind: rbac.KindUser, Name: "ada"}:                                                 true,
		{Kind: rbac.KindUser, Name: "eve"}:                                                 false,
		{Kind: rbac.KindGroup, Name: "developers"}:                                         false,
		account("argocd", "argocd-application-controller"):                                 true,
		account("flux-system", "kustomize-controller"):                                     false,
		account("olmv1-system", "operator-controller-controller-manager"):                  true,
		account("openshift-operator-controller", "operator-controller-controller-manager"): true,
		account("openshift-cluster-olm-operator", "cluster-olm-operator"):                  true,
		account("${OLM}", "catalogd-controller-manager"):                                   true,
		account("tools", "cluster-olm-operator"):                                           false,
		account("olmv1-system", "deployer"):                                                false,
	} {
		if got := rbac.IsAdministrator(unit, objs[0], subject); got != want {
			t.Errorf("%v: %v", subject, got)
		}
	}
}
