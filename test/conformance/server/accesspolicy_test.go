package server_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/server"
	"github.com/salint/salint/test/conformance/world"
)

const everythingForOps = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ops}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ops}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ops}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: ops}]
`

// extensionOf is an extension that installs a package in a namespace, from the catalog of a name.
func extensionOf(name, source string) string {
	return "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, metadata: {name: " + name + "}, spec: " + source + "}"
}

// TestAccessPolicy applies the output of `salint init access-policy --with-access`. The server must accept it, and then
// allow developers to write only what it lists, and administrators everything.
func TestAccessPolicy(t *testing.T) {
	s := start(t)
	scope := accesspolicy.Scope{
		Subjects: []rbac.Subject{{Kind: rbac.KindGroup, Name: "developers"}},
		Extensions: []accesspolicy.Extension{{
			Package: "loki", Namespace: "logging", Labels: []accesspolicy.Label{{Key: "olm.operatorframework.io/metadata.name", Value: "community"}},
		}},
	}
	policy, err := scope.Manifest(true)
	if err != nil {
		t.Fatal(err)
	}
	all := string(policy) + "---\n" + everythingForOps + "---\n" + read(t, "testdata/discovery.yaml")
	t.Cleanup(func() {
		if err := s.Delete(running, all); err != nil {
			t.Error(err)
		}
	})
	for _, manifests := range []string{read(t, "testdata/clusterextensions.yaml"), all} {
		if err := s.Apply(t.Context(), server.Admin, manifests); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Kubectl(t.Context(), server.Admin, "", "wait", "--for=condition=Established", "crd/clusterextensions.olm.operatorframework.io"); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	developer := world.Identity{User: "ada", Groups: []string{"developers", "system:authenticated"}}
	awaitPolicy(t, s, developer)
	const loki = "{namespace: logging, source: {sourceType: Catalog, catalog: {packageName: loki, selector: {matchLabels: {olm.operatorframework.io/metadata.name: community}}}}}"
	for spec, allowed := range map[string]bool{
		loki: true,
		strings.Replace(loki, "packageName: loki", "packageName: argocd", 1): false,
		strings.Replace(loki, "namespace: logging", "namespace: other", 1):   false,
		strings.Replace(loki, "name: community", "name: other", 1):           false,
		strings.Replace(loki, "sourceType: Catalog", "sourceType: Other", 1): false,
		"{namespace: logging}":                 false,
		"{namespace: logging, source: null}":   false,
		"{namespace: logging, source: [loki]}": false,
	} {
		err := dryRun(t, s, developer, extensionOf("tried", spec))
		if allowed != (err == nil) {
			t.Errorf("%s: %v", spec, err)
		}
		operator := world.Identity{User: "ada", Groups: []string{"developers", "ops", "system:authenticated"}}
		if err := dryRun(t, s, operator, extensionOf("tried", spec)); err != nil {
			t.Errorf("administrator: %s: %v", spec, err)
		}
	}
}

func dryRun(t *testing.T, s *server.Server, who world.Identity, manifest string) error {
	t.Helper()
	_, err := s.Kubectl(t.Context(), who, manifest, "create", "--dry-run=server", "--validate=false", "--filename=-")
	return err
}

// awaitPolicy retries a write until it is refused: policies take effect some time after they were applied.
func awaitPolicy(t *testing.T, s *server.Server, who world.Identity) {
	t.Helper()
	const tries = 200
	var err error
	for range tries {
		err = dryRun(t, s, who, extensionOf("tried", "{}"))
		if err != nil && strings.Contains(err.Error(), accesspolicy.Name) {
			return
		}
	}
	t.Fatalf("the policy takes no effect: %v", err)
}
