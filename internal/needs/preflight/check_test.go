package preflight

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

// lines describes rules as `namespace: verbs groups/resources names`, one per line.
func lines(scoped []Scoped) string {
	var b strings.Builder
	for _, s := range scoped {
		for _, rule := range s.Rules {
			fmt.Fprintf(&b, "%s: %s\n", s.Namespace, line(rule))
		}
	}
	return b.String()
}

func line(r rbacv1.PolicyRule) string {
	words := []string{strings.Join(r.Verbs, ",")}
	if len(r.Resources) > 0 {
		words = append(words, strings.Join(r.APIGroups, ",")+"/"+strings.Join(r.Resources, ","))
	}
	for _, list := range [][]string{r.ResourceNames, r.NonResourceURLs} {
		if len(list) > 0 {
			words = append(words, strings.Join(list, ","))
		}
	}
	return strings.Join(words, " ")
}

const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: harbor}
`

// bound grants the installer a ClusterRole with these rules, everywhere or in a namespace.
func bound(namespace, rules string) string {
	kind, meta := "ClusterRoleBinding", "{name: installer}"
	if namespace != "" {
		kind, meta = "RoleBinding", "{name: installer, namespace: "+namespace+"}"
	}
	return `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: installer}
rules: ` + rules + `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ` + kind + `
metadata: ` + meta + `
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: installer}
subjects: [{kind: ServiceAccount, name: installer, namespace: harbor}]
`
}

func TestMissing(t *testing.T) {
	t.Parallel()
	const (
		role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: worker, namespace: harbor}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
`
		handleRoles = `{apiGroups: [rbac.authorization.k8s.io], resources: [roles, clusterroles, rolebindings, clusterrolebindings], verbs: [get, patch, update, delete, create]}`
		roleBinding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: worker, namespace: harbor}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ROLEKIND, name: ROLE}
subjects: [{kind: ServiceAccount, name: worker, namespace: harbor}]
`
	)
	binds := func(kind, name string) string {
		return strings.NewReplacer("ROLEKIND", kind, "ROLE", name).Replace(roleBinding)
	}
	tests := map[string]struct {
		objects, grants string
		change          func(*Input)
		want            string
	}{
		"nothing to install": {},
		"an object without any grant": {
			objects: configMap,
			want: `
harbor: create /configmaps
harbor: delete,get,patch,update /configmaps settings
`,
		},
		"create is not held by name": {
			objects: configMap,
			grants:  bound("harbor", `[{apiGroups: [""], resources: [configmaps], resourceNames: [settings], verbs: ["*"]}]`),
			want:    "harbor: create /configmaps\n",
		},
		"a grant in another namespace does not count": {
			objects: configMap,
			grants:  bound("other", `[{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]`),
			want: `
harbor: create /configmaps
harbor: delete,get,patch,update /configmaps settings
`,
		},
		"collection verbs are wanted in the whole cluster": {
			objects: configMap,
			grants:  bound("harbor", `[{apiGroups: [""], resources: [configmaps], verbs: ["*"]}]`),
			change:  func(in *Input) { in.CollectionVerbs = []string{"list", "watch"} },
			want:    ": list,watch /configmaps\n",
		},
		"finalizers": {
			change: func(in *Input) { in.Finalizers = Finalizers{"clusterextensions", "harbor"} },
			want:   ": update olm.operatorframework.io/clusterextensions/finalizers harbor\n",
		},
		"finalizers held as a subresource of anything": {
			grants: bound("", `[{apiGroups: ["*"], resources: ["*/finalizers"], verbs: [update]}]`),
			change: func(in *Input) { in.Finalizers = Finalizers{"clusterextensions", "harbor"} },
		},
		"an object of the cluster, whatever namespace is written on it": {
			objects: `{apiVersion: v1, kind: Namespace, metadata: {name: harbor, namespace: harbor}}`,
			want: `
: create /namespaces
: delete,get,patch,update /namespaces harbor
`,
		},
		"a namespaced object without a namespace goes to the extension's": {
			objects: `{apiVersion: v1, kind: Secret, metadata: {name: s}}`,
			want: `
harbor: create /secrets
harbor: delete,get,patch,update /secrets s
`,
		},
		"held through a group of the account": {
			objects: configMap,
			grants: strings.Replace(bound("", `[{apiGroups: [""], resources: [configmaps], verbs: ["*"]}]`),
				"{kind: ServiceAccount, name: installer, namespace: harbor}",
				"{kind: Group, apiGroup: rbac.authorization.k8s.io, name: 'system:serviceaccounts:harbor'}", 1),
		},
		"a role grants what its creator lacks": {
			objects: role,
			grants:  bound("harbor", `[`+handleRoles+`, {apiGroups: [""], resources: [pods], verbs: [get]}]`),
			want:    "harbor: list /pods\n",
		},
		"a role, with escalate in its namespace": {
			objects: role,
			grants:  bound("harbor", `[`+handleRoles+`, {apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}]`),
		},
		"a role, with escalate on that name, which a request to create has not": {
			objects: role,
			grants: bound("harbor", `[`+handleRoles+
				`, {apiGroups: [rbac.authorization.k8s.io], resources: [roles], resourceNames: [worker], verbs: [escalate]}]`),
			want: "harbor: get,list /pods\n",
		},
		"a role, by the way of verbs": {
			objects: role,
			grants:  bound("harbor", `[`+handleRoles+`]`),
			change:  func(in *Input) { in.Escalation = Verbs },
			want:    "harbor: escalate rbac.authorization.k8s.io/roles\n",
		},
		"what is held needs no verb": {
			objects: role,
			grants:  bound("harbor", `[`+handleRoles+`, {apiGroups: [""], resources: [pods], verbs: [get, list]}]`),
			change:  func(in *Input) { in.Escalation = Verbs },
		},
		"an aggregated role requires everything": {
			objects: `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: all}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}
