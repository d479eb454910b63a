package grants_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/kube/objects"
)

// forms are texts that bind a role to the account NS/SA, by the tool and the file that has them.
var forms = []struct{ name, file, text string }{
	{"oc adm policy", "setup.sh", "oc adm policy add-cluster-role-to-user cluster-admin -z SA -n NS\n"},
	{"oc policy", "setup.sh", "oc policy add-role-to-user admin system:serviceaccount:NS:SA -n NS\n"},
	{"oc adm policy over two lines", "Makefile", "setup:\n\toc adm policy add-cluster-role-to-user cluster-admin \\\n\t  --serviceaccount=SA --namespace=NS\n"},
	{"kubectl create", "Makefile", "setup:\n\tkubectl create clusterrolebinding admin --clusterrole=cluster-admin --serviceaccount=NS:SA\n"},
	{"kubectl create with a user", "setup.sh", "kubectl create rolebinding admin --clusterrole=admin --user=system:serviceaccount:NS:SA -n x\n"},
	{"kubectl create with variables", "setup.sh", "ACCOUNT=SA\nSPACE=NS\nkubectl create clusterrolebinding a --clusterrole=cluster-admin --serviceaccount=$SPACE:${ACCOUNT}\n"},
	{"kubectl set subject", "setup.sh", "kubectl set subject clusterrolebinding admin --serviceaccount=NS:SA\n"},
	{"a pipeline", ".github/workflows/ci.yaml", "jobs:\n  a:\n    steps:\n      - run: oc adm policy add-cluster-role-to-user cluster-admin -z SA -n NS\n"},
	{"a Job", "job.yaml", "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n        - command: [kubectl, create, clusterrolebinding, a, --clusterrole=cluster-admin, '--serviceaccount=NS:SA']\n"},
	{"a list of strings", "setup.py", "run([\"oc\", \"adm\", \"policy\", \"add-cluster-role-to-user\", \"cluster-admin\", \"-z\", \"SA\", \"-n\", \"NS\"])\n"},
	{"a heredoc", "setup.sh", "kubectl apply -f - <<EOF\nkind: ClusterRoleBinding\nmetadata:\n  name: admin\nroleRef:\n  kind: ClusterRole\n  name: cluster-admin\nsubjects:\n- kind: ServiceAccount\n  name: SA\n  namespace: NS\nEOF\n"},
	{"a heredoc with another order", "setup.sh", "cat <<EOF | kubectl apply -f -\nkind: ClusterRoleBinding\nsubjects:\n- name: SA\n  namespace: NS\n  kind: ServiceAccount\nroleRef:\n  kind: ClusterRole\n  name: cluster-admin\nEOF\n"},
	{"a module of Terraform", "main.tf", "resource \"kubernetes_cluster_role_binding\" \"a\" {\n  metadata {\n    name = \"a\"\n  }\n  role_ref {\n    kind = \"ClusterRole\"\n    name = \"cluster-admin\"\n  }\n  subject {\n    kind      = \"ServiceAccount\"\n    name      = \"SA\"\n    namespace = \"NS\"\n  }\n}\n"},
	{"a manifest in Terraform", "main.tf", "resource \"kubernetes_manifest\" \"a\" {\n  manifest = {\n    kind = \"ClusterRoleBinding\"\n    roleRef = { kind = \"ClusterRole\", name = \"cluster-admin\" }\n    subjects = [{ kind = \"ServiceAccount\", name = \"SA\", namespace = \"NS\" }]\n  }\n}\n"},
	{"a task of Ansible", "play.yml", "- hosts: localhost\n  tasks:\n    - kubernetes.core.k8s:\n        definition:\n          apiVersion: rbac.authorization.k8s.io/v1\n          kind: ClusterRoleBinding\n          metadata: {name: a}\n          roleRef: {kind: ClusterRole, name: cluster-admin}\n          subjects:\n            - {kind: ServiceAccount, name: SA, namespace: NS}\n"},
	{"a template of Jinja", "templates/rbac.yaml.j2", "kind: ClusterRoleBinding\nmetadata:\n  name: {{ name }}\nroleRef:\n  kind: ClusterRole\n  name: cluster-admin\nsubjects:\n  - kind: ServiceAccount\n    name: SA\n    namespace: NS\n"},
	{"a ConfigMap", "cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  rb.yaml: |\n    kind: ClusterRoleBinding\n    roleRef: {kind: ClusterRole, name: cluster-admin}\n    subjects:\n    - {kind: ServiceAccount, name: SA, namespace: NS}\n"},
	{"kro", "graph.yaml", "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nspec:\n  resources:\n    - id: a\n      template:\n        apiVersion: rbac.authorization.k8s.io/v1\n        kind: ClusterRoleBinding\n        roleRef: {kind: ClusterRole, name: cluster-admin}\n        subjects: [{kind: ServiceAccount, name: SA, namespace: NS}]\n"},
	{"ClusterPermission", "permission.yaml", "apiVersion: rbac.open-cluster-management.io/v1alpha1\nkind: ClusterPermission\nspec:\n  clusterRoleBinding:\n    subject: {kind: ServiceAccount, name: SA, namespace: NS}\n"},
	{"ClusterPermission in namespaces", "permission.yaml", "apiVersion: rbac.open-cluster-management.io/v1alpha1\nkind: ClusterPermission\nspec:\n  roleBindings:\n    - namespace: x\n      subjects: [{kind: ServiceAccount, name: SA, namespace: NS}]\n"},
	{"RBACDefinition", "definition.yaml", "apiVersion: rbacmanager.reactiveops.io/v1beta1\nkind: RBACDefinition\nrbacBindings:\n  - name: a\n    subjects: [{kind: ServiceAccount, name: SA, namespace: NS}]\n    clusterRoleBindings: [{clusterRole: cluster-admin}]\n"},
	{"Pulumi", "index.ts", "new k8s.rbac.v1.ClusterRoleBinding(\"a\", {\n  roleRef: { kind: \"ClusterRole\", name: \"cluster-admin\" },\n  subjects: [{ kind: \"ServiceAccount\", name: \"SA\", namespace: \"NS\" }],\n});\n"},
}

