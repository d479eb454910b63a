package rbac_test

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/rbac"
)

// tree is a repository in memory.
type tree = filestest.Tree

// clusterBinding and roleBinding bind a role, Kind/name, to subjects in flow style.
func clusterBinding(name, role, subjects string) string {
	return bindingOf("ClusterRoleBinding", "{name: "+name+"}", role, subjects)
}

func roleBinding(name, namespace, role, subjects string) string {
	return bindingOf("RoleBinding", "{name: "+name+", namespace: "+namespace+"}", role, subjects)
}

func bindingOf(kind, metadata, role, subjects string) string {
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: %s\nroleRef: {kind: %s}\nsubjects: [%s]\n",
		kind, metadata, role, subjects)
}

func clusterRole(name, rules string) string {
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: %s}\nrules: %s\n", name, rules)
}

// labeled is a ClusterRole with labels, in flow style without braces; aggregated is one that is aggregated by selectors in
// flow style without braces.
func labeled(name, labels, rules string) string {
	return strings.Replace(clusterRole(name, rules), "metadata: {name: "+name, "metadata: {name: "+name+", labels: {"+labels+"}", 1)
}

func aggregated(name string, selectors ...string) string {
	return clusterRole(name, "[]") + "aggregationRule: {clusterRoleSelectors: [{" + strings.Join(selectors, "}, {") + "}]}\n"
}

func role(name, namespace, rules string) string {
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: %s, namespace: %s}\nrules: %s\n",
		name, namespace, rules)
}

func extension(name, account string) string {
	return fmt.Sprintf("---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: %s}\n"+
		"spec: {namespace: ns, serviceAccount: {name: %s}}\n", name, account)
}

var installer = rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "ns", Name: "sa"}

const installerSubject = "{kind: ServiceAccount, namespace: ns, name: sa}"

// names lists the names of the bindings' objects.
func names(bindings []rbac.Binding) []string {
	var all []string
	for _, b := range bindings {
		all = append(all, b.Object.Name)
	}
	return all
}