`,
			grants: bound("", `[`+handleRoles+`]`),
			want:   ": * */*\n: * *\n",
		},
		"an aggregationRule without selectors requires nothing": {
			objects: `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: none}
aggregationRule: {clusterRoleSelectors: []}
`,
			grants: bound("", `[`+handleRoles+`]`),
		},
		"a binding to a role that comes with it": {
			objects: role + "---" + binds("Role", "worker"),
			grants:  bound("harbor", `[`+handleRoles+`, {apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}]`),
			want:    "harbor: get,list /pods\n",
		},
		"a binding, with bind on its role by name": {
			objects: role + "---" + binds("Role", "worker"),
			grants: bound("harbor", `[`+handleRoles+`, {apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}`+
				`, {apiGroups: [rbac.authorization.k8s.io], resources: [roles], resourceNames: [worker], verbs: [bind]}]`),
		},
		"a binding to a role of the repository": {
			objects: binds("ClusterRole", "installer"),
			grants:  bound("harbor", `[`+handleRoles+`]`),
		},
		"a binding to a role that every cluster has": {
			objects: binds("ClusterRole", "cluster-admin"),
			grants:  bound("harbor", `[`+handleRoles+`]`),
			want:    "harbor: * */*\nharbor: * *\n",
		},
		"a binding to an unknown role": {
			objects: binds("ClusterRole", "nobody-knows"),
			grants:  bound("harbor", `[`+handleRoles+`]`),
			want:    "harbor: bind rbac.authorization.k8s.io/clusterroles nobody-knows\n",
		},
		"a binding, by the way of verbs": {
			objects: binds("ClusterRole", "cluster-admin"),
			grants:  bound("harbor", `[`+handleRoles+`]`),
			change:  func(in *Input) { in.Escalation = Verbs },
			want:    "harbor: bind rbac.authorization.k8s.io/clusterroles cluster-admin\n",
		},
		"system:masters is not asked": {
			objects: configMap,
			change:  func(in *Input) { in.Identity.Groups = []string{"system:masters"} },
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(t, test.objects, test.grants)
			if test.change != nil {
				test.change(&in)
			}
			got := lines(check(t, in).Missing)
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), got); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	in := input(t, configMap, "")
	in.Old = bundle(t, `
apiVersion: v1
kind: Secret
metadata: {name: gone, namespace: harbor}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: harbor}
`)
	result := check(t, in)
	want := `harbor: create /configmaps
harbor: create /secrets
harbor: delete,get,patch,update /configmaps settings
harbor: delete,get,patch,update /secrets gone
`
	if diff := cmp.Diff(want, lines(result.Missing)); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	for _, gap := range result.Gaps {
		if old := strings.Contains(line(gap.Rules[0]), "secrets"); gap.Old != old {
			t.Errorf("%s: of the old version: %v", line(gap.Rules[0]), gap.Old)
		}
	}
}

// TestBindingWithoutANamespace grants one half of what is needed in the namespace of the extension, and the other half by a RoleBinding
// that sets no namespace, which is applied there as well.
func TestBindingWithoutANamespace(t *testing.T) {
	t.Parallel()
	named := bound("harbor", `[{apiGroups: [""], resources: [configmaps], resourceNames: [settings], verbs: [delete, get, patch, update]}]`)
	other := bound("harbor", `[{apiGroups: [""], resources: [configmaps], verbs: [create]}, {apiGroups: [""], resources: [secrets], verbs: [get]}]`)
	other = strings.NewReplacer("{name: installer, namespace: harbor}", "{name: other}", "name: installer}\nrules", "name: other}\nrules",
		"kind: ClusterRole, name: installer", "kind: ClusterRole, name: other", "{name: other}\nroleRef", "{name: other}\nroleRef").Replace(other)
	result := check(t, input(t, configMap, named+"---"+other))
	if got := lines(result.Missing); got != "" {
		t.Errorf("missing:\n%s", got)
	}
	if diff := cmp.Diff("harbor: get /secrets\n", lines(result.Unneeded)); diff != "" {
		t.Errorf("unneeded (-want +got):\n%s", diff)
	}
}

func TestUnneeded(t *testing.T) {
	t.Parallel()
	grants := bound("harbor", `[{apiGroups: [""], resources: [configmaps, secrets], verbs: ["create", "get"]}]`)
	want := `harbor: create,get /secrets
harbor: get /configmaps
`
	if diff := cmp.Diff(want, lines(check(t, input(t, configMap, grants)).Unneeded)); diff != "" {
		t.Errorf("unneeded (-want +got):\n%s", diff)
	}
}
