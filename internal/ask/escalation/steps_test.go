package escalation

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// unit returns a unit of manifests.
func unit(t testing.TB, text string) *objects.Unit {
	t.Helper()
	return objectstest.Applied(t, filestest.Tree{"world.yaml": text})
}

// grantee is a user with the rules of a role, in a namespace or with "" in the cluster.
func grantee(user, namespace, rules string) string {
	kind, at := "ClusterRole", ""
	if namespace != "" {
		kind, at = "Role", ", namespace: "+namespace
	}
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: of-%s%s}\nrules: [%s]\n", kind, user, at, rules) +
		fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %sBinding\nmetadata: {name: of-%s%s}\n", kind, user, at) +
		fmt.Sprintf("roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: of-%s}\nsubjects: [{kind: User, name: %[2]s, apiGroup: rbac.authorization.k8s.io}]\n", kind, user)
}

// can is a rule, written as verbs, group, resource, and names.
func can(verbs, group, resource string, names ...string) string {
	return fmt.Sprintf("{verbs: [%s], apiGroups: [%q], resources: [%q], resourceNames: [%s]}", verbs, group, resource, strings.Join(quoted(names), ", "))
}

func quoted(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return list
}

func rules(list ...string) string { return strings.Join(list, ", ") }

// powerful is an account that is cluster-admin, with a pod and a token Secret.
const powerful = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: powerful}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: powerful, namespace: ns}, {kind: User, name: boss, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: v1
kind: Pod
metadata: {name: pod, namespace: ns}
spec: {serviceAccountName: powerful, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: other, namespace: ns}
spec: {serviceAccountName: harmless, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: ns, annotations: {kubernetes.io/service-account.name: powerful}}
type: kubernetes.io/service-account-token
`

// kindsOf returns the kinds of the steps of a user, "" if it cannot reach the goal.
func kindsOf(w *World, user string) string {
	for _, chain := range w.Chains() {
		if chain.Subject.Kind != rbac.KindUser || chain.Subject.Name != user {
			continue
		}
		var kinds []string
		for _, link := range chain.Links {
			kinds = append(kinds, string(link.Kind))
		}
		return strings.Join(kinds, ", ")
	}
	return ""
}

func TestSteps(t *testing.T) {
	t.Parallel()
	const roles, others = "rbac.authorization.k8s.io", "authentication.k8s.io"
	for _, c := range []struct{ name, namespace, rules, want string }{
		{"nothing", "", can("get", "", "pods"), ""},
		{"everything", "", can("'*'", "*", "*"), "cluster-admin"},
		{"everything by several rules", "", rules(can("get, list, watch", "*", "*"), can("create, update, patch, delete, deletecollection", "*", "*")), "cluster-admin"},
		{"everything in a namespace", "ns", can("'*'", "*", "*"), "impersonate, cluster-admin"},

		{"bind and create bindings", "", rules(can("bind", roles, "clusterroles"), can("create", roles, "clusterrolebindings")), "bind"},
		{"bind a role that is cluster-admin", "", rules(can("bind", roles, "clusterroles", "cluster-admin"), can("create", roles, "clusterrolebindings")), "bind"},
		{"bind a harmless role", "", rules(can("bind", roles, "clusterroles", "view"), can("create", roles, "clusterrolebindings")), ""},
		{"bind a role that leads on", "", rules(can("bind", roles, "clusterroles", "edit"), can("create", roles, "clusterrolebindings")), "bind, impersonate, cluster-admin"},
		{"bind without bindings", "", can("bind", roles, "clusterroles"), ""},
		{"bindings without bind", "", can("create", roles, "clusterrolebindings"), ""},
		{"creation is not limited by names", "", rules(can("bind", roles, "clusterroles"), can("create", roles, "clusterrolebindings", "x")), ""},
		{"join the binding of cluster-admin", "", rules(can("bind", roles, "clusterroles"), can("patch", roles, "clusterrolebindings", "cluster-admin")), "bind"},
		{"join a binding of a role that cannot be bound", "", rules(can("bind", roles, "clusterroles", "view"), can("patch", roles, "clusterrolebindings", "powerful")), ""},
		{"bind in a namespace", "ns", rules(can("bind", roles, "clusterroles"), can("create", roles, "rolebindings")), "bind, impersonate, cluster-admin"},
		{"bind in a namespace without accounts", "empty", rules(can("bind", roles, "clusterroles"), can("create", roles, "rolebindings")), ""},

		{"escalate and change", "", can("escalate, patch", roles, "clusterroles"), "escalate"},
		{"escalate the own role", "", can("escalate, patch", roles, "clusterroles", "of-me"), "escalate"},
		{"escalate another role", "", can("escalate, patch", roles, "clusterroles", "other"), ""},
		{"escalate without changes", "", can("escalate", roles, "clusterroles"), ""},
		{"changes without escalate", "", can("patch, create", roles, "clusterroles"), ""},
		{"create a role, and bind its name", "", rules(can("escalate, create", roles, "clusterroles"), can("bind", roles, "clusterroles", "new"), can("create", roles, "clusterrolebindings")), "escalate"},
		{"create a role without bind", "", rules(can("escalate, create", roles, "clusterroles"), can("create", roles, "clusterrolebindings")), ""},
		{"escalate a Role", "ns", can("escalate, update", roles, "roles"), "escalate, impersonate, cluster-admin"},
		{"escalate another Role", "ns", can("escalate, update", roles, "roles", "other"), ""},
		{"create a Role and bind it", "ns", rules(can("escalate, create, bind", roles, "roles"), can("create", roles, "rolebindings")), "escalate, impersonate, cluster-admin"},
		{"create a Role without bind", "ns", rules(can("escalate, create", roles, "roles"), can("create", roles, "rolebindings")), ""},

		{"impersonate users", "", can("impersonate", "", "users"), "impersonate, cluster-admin"},
		{"impersonate a user", "", can("impersonate", "", "users", "boss"), "impersonate, cluster-admin"},
		{"impersonate a harmless user", "", can("impersonate", "", "users", "nobody"), ""},
		{"users are not accounts", "", can("impersonate", "", "users", "system:serviceaccount:ns:powerful"), ""},
		{"impersonate an account", "ns", can("impersonate", "", "serviceaccounts", "powerful"), "impersonate, cluster-admin"},
		{"impersonate an account elsewhere", "empty", can("impersonate", "", "serviceaccounts", "powerful"), ""},
		{"impersonate users in a namespace", "ns", can("impersonate", "", "users"), ""},
		{"act as an account for a request", "", rules(can("'impersonate:serviceaccount'", others, "serviceaccounts", "powerful"), can("'impersonate-on:serviceaccount:create'", roles, "clusterrolebindings")), "impersonate, bind"},
		{"a star is no verb of a request", "", rules(can("'impersonate:serviceaccount'", others, "serviceaccounts"), can("'impersonate-on:serviceaccount:*'", roles, "clusterrolebindings")), ""},
		{"act as a user for a request", "", rules(can("'impersonate:user-info'", others, "users", "boss"), can("'impersonate-on:user-info:create'", roles, "clusterrolebindings")), "impersonate, bind"},
		{"act as a node in the mode of users", "", rules(can("'impersonate:user-info'", others, "users", "system:node:one"), can("'impersonate-on:user-info:create'", roles, "clusterrolebindings")), ""},
		{"act as a node for a request", "", rules(can("'impersonate:arbitrary-node'", others, "nodes", "one"), can("'impersonate-on:arbitrary-node:create'", roles, "clusterrolebindings")), "impersonate, bind"},
		{"act as another node", "", rules(can("'impersonate:arbitrary-node'", others, "nodes", "two"), can("'impersonate-on:arbitrary-node:create'", roles, "clusterrolebindings")), ""},
		{"act as every group for a request", "", rules(can("'impersonate:user-info'", others, "users", "nobody"), can("'impersonate:user-info'", others, "groups", "*"), can("'impersonate-on:user-info:create'", roles, "clusterrolebindings")), "impersonate, bind"},
		{"a star is no user", "", rules(can("'impersonate:user-info'", others, "users", "*"), can("'impersonate-on:user-info:create'", roles, "clusterrolebindings")), ""},
		{"impersonate groups needs a user", "", can("impersonate", "", "groups"), ""},
		{"impersonate groups and a user", "", rules(can("impersonate", "", "groups", "system:masters"), can("impersonate", "", "users", "nobody")), "impersonate, cluster-admin"},

		{"tokens", "ns", can("create", "", "serviceaccounts/token"), "token, cluster-admin"},
		{"a token", "ns", can("create", "", "serviceaccounts/token", "powerful"), "token, cluster-admin"},
		{"another token", "ns", can("create", "", "serviceaccounts/token", "harmless"), ""},
		{"accounts without tokens", "ns", can("create", "", "serviceaccounts"), ""},
		{"read Secrets", "ns", can("list", "", "secrets"), "secret, cluster-admin"},
		{"read the Secret", "ns", can("get", "", "secrets", "token"), "secret, cluster-admin"},
		{"read another Secret", "ns", can("get", "", "secrets", "other"), ""},
		{"read Secrets elsewhere", "empty", can("get", "", "secrets"), ""},
		{"create Secrets and read one", "ns", rules(can("create", "", "secrets"), can("get", "", "secrets", "other")), "secret, cluster-admin"},
		{"create Secrets", "ns", can("create", "", "secrets"), ""},

		{"create pods", "ns", can("create", "", "pods"), "pod, cluster-admin"},
		{"create pods elsewhere", "empty", can("create", "", "pods"), ""},
		{"create pods by name", "ns", can("create", "", "pods", "pod"), ""},
		{"create Deployments", "ns", can("create", "apps", "deployments"), "pod, cluster-admin"},
		{"create Deployments of another group", "ns", can("create", "batch", "deployments"), ""},
		{"change a Deployment", "ns", can("patch", "apps", "deployments", "web"), "pod, cluster-admin"},
		{"create Jobs", "ns", can("create", "batch", "jobs"), "pod, cluster-admin"},
		{"the pods of a Job cannot be changed", "ns", can("patch", "batch", "jobs"), ""},
		{"change a pod", "ns", can("patch", "", "pods", "pod"), "pod, cluster-admin"},
		{"change a pod of another account", "ns", can("patch", "", "pods", "other"), ""},
		{"exec", "ns", can("create", "", "pods/exec"), "exec, cluster-admin"},
		{"exec by any subresource", "ns", can("get", "", "*/exec"), "exec, cluster-admin"},
		{"exec in a pod of another account", "ns", can("create", "", "pods/exec", "other"), ""},
		{"attach", "ns", can("get", "", "pods/attach"), "exec, cluster-admin"},
		{"ephemeral containers", "ns", can("patch", "", "pods/ephemeralcontainers"), "exec, cluster-admin"},
		{"read pods", "ns", can("get", "", "pods/log"), ""},

		{"extensions", "", can("create", "olm.operatorframework.io", "clusterextensions"), "extension"},
		{"catalogs", "", can("update", "olm.operatorframework.io", "clustercatalogs", "x"), "extension"},
		{"extensions in a namespace", "ns", can("create", "olm.operatorframework.io", "clusterextensions"), ""},
		{"mutating webhooks", "", can("patch", "admissionregistration.k8s.io", "mutatingwebhookconfigurations", "x"), "webhook"},
		{"validating webhooks", "", can("create", "admissionregistration.k8s.io", "validatingwebhookconfigurations"), "webhook, cluster-admin"},
		{"read webhooks", "", can("get", "admissionregistration.k8s.io", "mutatingwebhookconfigurations"), ""},
		{"certificates", "", rules(can("create", "certificates.k8s.io", "certificatesigningrequests"), can("patch", "certificates.k8s.io", "certificatesigningrequests/approval"),
			can("approve", "certificates.k8s.io", "signers", "kubernetes.io/*")), "certificate, cluster-admin"},
		{"certificates of another signer", "", rules(can("create", "certificates.k8s.io", "certificatesigningrequests"), can("patch", "certificates.k8s.io", "certificatesigningrequests/approval"),
			can("approve", "certificates.k8s.io", "signers", "example.com/*")), ""},
		{"certificates without approval", "", rules(can("create", "certificates.k8s.io", "certificatesigningrequests"), can("approve", "certificates.k8s.io", "signers")), ""},
		{"the status of certificates", "", rules(can("create", "certificates.k8s.io", "certificatesigningrequests"), can("patch", "certificates.k8s.io", "certificatesigningrequests/status"),
			can("approve", "certificates.k8s.io", "signers")), ""},
		{"kubelets", "", can("get", "", "nodes/proxy"), "node, cluster-admin"},
		{"nodes", "", can("update", "", "nodes/status"), ""},
	} {
		w := NewWorld(unit(t, powerful+bosses+grantee("me", c.namespace, c.rules)), Options{OLM: func(*objects.Object) OLM { return OLMAdmin }})
		if diff := cmp.Diff(c.want, kindsOf(w, "me")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestExtensions checks what a writer of extensions becomes, by what OLM does.
func TestExtensions(t *testing.T) {
	t.Parallel()
	text := powerful + grantee("me", "", can("create", "olm.operatorframework.io", "clusterextensions")) +
		grantee("catalogs", "", can("create", "olm.operatorframework.io", "clustercatalogs"))
	for _, c := range []struct {
		olm          OLM
		me, catalogs string
	}{
		{OLMUnknown, "extension, cluster-admin", ""},
		{OLMNamed, "extension, cluster-admin", ""},
		{OLMAdmin, "extension", "extension"},
		{OLMRestricted, "", ""},
	} {
		w := NewWorld(unit(t, text), Options{OLM: func(*objects.Object) OLM { return c.olm }})
		if me, catalogs := kindsOf(w, "me"), kindsOf(w, "catalogs"); me != c.me || catalogs != c.catalogs {
			t.Errorf("%d: %q and %q, want %q and %q", c.olm, me, catalogs, c.me, c.catalogs)
		}
	}
}

// TestVolumes checks that a PersistentVolume is a step for anyone who can also create pods, in any namespace.
func TestVolumes(t *testing.T) {
	t.Parallel()
	volumes := grantee("me", "", can("create", "", "persistentvolumes"))
	for _, c := range []struct{ name, text, want string }{
		{"volumes", volumes, ""},
		{"and pods", volumes + grantee("me", "empty", can("create", "", "pods")), "node, cluster-admin"},
		{"and a Deployment", volumes + grantee("me", "empty", can("patch", "apps", "deployments", "web")), "node, cluster-admin"},
		{"and running pods", volumes + grantee("me", "empty", can("patch", "", "pods")), ""},
		{"volumes by name", grantee("me", "", can("create", "", "persistentvolumes", "x")) + grantee("me", "empty", can("create", "", "pods")), ""},
		{"volumes in a namespace", grantee("me", "empty", rules(can("create", "", "persistentvolumes"), can("create", "", "pods"))), ""},
	} {
		if diff := cmp.Diff(c.want, kindsOf(NewWorld(unit(t, powerful+c.text), Options{}), "me")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestGroups checks that a step can need permissions of an identity and of its groups, and that a group is listed itself.
func TestGroups(t *testing.T) {
	t.Parallel()
	text := `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: bind}
