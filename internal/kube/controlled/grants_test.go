package controlled_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// grantsOf describes what the object in a manifest grants.
func grantsOf(t *testing.T, text string) string {
	t.Helper()
	var lines []string
	for _, o := range objectstest.In(t, "a.yaml", text) {
		for _, g := range controlled.Grants(o) {
			lines = append(lines, fmt.Sprintf("%s %s/%s in %q: %s %s %d", g.Subject.Kind, g.Subject.Namespace, g.Subject.Name, g.Scope, g.Role.Kind, g.Role.Name, len(g.Rules)))
		}
	}
	return strings.Join(lines, "\n")
}

func TestGrants(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"operator": {`{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, metadata: {name: tide.v1, namespace: sea}, spec: {install: {spec: {
  permissions: [{serviceAccountName: tide, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}], clusterPermissions: [{serviceAccountName: tide, rules: []}]}}}}`,
			"ServiceAccount sea/tide in \"sea\":   1\nServiceAccount sea/tide in \"\":   0"},
		"operator of a bundle": {`{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, metadata: {name: tide.v1, namespace: placeholder}, spec: {install: {spec: {
  clusterPermissions: [{serviceAccountName: tide, rules: []}]}}}}`, ""},
		"definition": {`{apiVersion: rbacmanager.reactiveops.io/v1beta1, kind: RBACDefinition, metadata: {name: d}, rbacBindings: [{name: b, subjects: [{kind: User, name: ann}],
  clusterRoleBindings: [{clusterRole: view}], roleBindings: [{namespace: sea, role: r}, {namespaceSelector: {}, clusterRole: edit}]}]}`,
			"User /ann in \"\": ClusterRole view 0\nUser /ann in \"sea\": Role r 0\nUser /ann in \"*\": ClusterRole edit 0"},
		"cluster permission": {`{apiVersion: rbac.open-cluster-management.io/v1alpha1, kind: ClusterPermission, metadata: {name: p, namespace: c1}, spec: {
  clusterRole: {rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}, clusterRoleBinding: {subject: {kind: Group, name: crew}},
  roleBindings: [{namespace: sea, roleRef: {kind: ClusterRole, name: admin}, subjects: [{kind: ServiceAccount, name: s, namespace: sea}]}]}}`,
			"Group /crew in \"\":   1\nServiceAccount sea/s in \"sea\": ClusterRole admin 0"},
		"tenant": {`{apiVersion: capsule.clastix.io/v1beta2, kind: Tenant, metadata: {name: t}, spec: {owners: [{kind: User, name: ann}],
  additionalRoleBindings: [{clusterRoleName: edit, subjects: [{kind: Group, name: crew}]}]}}`,
			"User /ann in \"*\": ClusterRole admin 0\nGroup /crew in \"*\": ClusterRole edit 0"},
		"rancher": {`{apiVersion: management.cattle.io/v3, kind: GlobalRoleBinding, metadata: {name: g}, globalRoleName: admin, userName: u-1}`,
			"User /u-1 in \"\": ClusterRole cluster-admin 0"},
		"rancher, a harmless role": {`{apiVersion: management.cattle.io/v3, kind: GlobalRoleBinding, metadata: {name: g}, globalRoleName: user, userName: u-1}`, ""},
		"openshift": {`{apiVersion: authorization.openshift.io/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {name: admin}, userNames: [ann, "system:serviceaccount:sea:s"],
  subjects: [{kind: User, name: ann}]}`, "User /ann in \"\": ClusterRole admin 0\nServiceAccount sea/s in \"\": ClusterRole admin 0"},
		"another group": {`{apiVersion: example.com/v1, kind: Tenant, metadata: {name: t}, spec: {owners: [{kind: User, name: ann}]}}`, ""},
	} {
		if diff := cmp.Diff(c.want, grantsOf(t, c.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAccountsAndTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{apiVersion: kappctrl.k14s.io/v1alpha1, kind: App, metadata: {name: a, namespace: sea}, spec: {serviceAccountName: crew}}`:                                    "[{sea crew}]",
		`{apiVersion: kappctrl.k14s.io/v1alpha1, kind: App, metadata: {name: a, namespace: sea}, spec: {}}`:                                                            "[]",
		`{apiVersion: app.example.com/v1, kind: App, metadata: {name: a, namespace: sea}, spec: {serviceAccountName: crew}}`:                                           "[]",
		`{apiVersion: build.openshift.io/v1, kind: BuildConfig, metadata: {name: a, namespace: sea}, spec: {serviceAccount: crew}}`:                                    "[{sea crew}]",
		`{apiVersion: build.openshift.io/v1, kind: BuildConfig, metadata: {name: a, namespace: sea}, spec: {}}`:                                                        "[{sea builder}]",
		`{apiVersion: tekton.dev/v1, kind: PipelineRun, metadata: {name: a, namespace: sea}, spec: {taskRunSpecs: [{pipelineTaskName: t, serviceAccountName: crew}]}}`: "[{sea crew} {sea default}]",
		`{apiVersion: triggers.tekton.dev/v1beta1, kind: EventListener, metadata: {name: a, namespace: sea}, spec: {serviceAccountName: crew}}`:                        "[{sea crew}]",
	} {
		o := objectstest.In(t, "a.yaml", text)[0]
		if got := fmt.Sprint(controlled.Accounts(o)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	sealed := `{apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: {name: a, namespace: sea}, spec: {template: {type: %s, metadata: {annotations: {kubernetes.io/service-account.name: crew}}}}}`
	for kind, want := range map[string]bool{"kubernetes.io/service-account-token": true, "Opaque": false} {
		o := objectstest.In(t, "a.yaml", fmt.Sprintf(sealed, kind))[0]
		if account, ok := controlled.Token(o); ok != want || ok && account != (objects.Account{Namespace: "sea", Name: "crew"}) {
			t.Errorf("a Secret of type %s: %v %t", kind, account, ok)
		}
	}
}