// TestCanBind crosses the forms with what makes them harmless: another name, another namespace, a longer name, and a comment.
func TestCanBind(t *testing.T) {
	t.Parallel()
	account := objects.Account{Namespace: "ops", Name: "deployer"}
	variants := []struct {
		name, namespace, account string
		want                     bool
	}{
		{"the account", "ops", "deployer", true},
		{"another name", "ops", "runner", false},
		{"a longer name", "ops", "deployer-2", false},
		{"another namespace", "dev", "deployer", false},
	}
	for _, form := range forms {
		for _, v := range variants {
			text := strings.NewReplacer("NS", v.namespace, "SA", v.account).Replace(form.text)
			if got := canBind(form.file, text, account); got != v.want {
				t.Errorf("%s, %s: %v\n%s", form.name, v.name, got, text)
			}
		}
	}
}

func canBind(file, text string, account objects.Account) bool {
	for _, grant := range grants.Read(file, []byte(text), func(string) bool { return false }) {
		if grant.CanBind(account, func(string) bool { return strings.Contains(text, account.Name) }) {
			return true
		}
	}
	return false
}

// TestCanBindFilledIn checks names that are only known when the text runs: they count if the text has the name of the account elsewhere.
func TestCanBindFilledIn(t *testing.T) {
	t.Parallel()
	account := objects.Account{Namespace: "ops", Name: "deployer"}
	tests := []struct {
		name, file, text string
		want             bool
	}{
		{"a parameter with the name", "a.sh", "bind() {\n  oc adm policy add-cluster-role-to-user admin -z \"$1\" -n ops\n}\nbind deployer\n", true},
		{"a parameter with another name", "a.sh", "bind() {\n  oc adm policy add-cluster-role-to-user admin -z \"$1\" -n ops\n}\nbind runner\n", false},
		{"an expression", "a.tf", "resource \"kubernetes_service_account\" \"d\" {\n  metadata {\n    name = \"deployer\"\n  }\n}\nresource \"kubernetes_role_binding\" \"a\" {\n  subject {\n    kind = \"ServiceAccount\"\n    name = kubernetes_service_account.d.metadata[0].name\n    namespace = \"ops\"\n  }\n}\n", true},
		{"a suffix that differs", "a.sh", "# deployer\noc adm policy add-cluster-role-to-user admin -z ${APP}-runner -n ops\n", false},
		{"a flag inside of the command", "a.sh", "kubectl create -n ops rolebinding b --clusterrole=edit --serviceaccount=ops:deployer\n", true},
		{"a question", "a.sh", "kubectl auth can-i create rolebindings --as=system:serviceaccount:ops:deployer\n", false},
		{"a question before a command", "job.yaml", "args: [\"kubectl auth can-i create rolebindings || kubectl create rolebinding b --clusterrole=edit --serviceaccount=ops:deployer -n ops\"]\n", true},
		{"a question in a Job", "job.yaml", "args: [\"kubectl auth can-i create rolebindings --as=system:serviceaccount:ops:deployer\"]\n", false},
		{"a Job of a chart", "c/templates/job.yaml", "kind: Job\nspec:\n  command: [sh, -c, \"kubectl create clusterrolebinding b --clusterrole=edit --serviceaccount=ops:deployer\"]\n", true},
		{"a script that a kustomization generates", "kustomization.yaml", "configMapGenerator:\n- {name: a, literals: [\"run.sh=kubectl create clusterrolebinding b --clusterrole=edit --serviceaccount=ops:deployer\"]}\n", true},
		{"a binding of a chart", "c/templates/binding.yaml", "kind: RoleBinding\nroleRef: {kind: ClusterRole, name: edit}\nsubjects: [{kind: ServiceAccount, name: deployer, namespace: ops}]\n", false},
		{"a group of all accounts", "a.sh", "oc adm policy add-cluster-role-to-group admin system:serviceaccounts:ops\n", true},
		{"a group of other accounts", "a.sh", "oc adm policy add-cluster-role-to-group admin system:serviceaccounts:dev\n", false},
		{"a comment", "a.sh", "# oc adm policy add-cluster-role-to-user admin -z deployer -n ops\n", false},
		{"documentation", "README.md", "oc adm policy add-cluster-role-to-user admin -z deployer -n ops\n", false},
		{"removal", "a.sh", "oc adm policy remove-cluster-role-from-user admin -z deployer -n ops\n", false},
		{"a token", "a.sh", "kubectl create token deployer -n ops\nkubectl create clusterrolebinding a --clusterrole=admin --serviceaccount=ops:runner\n", false},
		{"a policy", "a.yaml", "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec:\n  rules:\n    - exclude:\n        any:\n          - clusterRoles: [a]\n            subjects: [{kind: ServiceAccount, name: deployer, namespace: ops}]\n      match: {any: [{resources: {kinds: [RoleBinding]}}]}\n", false},
		{"a binding that is read", "a.yaml", "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: a}\nroleRef: {kind: ClusterRole, name: admin}\nsubjects: [{kind: ServiceAccount, name: deployer, namespace: ops}]\n", false},
	}
	for _, test := range tests {
		if got := canBind(test.file, test.text, account); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
