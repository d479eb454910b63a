package escalation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// templates are the permissions of random rules.
var templates = []struct{ group, verbs, resource string }{
	{"", "create", "pods"}, {"", "patch", "pods"}, {"", "create", "pods/exec"}, {"apps", "create", "deployments"}, {"apps", "update", "deployments"},
	{"", "get", "secrets"}, {"", "create", "secrets"}, {"", "create", "serviceaccounts/token"}, {"", "impersonate", "serviceaccounts"},
	{"", "impersonate", "users"}, {"", "impersonate", "groups"}, {"", "get", "nodes/proxy"}, {"", "create", "persistentvolumes"},
	{rbacGroup, "bind", "clusterroles"}, {rbacGroup, "bind", "roles"}, {rbacGroup, "bind, escalate", "clusterroles"}, {rbacGroup, "escalate, update", "roles"},
	{rbacGroup, "escalate, patch", "clusterroles"}, {rbacGroup, "create", "clusterroles"}, {rbacGroup, "create", "roles"},
	{rbacGroup, "create", "rolebindings"}, {rbacGroup, "update", "rolebindings"}, {rbacGroup, "create", "clusterrolebindings"}, {rbacGroup, "patch", "clusterrolebindings"},
	{olmGroup, "create", "clusterextensions"}, {admissionGroup, "create", "validatingwebhookconfigurations"}, {admissionGroup, "update", "mutatingwebhookconfigurations"},
	{signingGroup, "create", "certificatesigningrequests"}, {signingGroup, "update", "certificatesigningrequests/approval"}, {signingGroup, "approve", "signers"},
	{"kyverno.io", "create", "clusterpolicies"}, {"management.cattle.io", "update", "globalrolebindings"},
	{"kappctrl.k14s.io", "create", "apps"}, {"external-secrets.io", "patch", "secretstores"}, {"user.openshift.io", "get", "groups"},
	{"hive.openshift.io", "create", "selectorsyncsets"}, {"opentelemetry.io", "patch", "instrumentations"}, {"k6.io", "create", "testruns"},
	{"user.openshift.io", "update", "groups"}, {"oauth.openshift.io", "create", "oauthaccesstokens"},
	{authenticationGroup, forUsers, "users"}, {authenticationGroup, forAccounts, "serviceaccounts"}, {authenticationGroup, forUsers, "users, groups"},
	{"", onOthers("create"), "pods"}, {"", onOthers("get"), "secrets"}, {rbacGroup, onOthers("create"), "clusterrolebindings"},
	{"", "get", "configmaps"}, {"*", "'*'", "*"}, {"*", "create, get, list", "*"}, {"*", "'*'", "*/exec"}, {rbacGroup, "'*'", "*"},
}

// Verbs of constrained impersonation.
const (
	forUsers    = "impersonate:user-info"
	forAccounts = "impersonate:serviceaccount"
)

// onOthers are the verbs with which a request is sent as another user or account.
func onOthers(verb string) string {
	return "impersonate-on:user-info:" + verb + ", impersonate-on:serviceaccount:" + verb
}

// worldNames are the names in random rules.
var worldNames = []string{"x", "y", "r0", "r1", "new", "u", "cluster-admin", "b0", "system:masters", "g", clientSigner}

type randomWorld struct{ *rand.Rand }

func (w randomWorld) one(list ...string) string { return list[w.IntN(len(list))] }

func (w randomWorld) rule() string {
	template := templates[w.IntN(len(templates))]
	if template.group == "*" && w.IntN(4) > 0 {
		template = templates[w.IntN(10)]
	}
	var names []string
	if w.IntN(3) == 0 {
		names = []string{w.one(worldNames...)}
	}
	return can(template.verbs, template.group, template.resource, names...)
}

func binding(name, namespace, kind, role, subjectKind, subject string) string {
	object, at, group := "ClusterRoleBinding", "", ", apiGroup: rbac.authorization.k8s.io"
	if namespace != "" {
		object, at = "RoleBinding", ", namespace: "+namespace
	}
	if subjectKind == "ServiceAccount" {
		of, account, _ := strings.Cut(subject, "/")
		subject, group = account, ", namespace: "+of
	}
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: %s%s}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s}\nsubjects: [{kind: %s, name: %q%s}]\n",
		object, name, at, kind, role, subjectKind, subject, group)
}