rules: [{verbs: [bind], apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: create}
rules: [{verbs: [create], apiGroups: [rbac.authorization.k8s.io], resources: [clusterrolebindings]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: bind}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: bind}
subjects: [{kind: ServiceAccount, name: one, namespace: a}, {kind: ServiceAccount, name: two, namespace: b}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: create}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: create}
subjects: [{kind: Group, name: "system:serviceaccounts:a", apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: admins}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: admins, apiGroup: rbac.authorization.k8s.io}]
`
	var got []string
	for _, chain := range NewWorld(unit(t, text), Options{}).Chains() {
		got = append(got, access.SubjectName(chain.Subject))
	}
	if diff := cmp.Diff([]string{"Group admins", "ServiceAccount a/one"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGoals checks chains to identities other than cluster-admin.
func TestGoals(t *testing.T) {
	t.Parallel()
	text := powerful + grantee("me", "ns", can("create", "", "serviceaccounts/token", "worker")) + grantee("actor", "", can("impersonate", "", "users", "jane"))
	for _, c := range []struct{ goal, me, actor, boss string }{
		{"system:serviceaccount:ns:worker", "token", "", "impersonate"},
		{"system:serviceaccount:ns:powerful", "", "", "impersonate"},
		{"jane", "", "impersonate", "impersonate"},
		{"nobody", "", "", "impersonate"},
	} {
		w := NewWorld(unit(t, text), Options{Goal: c.goal})
		got := []string{kindsOf(w, "me"), kindsOf(w, "actor"), kindsOf(w, "boss")}
		if diff := cmp.Diff([]string{c.me, c.actor, c.boss}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.goal, diff)
		}
	}
}

// TestUnknown checks that bindings that could add a chain are reported as unknown, and count for none.
func TestUnknown(t *testing.T) {
	t.Parallel()
	text := `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: lost}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lost}
