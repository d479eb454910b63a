package bundlediff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/bundlediff"
)

// content returns rendered objects of manifests.
func content(t *testing.T, text string) []rendered.Object {
	t.Helper()
	var objs []rendered.Object
	for _, o := range objectstest.In(t, "new.yaml", text) {
		objs = append(objs, rendered.Object{JSON: o.JSON(), Origin: rendered.Origin{File: o.File, Line: o.Position(nil).Line}})
	}
	return objs
}

func compare(t *testing.T, old, fresh string) bundlediff.Diff {
	t.Helper()
	d, err := bundlediff.Compare(content(t, old), content(t, fresh), bundlediff.Options{Namespace: "harbor"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// words describes changes as `title [dangers]: line; line`; those of the installer only if requested.
func words(changes []bundlediff.Change, installer bool) []string {
	var all []string
	for _, c := range changes {
		if c.Part == bundlediff.Installer && !installer {
			continue
		}
		text := c.Title()
		if len(c.Dangers) > 0 {
			text += " [" + strings.Join(c.Dangers, "; ") + "]"
		}
		if lines := c.Lines(0); len(lines) > 0 {
			text += ": " + strings.Join(lines, "; ")
		}
		all = append(all, text)
	}
	return all
}

// role is a ClusterRole with rules, each `verbs groups resources`, and a binding of it to an account.
func role(rules ...string) string {
	return "kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: crane}\nrules:\n" + rulesOf(rules) + binding
}

func rulesOf(rules []string) string {
	var b strings.Builder
	for _, rule := range rules {
		fields := strings.Fields(rule)
		fmt.Fprintf(&b, "- {verbs: [%s], apiGroups: [%s], resources: [%s]}\n", fields[0], fields[1], fields[2])
	}
	return b.String()
}

const binding = `---
kind: ClusterRoleBinding
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: crane}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: crane}
subjects: [{kind: ServiceAccount, name: crane, namespace: harbor}]
`

func TestGrants(t *testing.T) {
	const crane = "account harbor/crane, everywhere"
	tests := map[string]struct {
		old, fresh []string
		want       []string
	}{
		"the same":               {[]string{`get,list "" pods`}, []string{`list "" pods`, `get "" pods`}, nil},
		"covered by a wildcard":  {[]string{`"*" "" "*"`}, []string{`get "" secrets`}, nil},
		"covered by a group":     {[]string{`get "*" deployments`}, []string{`get apps deployments`}, nil},
		"harmless":               {[]string{`get "" pods`}, []string{`get "" pods,services`}, []string{crane + ": get services"}},
		"secrets":                {[]string{`get "" pods`}, []string{`get "" pods,secrets`}, []string{crane + " [reads Secrets]: get secrets"}},
		"a verb on secrets":      {[]string{`get "" secrets`}, []string{`get,update "" secrets`}, []string{crane + " [writes Secrets]: update secrets"}},
		"a wildcard over a list": {[]string{`get,list apps deployments`}, []string{`"*" apps deployments`}, []string{crane + " [creates pods, which can use every account and Secret of their namespace]: every verb on deployments.apps"}},
		"every verb":             {[]string{`get,list "" services`}, []string{`"*" "" services`}, []string{crane + " [*: every verb]: every verb on services"}},
		"by gravity": {nil, []string{`patch "" namespaces`, `create "" persistentvolumes`, `update apiextensions.k8s.io customresourcedefinitions`,
			`delete admissionregistration.k8s.io validatingwebhookconfigurations`, `create batch jobs`, `patch "" nodes`,
			`create machineconfiguration.openshift.io machineconfigs`, `create "" serviceaccounts/token`, `get "" nodes`}, []string{
			crane + " [serviceaccounts/token: can act as any account there]: create serviceaccounts/token",
			crane + " [machine configuration: runs as root on nodes]: create machineconfigs.machineconfiguration.openshift.io",
			crane + " [nodes: affects every workload]: patch nodes",
			crane + " [creates pods, which can use every account and Secret of their namespace]: create jobs.batch",
			crane + " [controls what the API server admits]: delete validatingwebhookconfigurations.admissionregistration.k8s.io",
			crane + " [changes the API: definitions of kinds, and servers of groups]: update customresourcedefinitions.apiextensions.k8s.io",
			crane + " [persistent volumes: can mount any folder of a node]: create persistentvolumes",
			crane + " [changes namespaces, whose labels select the policies that limit their pods]: patch namespaces",
			crane + ": get nodes"}},
		"cluster-admin":      {[]string{`get "" pods`}, []string{`"*" "*" "*"`}, []string{crane + " [effectively cluster-admin]: every verb on every resource"}},
		"reading everything": {[]string{`get "" pods`}, []string{`get "*" "*"`}, []string{crane + " [*: every resource, including Secrets]: get every resource"}},
		"a group":            {[]string{`get apps deployments`}, []string{`get apps "*"`}, []string{crane + " [*: every resource of the group]: get *.apps"}},
		"a core group":       {[]string{`get apps deployments`}, []string{`get apps deployments`, `list "" "*"`}, []string{crane + " [reads Secrets; *: every resource of the group]: list *"}},
		"any exec":           {[]string{`get "" pods`}, []string{`get "" pods`, `create "*" "*/exec"`}, []string{crane + " [runs commands in containers]: create *.*/exec"}},
		"escalate":           {[]string{`get "" pods`}, []string{`get "" pods`, `escalate rbac.authorization.k8s.io roles`}, []string{crane + " [escalate: can grant itself everything]: escalate roles.rbac.authorization.k8s.io"}},
		"impersonate":        {[]string{`get "" pods`}, []string{`get "" pods`, `impersonate authentication.k8s.io userextras/scopes`}, []string{crane + " [impersonate: UIDs and extras, only together with a user]: impersonate userextras.authentication.k8s.io/scopes"}},
		"dangerous things first": {nil, []string{`get "" services`, `create "" nodes/proxy`, `get "" secrets`}, []string{
			crane + " [reads Secrets]: get secrets", crane + " [nodes/proxy: reaches every container through the kubelet]: create nodes/proxy", crane + ": get services"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.old == nil {
				test.old = []string{`watch "" events`}
				test.fresh = append(test.fresh, test.old...)
			}
			old, fresh := role(test.old...), role(test.fresh...)
			if diff := cmp.Diff(test.want, words(compare(t, old, fresh).Growth, false)); diff != "" {
				t.Errorf("growth: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.want, words(compare(t, fresh, old).Shrinkage, false)); diff != "" {
				t.Errorf("shrinkage of the reverse: -want +got:\n%s", diff)
			}
		})
	}
}

func TestOtherParts(t *testing.T) {
	const webhook = "kind: %sWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: gate}\nwebhooks:\n- name: a.example.com\n  rules:\n  - {operations: [%s], apiGroups: [%s], apiVersions: [v1], resources: [%s]}\n"
	hook := func(kind, operations, groups, resources, more string) string {
		return fmt.Sprintf(webhook, kind, operations, groups, resources) + more
	}
	const aggregated = "kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: %s, labels: {rbac.authorization.k8s.io/aggregate-to-%s: \"true\"}}\nrules:\n- {verbs: [get], apiGroups: [%s], resources: [%s]}\n"
	const crd = "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: {name: cranes.example.com}\nspec: {group: example.com, scope: %s, names: {kind: Crane, plural: cranes}%s}\n"
	open := "  failurePolicy: Ignore\n"
	tests := map[string]struct {
		old, fresh string
		want       []string
	}{
		"a role by another name": {role(`get "" pods`), strings.Replace(role(`get "" pods`), "name: crane}", "name: other}", 1), []string{
			"account harbor/crane, everywhere: the permissions of the ClusterRole crane, whose rules are not all in the content"}},
		"another name for all of it": {role(`get "" pods`), strings.NewReplacer("{name: crane}", "{name: other}", "ClusterRole, name: crane", "ClusterRole, name: other").Replace(role(`get "" pods`)), nil},
		"a new account": {role(`get "" pods`), role(`get "" pods`) + strings.NewReplacer("{name: crane}", "{name: b}", "name: crane, namespace: harbor", "name: hoist").Replace(
			strings.ReplaceAll(binding, "ClusterRoleBinding", "RoleBinding")), []string{"account harbor/hoist (only in this version), in namespace harbor: get pods"}},
		"a group had it":             {strings.ReplaceAll(role(`get "" pods`), "kind: ServiceAccount, name: crane, namespace: harbor", "kind: Group, name: 'system:serviceaccounts'"), role(`get "" pods`), nil},
		"a user that is the account": {role(`get "" pods`), strings.ReplaceAll(role(`get "" pods`), "kind: ServiceAccount, name: crane, namespace: harbor", "kind: User, name: 'system:serviceaccount:harbor:crane'"), nil},
		"a built-in role": {role(`get "" pods`), role(`get "" pods`) + strings.NewReplacer("{name: crane}", "{name: b}", "ClusterRole, name: crane", "ClusterRole, name: 'cluster-monitoring-view'").Replace(binding), []string{
			"account harbor/crane, everywhere: the permissions of the ClusterRole cluster-monitoring-view, whose rules are not all in the content"}},
		"aggregated":                {role(`get "" pods`), role(`get "" pods`) + "---\n" + fmt.Sprintf(aggregated, "a", "view", "example.com", "cranes"), []string{"all subjects of the ClusterRole view, everywhere: get cranes.example.com"}},
		"aggregated to what has it": {fmt.Sprintf(aggregated, "a", "view", "example.com", "cranes"), fmt.Sprintf(aggregated, "a", "admin", "example.com", "cranes"), nil},
		"aggregated and built in":   {fmt.Sprintf(aggregated, "a", "view", `""`, "pods"), fmt.Sprintf(aggregated, "a", "edit", `""`, "secrets"), nil},
		"a webhook":                 {hook("Validating", "CREATE", "example.com", "cranes", ""), hook("Validating", "CREATE, DELETE", "example.com", "cranes", ""), []string{"validating webhook (requests fail while it does not answer): delete cranes.example.com"}},
		"on core types":             {hook("Validating", "CREATE", "example.com", "cranes", open), hook("Validating", "CREATE", `example.com, ""`, "cranes", open), []string{"validating webhook [a webhook on core types]: create cranes"}},
		"mutating":                  {hook("Validating", "CREATE", "example.com", "cranes", open), hook("Mutating", "CREATE", "example.com", "cranes", open), []string{"mutating webhook: create cranes.example.com"}},
		"no longer mutating":        {hook("Mutating", "CREATE", "example.com", "cranes", open), hook("Validating", "CREATE", "example.com", "cranes", open), nil},
		"fails closed":              {hook("Validating", "CREATE", "example.com", "cranes", open), hook("Validating", "CREATE", "example.com", "cranes", ""), []string{"validating webhook (requests fail while it does not answer): create cranes.example.com"}},
		"no selector any more":      {hook("Validating", "CREATE", "example.com", "cranes", open+"  objectSelector: {matchLabels: {a: b}}\n"), hook("Validating", "CREATE", "example.com", "cranes", open), []string{"validating webhook: create cranes.example.com"}},
		"another selector":          {hook("Validating", "CREATE", "example.com", "cranes", open+"  objectSelector: {matchLabels: {a: b}}\n"), hook("Validating", "CREATE", "example.com", "cranes", open+"  objectSelector: {matchExpressions: [{key: z, operator: DoesNotExist}]}\n"), []string{"validating webhook (limited by selectors or conditions): create cranes.example.com"}},
		"the same selector":         {hook("Validating", "CREATE", "example.com", "cranes", open+"  objectSelector: {matchLabels: {a: b}}\n"), hook("Validating", "CREATE", "example.com", "cranes", open+"  objectSelector: {matchLabels: {a: b}}\n"), nil},
		"other versions as well":    {hook("Validating", "CREATE", "example.com", "cranes", open+"  matchPolicy: Exact\n"), hook("Validating", "CREATE", "example.com", "cranes", open+"  matchPolicy: Equivalent\n"), []string{"validating webhook: create cranes.example.com"}},
		"asked again":               {hook("Mutating", "CREATE", "example.com", "cranes", open+"  reinvocationPolicy: Never\n"), hook("Mutating", "CREATE", "example.com", "cranes", open+"  reinvocationPolicy: IfNeeded\n"), []string{"mutating webhook: create cranes.example.com"}},
		"a webhook's wildcards":     {hook("Validating", `"*"`, `"*"`, `"*/*"`, open), hook("Validating", "CREATE", `""`, `pods/exec, "*/scale", "pods/*", "*"`, open), nil},
		"no subresources":           {hook("Validating", `"*"`, `""`, `"*"`, open), hook("Validating", "CREATE", `""`, "pods, pods/exec", open), []string{"validating webhook [a webhook on core types]: create pods/exec"}},
		"a definition":              {role(`get "" pods`), role(`get "" pods`) + "---\n" + fmt.Sprintf(crd, "Namespaced", ""), []string{"CustomResourceDefinition cranes.example.com"}},
		"every verb on own kinds": {fmt.Sprintf(crd, "Namespaced", ""), fmt.Sprintf(crd, "Namespaced", "") + "---\n" + role(`"*" example.com cranes,cranes/status`, `"*" example.com "*"`), []string{
			"account harbor/crane (only in this version), everywhere: every verb on *.example.com, cranes.example.com/status, cranes.example.com"}},
		"every verb on kinds of others": {fmt.Sprintf(crd, "Namespaced", ""), fmt.Sprintf(crd, "Namespaced", "") + "---\n" + role(`"*" example.com hoists`, `"*" example.org cranes`), []string{
			"account harbor/crane (only in this version), everywhere [*: every verb]: every verb on hoists.example.com, cranes.example.org"}},
		"a definition's scope":   {fmt.Sprintf(crd, "Namespaced", ""), fmt.Sprintf(crd, "Cluster", ""), []string{"CustomResourceDefinition cranes.example.com: its scope differs"}},
		"a conversion":           {fmt.Sprintf(crd, "Namespaced", ""), fmt.Sprintf(crd, "Namespaced", ", conversion: {strategy: Webhook}"), []string{"conversion webhook: convert cranes.example.com"}},
		"an object":              {"kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nmetadata: {name: a, labels: {v: '1'}}\nvalue: 1\n", "kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nmetadata: {name: a, labels: {v: '2'}}\nvalue: 1\n", nil},
		"an object that differs": {"kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nmetadata: {name: a}\nvalue: 1\n", "kind: PriorityClass\napiVersion: scheduling.k8s.io/v1\nmetadata: {name: a}\nvalue: 2\n", []string{"PriorityClass.scheduling.k8s.io a: differs between the versions"}},
		"a namespace's labels":   {"kind: Namespace\napiVersion: v1\nmetadata: {name: a}\n", "kind: Namespace\napiVersion: v1\nmetadata: {name: a, labels: {pod-security.kubernetes.io/enforce: privileged}}\n", []string{"Namespace a: differs between the versions"}},
		"constraints":            {role(`get "" pods`), role(`get "" pods`) + "---\nkind: SecurityContextConstraints\napiVersion: security.openshift.io/v1\nmetadata: {name: a}\n", []string{"SecurityContextConstraints.security.openshift.io a [controls what pods can do on their node]"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, words(compare(t, test.old, test.fresh).Growth, false)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestInstaller(t *testing.T) {
	config := "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: tide}\n"
	renamed := strings.NewReplacer("{name: crane}", "{name: crane-2}", "ClusterRole, name: crane", "ClusterRole, name: crane-2")
	got := words(compare(t, role(`get "" pods`), renamed.Replace(role(`get "" pods,secrets`))+config).Growth, true)
	want := []string{
		"account harbor/crane, everywhere [reads Secrets]: get secrets",
		"the installer, in namespace harbor: create configmaps; delete, get, patch, update configmaps (named tide)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the names of roles are no growth, nor what the account gains: -want +got:\n%s", diff)
	}
}

// TestLarge compares an operator with thousands of rules with itself, with one that has one rule more, and with one in whose
// rules every verb is in another place.
func TestLarge(t *testing.T) {
	var rules, turned []string
	for i := range 3_345 {
		rules = append(rules, fmt.Sprintf("get,list,watch,create,update,patch,delete g%d.example.com r%d,r%d/status", i%40, i, i))
		turned = append(turned, fmt.Sprintf("delete,get,list,watch,create,update,patch g%d.example.com r%d/status,r%d", i%40, i, i))
	}
	for name, fresh := range map[string][]string{"itself": rules, "turned": turned} {
		if d := compare(t, role(rules...), role(fresh...)); len(d.Growth)+len(d.Shrinkage)+len(d.NotCompared) > 0 {
			t.Errorf("%s: %d more, %d less, not compared: %v", name, len(d.Growth), len(d.Shrinkage), d.NotCompared)
		}
	}
	d := compare(t, role(rules...), role(append(rules, `create "" pods`)...))
	want := []string{"account harbor/crane, everywhere [creates pods, which can use every account and Secret of their namespace]: create pods"}
	if diff := cmp.Diff(want, words(d.Growth, true)); diff != "" {
		t.Errorf("one rule more: -want +got:\n%s", diff)
	}
}

// TestNotCompared checks that rules that are too many to compare are named, and are neither growth nor the same.
func TestNotCompared(t *testing.T) {
	list := func(prefix string, n int) string {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprint(prefix, i))
		}
		return strings.Join(items, ",")
	}
	huge := fmt.Sprintf("%s %s %s", list("v", 110), list("g", 110), list("r", 110))
	d := compare(t, role(`get "" pods`), role(huge, `get "" pods,services`))
	if diff := cmp.Diff([]string{"account harbor/crane, everywhere: get services"}, words(d.Growth, false)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want := []string{"rules of the new version for account harbor/crane, everywhere", "rules of the new version for the installer, everywhere"}
	if diff := cmp.Diff(want, d.NotCompared); diff != "" {
		t.Errorf("not compared: -want +got:\n%s", diff)
	}
	if d := compare(t, role(huge), role(huge)); d.Grows() || len(d.NotCompared) > 0 {
		t.Errorf("the same is not the same: %v", d)
	}
}

func TestErrors(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"an unknown kind":               {"kind: Winch\napiVersion: example.com/v1\nmetadata: {name: a}\n", "new.yaml:1: the kind Winch"},
		"rules that are no rules":       {"kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: a}\nrules: [{verbs: get}]\n", "new.yaml:1: ClusterRole a"},
		"webhooks that are no webhooks": {"kind: MutatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: a}\nwebhooks: [{rules: x}]\n", "new.yaml:1: MutatingWebhookConfiguration a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := bundlediff.Compare(nil, content(t, test.in), bundlediff.Options{Namespace: "harbor"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestProperties checks properties of arbitrary rules: a content has no difference from itself, growth in one direction is
// shrinkage in the other, and adding a part shrinks nothing.
func TestProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	rules := func() []string {
		var list []string
		for range 1 + random.IntN(4) {
			list = append(list, pick("get", "get,list", `"*"`, "create", "escalate")+" "+pick(`""`, "apps", `"*"`, "rbac.authorization.k8s.io")+" "+
				pick("pods", "secrets", `"*"`, "roles", `"*/exec"`, "pods,deployments"))
		}
		return list
	}
	for range 300 {
		a, b := rules(), rules()
		if d := compare(t, role(a...), role(a...)); d.Grows() || len(d.Shrinkage) > 0 {
			t.Fatalf("%q over itself: %v", a, d)
		}
		there, back := compare(t, role(a...), role(b...)), compare(t, role(b...), role(a...))
		if diff := cmp.Diff(words(there.Growth, true), words(back.Shrinkage, true)); diff != "" {
			t.Fatalf("%q, %q: %s", a, b, diff)
		}
		if d := compare(t, role(a...), role(append(b, a...)...)); len(d.Shrinkage) > 0 {
			t.Fatalf("%q within %q shrinks: %v", a, b, words(d.Shrinkage, true))
		}
	}
}