// text returns a small world, and an independent search over it without its unit.
func (w randomWorld) text() (string, *naive) {
	var b strings.Builder
	s := &naive{
		states: []string{"u", "v", "a/x", "a/y", "b/x", "kube-system/clusterrole-aggregation-controller", "group:g", "group:system:serviceaccounts:a", "group:system:masters"},
		tokens: map[string]string{}, pods: map[string]string{}, roles: map[string][]string{"": {"cluster-admin"}},
		bindings: map[string]map[string]string{"": {"cluster-admin": "ClusterRole:cluster-admin"}, "a": {}, "b": {}}, asked: map[string]bool{},
	}
	for i := range 5 {
		namespace := w.one("", "", "", "a", "b")
		kind, at := "ClusterRole", ""
		if namespace != "" {
			kind, at = "Role", ", namespace: "+namespace
		}
		name := fmt.Sprintf("r%d", i)
		s.roles[namespace] = append(s.roles[namespace], name)
		fmt.Fprintf(&b, "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: %s%s}\nrules: [%s, %s]\n", kind, name, at, w.rule(), w.rule())
	}
	for i := range 7 {
		w.addBinding(&b, s, fmt.Sprintf("b%d", i))
	}
	for _, name := range []string{"a/x", "b/x"} {
		namespace, account, _ := strings.Cut(name, "/")
		if w.IntN(2) == 0 {
			s.tokens[namespace+"/x"] = name
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: %s, annotations: {kubernetes.io/service-account.name: %s}}\ntype: kubernetes.io/service-account-token\n", namespace, account)
		}
		if w.IntN(2) == 0 {
			s.pods[namespace+"/y"] = name
			fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nmetadata: {name: \"y\", namespace: %s}\nspec: {serviceAccountName: %s, containers: [{name: c, image: i}]}\n", namespace, account)
		}
	}
	return b.String(), s
}

func (w randomWorld) addBinding(b *strings.Builder, s *naive, name string) {
	kind, namespace, from := "ClusterRole", w.one("", "", "a", "b"), ""
	if namespace != "" && len(s.roles[namespace]) > 0 && w.IntN(2) == 0 {
		kind, from = "Role", namespace
	}
	role := w.one(s.roles[from]...)
	if role == "cluster-admin" && w.IntN(3) > 0 {
		return
	}
	subject := w.one("User u", "User v", "ServiceAccount a/x", "ServiceAccount a/y", "ServiceAccount b/x", "Group g", "Group system:serviceaccounts:a")
	subjectKind, who, _ := strings.Cut(subject, " ")
	s.bindings[namespace][name] = kind + ":" + role
	b.WriteString(binding(name, namespace, kind, role, subjectKind, who))
}

// stateOf returns the state of the independent search for a subject.
func stateOf(s rbac.Subject) string {
	switch s.Kind {
	case rbac.KindGroup:
		return "group:" + s.Name
	case rbac.KindServiceAccount:
		return s.Namespace + "/" + s.Name
	}
	return s.Name
}

// clusterOf returns the unit of a cluster that gets the objects of a text by three deployment units, beside another cluster with objects of the same names.
func clusterOf(t *testing.T, random *rand.Rand, text, other string) *objects.Unit {
	t.Helper()
	files := map[string]string{}
	for i, all := range []string{text, other} {
		cluster := []string{"north", "south"}[i]
		apply := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: fleet, namespace: flux-system}\nspec: {interval: 1m, url: 'https://git.example.org/fleet'}\n"
		for _, part := range []string{"a", "b", "c"} {
			apply += fmt.Sprintf("---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: %[1]s, namespace: flux-system}\n"+
				"spec: {interval: 1m, path: ./%[2]s/%[1]s, prune: true, sourceRef: {kind: GitRepository, name: fleet}}\n", part, cluster)
			files[cluster+"/"+part+"/all.yaml"] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: part-" + part + "}\n"
		}
		files["clusters/"+cluster+"/apply.yaml"] = apply
		for object := range strings.SplitSeq(strings.TrimPrefix(all, "---\n"), "---\n") {
			files[fmt.Sprintf("%s/%c/all.yaml", cluster, 'a'+rune(random.IntN(3)))] += "---\n" + object
		}
	}
	w, err := loader.Read(t.Context(), loadertest.Repository{Tree: filestest.Tree(files)}, loader.Options{Kinds: ObjectKinds()})
	if err != nil {
		t.Fatal(err)
	}
	for _, scope := range w.Scopes() {
		if scope.Kind == objects.ClusterUnit && strings.HasSuffix(scope.Name, "north") && len(scope.Members) >= 3 {
			return scope
		}
	}
	t.Fatal("no unit of the cluster north")
	return nil
}

// TestNaive compares the chains with an independent search, in many small worlds: one unit, or a cluster that several units make.
func TestNaive(t *testing.T) {
	t.Parallel()
	const worlds = 20
	reached, acting := 0, 0
	for seed := range uint64(worlds) {
		random := rand.New(rand.NewPCG(seed, 1))
		text, s := randomWorld{random}.text()
		of := unit(t, text)
		if seed%2 == 1 {
			other, _ := randomWorld{random}.text()
			of = clusterOf(t, random, text, other)
		}
		w := NewWorld(of, Options{})
		got, want := map[string]int{}, map[string]int{}
		listed := map[string]bool{}
		for _, n := range w.nodes {
			if n.listed {
				listed[stateOf(n.subject)] = true
			}
		}
		for _, chain := range w.Chains() {
			got[stateOf(chain.Subject)] = len(chain.Links)
		}
		holders := s.holders()
		s.unit = unit(t, text+holders)
		for _, b := range rbac.DefaultBindings(s.unit) {
			s.addState(stateOf(b.Subject))
		}
		s.addOthers()
		for state, distance := range s.distances() {
			if listed[state] {
				want[state] = distance
			}
		}
		reached += len(want)
		acting += len(s.others)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, text)
		}
	}
	if reached < worlds || acting == 0 {
		t.Errorf("only %d identities reach cluster-admin in %d worlds, and %d act as others for some requests", reached, worlds, acting)
	}
}
