package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
)

// opens has every object that makes rules examine bindings.
const opens = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader, labels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: writer}
rules: [{apiGroups: [olm.operatorframework.io, grafana.integreatly.org], resources: [clusterextensions, grafanaserviceaccounts], verbs: [create, update]}]
---
apiVersion: grafana.integreatly.org/v1beta1
kind: GrafanaServiceAccount
metadata: {name: reader, namespace: shop}
spec: {instanceName: reader, name: reader, role: Viewer, tokens: [{name: reader}]}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: reader}
spec: {namespace: shop, serviceAccount: {name: reader}, source: {sourceType: Catalog, catalog: {packageName: reader}}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: reader, namespace: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: reader, namespace: shop}
spec: {serviceAccountName: reader, volumes: [{name: a, secret: {secretName: reader}}]}
---
apiVersion: v1
kind: Secret
metadata: {name: reader, namespace: shop, annotations: {kubernetes.io/service-account.name: reader}}
type: kubernetes.io/service-account-token
`

// TestOddBindings lints bindings with unusual kinds of roles and subjects, and unusual names: no rule fails because it asks for a
// kind that is not read.
func TestOddBindings(t *testing.T) {
	t.Parallel()
	texts := []string{"Role", "ClusterRole", "ServiceAccount", "User", "Group", "Pod", "role", "''", "7", "[a]", "{a: b}", "null"}
	var bindings []string
	for _, kind := range []string{"ClusterRoleBinding", "RoleBinding"} {
		for i, role := range texts {
			for j, subject := range texts {
				bindings = append(bindings, fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: b%d-%d, namespace: shop}\n"+
					"roleRef: {kind: %s, name: %s}\nsubjects: [{kind: %s, name: reader, namespace: shop}, {kind: Group, name: %s}]\n",
					kind, i, j, role, []string{"reader", "writer", "cluster-admin", subject}[j%4], subject, role))
			}
		}
	}
	files := tree{"a.yaml": opens, "b.yaml": strings.Join(bindings, "---\n")}
	for _, target := range []string{"olm-1.10", "olm-1.11", "synthetic"} {
		out, err := Run(context.Background(), Options{
			PolicyCache: policies, Tree: loadertest.Repository{Tree: files}, Config: settings.Default(), Target: target, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Enable: []string{"*"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Findings) == 0 {
			t.Error("nothing is found")
		}
		if out.Incomplete {
			t.Error(out.Findings)
		}
	}
}