subjects: [{kind: User, name: me, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: nowhere, namespace: "${NS}"}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{kind: User, name: me, apiGroup: rbac.authorization.k8s.io}]
`
	w := NewWorld(unit(t, text), Options{})
	if len(w.Chains()) > 0 || len(w.uncertain) != 2 {
		t.Errorf("%d chains, %d uncertain bindings", len(w.Chains()), len(w.uncertain))
	}
}

// TestGrowth checks that the graph grows with the repository, not with its square.
func TestGrowth(t *testing.T) {
	t.Parallel()
	edges := func(n int) int {
		var b strings.Builder
		for i := range n {
			rule := rules(can("create", "", "pods"), can("create", "", "serviceaccounts/token"), can("get, create", "", "secrets"),
				can("impersonate", "", "serviceaccounts"), can("get", "", "nodes/proxy"), can("bind", "rbac.authorization.k8s.io", "clusterroles"),
				can("create, update", "rbac.authorization.k8s.io", "rolebindings"), can("bind", "rbac.authorization.k8s.io", "roles"))
			b.WriteString(grantee(fmt.Sprintf("u%d", i), []string{"", "ns", fmt.Sprintf("ns%d", i)}[i%3], rule))
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a%d, namespace: ns}\n", i)
		}
		w := NewWorld(unit(t, b.String()), Options{})
		w.Chains()
		return w.edges
	}
	small, large := edges(60), edges(240)
	if large > 5*small {
		t.Errorf("%d edges for 60 and %d for 240", small, large)
	}
}

// TestAdministratorsHaveNoOtherSteps: each identity that is allowed everything could become each other one, which grows with the square of their number.
func TestAdministratorsHaveNoOtherSteps(t *testing.T) {
	var text strings.Builder
	text.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: many}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\nsubjects:\n")
	const count = 500
	for i := range count {
		fmt.Fprintf(&text, "- {kind: ServiceAccount, name: a%d, namespace: ns}\n", i)
	}
	w := NewWorld(unit(t, text.String()), Options{})
	if most := 10 * count; w.edges > most {
		t.Errorf("%d edges for %d administrators, want at most %d", w.edges, count, most)
	}
	chains := w.Chains()
	direct := 0
	for _, c := range chains {
		if c.Steps == 1 {
			direct++
		}
	}
	if direct < count {
		t.Errorf("%d of %d chains of one step, want at least %d", direct, len(chains), count)
	}
}
