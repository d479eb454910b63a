package grants_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// forms are texts that bind a role to the account NS/SA, by the tool and the file that has them.
var forms = []struct{ name, file, text string }{
	{"oc adm policy", "setup.sh", "oc adm policy add-cluster-role-to-user cluster-admin -z SA -n NS\n"},
	{"oc policy", "setup.sh", "oc policy add-role-to-user admin system:serviceaccount:NS:SA -n NS\n"},
	{"oc adm policy for constraints", "setup.sh", "oc adm policy add-scc-to-user privileged -z SA -n NS\n"},
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
	{"an argument list of Ansible", "play.yml", "- hosts: localhost\n  tasks:\n    - command:\n        argv:\n          - kubectl\n          - create\n          - clusterrolebinding\n          - a\n          - --clusterrole=cluster-admin\n          - --serviceaccount=NS:SA\n"},
	{"arguments of a Job, one in a line", "job.yaml", "kind: Job\nspec:\n  template:\n    spec:\n      containers:\n        - command: [oc]\n          args:\n            - adm\n            - policy\n            - add-cluster-role-to-user\n            - cluster-admin\n            - -z\n            - SA\n            - -n\n            - NS\n"},
	{"a folded command", "play.yml", "- hosts: localhost\n  tasks:\n    - shell: >-\n        kubectl create clusterrolebinding a\n        --clusterrole=cluster-admin\n        --serviceaccount=NS:SA\n"},
	{"a command in a plain scalar of several lines", ".github/workflows/ci.yaml", "jobs:\n  a:\n    steps:\n      - run: kubectl create clusterrolebinding a\n          --clusterrole=cluster-admin\n          --serviceaccount=NS:SA\n"},
	{"PowerShell over two lines", "setup.ps1", "kubectl create clusterrolebinding a `\n  --clusterrole=cluster-admin `\n  --serviceaccount=NS:SA\n"},
	{"a batch file over two lines", "setup.bat", "kubectl create clusterrolebinding a ^\r\n  --clusterrole=cluster-admin ^\r\n  --serviceaccount=NS:SA\r\n"},
	{"an array of the shell", "setup.sh", "args=(create clusterrolebinding a --clusterrole=cluster-admin\n  --serviceaccount=NS:SA)\nkubectl \"${args[@]}\"\n"},
	{"the client of Python", "setup.py", "body = client.V1ClusterRoleBinding(\n    metadata=client.V1ObjectMeta(name=\"a\"),\n    role_ref=client.V1RoleRef(kind=\"ClusterRole\", name=\"cluster-admin\", api_group=\"rbac.authorization.k8s.io\"),\n    subjects=[\n        client.RbacV1Subject(kind=\"ServiceAccount\", name=\"SA\", namespace=\"NS\")\n    ],\n)\n"},
	{"the client of Go", "main.go", "b := &rbacv1.ClusterRoleBinding{\n\tRoleRef: rbacv1.RoleRef{Kind: \"ClusterRole\", Name: \"cluster-admin\"},\n\tSubjects: []rbacv1.Subject{{\n\t\tKind:      \"ServiceAccount\",\n\t\tName:      \"SA\",\n\t\tNamespace: \"NS\",\n\t}},\n}\n"},
	{"the client of Go with a constant", "main.go", "b := &rbacv1.ClusterRoleBinding{\n\tRoleRef: rbacv1.RoleRef{Kind: \"ClusterRole\", Name: \"cluster-admin\"},\n\tSubjects: []rbacv1.Subject{{\n\t\tKind:      rbacv1.ServiceAccountKind,\n\t\tName:      \"SA\",\n\t\tNamespace: \"NS\",\n\t}},\n}\n"},
	{"the sixth subject of a heredoc", "setup.sh", "kubectl apply -f - <<EOF\nkind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: cluster-admin}\nsubjects:\n" + strings.Repeat("- kind: ServiceAccount\n  name: other\n  namespace: far\n", 20) + "- kind: ServiceAccount\n  name: SA\n  namespace: NS\nEOF\n"},
	{"a manifest in a string of Go", "main.go", "const m = \"kind: ClusterRoleBinding\\nroleRef: {kind: ClusterRole, name: cluster-admin}\\nsubjects:\\n- kind: ServiceAccount\\n  name: SA\\n  namespace: NS\\n\"\n"},
	{"a ConfigMap in JSON", "cm.json", "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"data\": {\"rb.yaml\": \"kind: ClusterRoleBinding\\nroleRef: {kind: ClusterRole, name: cluster-admin}\\nsubjects:\\n- kind: ServiceAccount\\n  name: SA\\n  namespace: NS\\n\"}}\n"},
	{"a ConfigMap with a quoted text", "cm.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  rb.yaml: \"kind: ClusterRoleBinding\\nroleRef: {kind: ClusterRole, name: cluster-admin}\\nsubjects:\\n- kind: ServiceAccount\\n  name: SA\\n  namespace: NS\\n\"\n"},
	{"a ConfigMap with JSON", "cm.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  rb.json: '{\"kind\": \"ClusterRoleBinding\", \"roleRef\": {\"kind\": \"ClusterRole\", \"name\": \"cluster-admin\"}, \"subjects\": [{\"kind\": \"ServiceAccount\", \"name\": \"SA\", \"namespace\": \"NS\"}]}'\n"},
	{"Terraform in JSON", "main.tf.json", "{\"resource\": {\"kubernetes_cluster_role_binding\": {\"a\": {\"role_ref\": {\"kind\": \"ClusterRole\", \"name\": \"cluster-admin\"}, \"subject\": [{\"kind\": \"ServiceAccount\", \"name\": \"SA\", \"namespace\": \"NS\"}]}}}}\n"},
	{"a ClusterServiceVersion", "csv.yaml", "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a.v1, namespace: NS}\nspec:\n  install:\n    spec:\n      clusterPermissions:\n        - serviceAccountName: SA\n          rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]\n"},
	{"Gardener", "project.yaml", "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {name: a}\nspec:\n  members:\n    - {kind: ServiceAccount, name: SA, namespace: NS, role: admin}\n"},
	{"Gardener with a user", "project.yaml", "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {name: a}\nspec:\n  members:\n    - {apiGroup: rbac.authorization.k8s.io, kind: User, name: 'system:serviceaccount:NS:SA', role: admin}\n"},
	{"Capsule", "tenant.yaml", "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: a}\nspec:\n  owners:\n    - {kind: ServiceAccount, name: 'system:serviceaccount:NS:SA'}\n"},
	{"Rancher", "binding.yaml", "apiVersion: management.cattle.io/v3\nkind: ProjectRoleTemplateBinding\nmetadata: {name: a}\nprojectName: p\nroleTemplateName: project-owner\nserviceAccount: NS:SA\n"},
	{"an account beside the reference to its role", "binding.yaml", "apiVersion: example.org/v1\nkind: Access\nmetadata: {name: a}\nspec:\n  roleRef: {kind: ClusterRole, name: admin}\n  serviceAccount: {name: SA, namespace: NS}\n"},
	{"a reference to a subject", "binding.yaml", "apiVersion: example.org/v1\nkind: AccessBinding\nmetadata: {name: a}\nspec:\n  roleRef: {name: admin}\n  subjectRef: {kind: ServiceAccount, name: SA, namespace: NS}\n"},
	{"users of a binding", "binding.yaml", "apiVersion: example.org/v1\nkind: AccessBinding\nmetadata: {name: a}\nspec:\n  roleRef: {name: admin}\n  users: ['system:serviceaccount:NS:SA']\n"},
	{"Rancher with a user", "binding.yaml", "apiVersion: management.cattle.io/v3\nkind: ClusterRoleTemplateBinding\nmetadata: {name: a, namespace: c}\nroleTemplateName: cluster-owner\nuserName: system:serviceaccount:NS:SA\n"},
	{"a loop", "setup.sh", "for account in first SA last; do\n  kubectl create clusterrolebinding $account --clusterrole cluster-admin --serviceaccount NS:$account\ndone\n"},
	{"a loop with a namespace", "setup.sh", "for account in first SA last; do oc adm policy add-cluster-role-to-user admin -z $account -n NS; done\n"},
	{"an array in a loop", "setup.sh", "ALL=(first SA)\nfor account in \"${ALL[@]}\"; do oc adm policy add-cluster-role-to-user admin -z $account -n NS; done\n"},
	{"another host", "setup.sh", "ssh host \"oc adm policy add-cluster-role-to-user cluster-admin -z SA -n NS\"\n"},
	{"a text over several lines", "mise.toml", "[tasks.grant]\nrun = \"\"\"\nkubectl create clusterrolebinding a \\\n  --clusterrole=cluster-admin \\\n  --serviceaccount=NS:SA\n\"\"\"\n"},
	{"the client of Python on one line", "setup.py", "body = client.V1ClusterRoleBinding(\n    role_ref=client.V1RoleRef(kind=\"ClusterRole\", name=\"cluster-admin\"),\n    subjects=[client.RbacV1Subject(kind=\"ServiceAccount\", name=\"SA\", namespace=\"NS\")],\n)\n"},
	{"a patch in a file", "patch.json", "[{\"op\": \"add\", \"path\": \"/subjects/-\", \"value\": {\"kind\": \"ServiceAccount\", \"name\": \"SA\", \"namespace\": \"NS\"}}]\n"},
	{"a patch in a kustomization", "kustomization.yaml", "resources: [https://example.com/base]\npatches:\n- target: {kind: ClusterRoleBinding}\n  patch: |-\n    - op: add\n      path: /subjects/-\n      value: {kind: ServiceAccount, name: SA, namespace: NS}\n"},
	{"a merge patch in a kustomization", "kustomization.yaml", "resources: [https://example.com/base]\npatches:\n- patch: |-\n    kind: ClusterRoleBinding\n    metadata: {name: a}\n    subjects:\n    - kind: ServiceAccount\n      name: SA\n      namespace: NS\n"},
	{"a patch of an application", "app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {source: {kustomize: {patches: [{target: {kind: RoleBinding}, patch: '[{op: add, path: /subjects/-, value: {kind: ServiceAccount, name: SA, namespace: NS}}]'}]}}}\n"},
	{"a patch of Hive", "sync.yaml", "apiVersion: hive.openshift.io/v1\nkind: SyncSet\nspec:\n  patches:\n  - kind: ClusterRoleBinding\n    patch: '[{\"op\":\"replace\",\"path\":\"/subjects\",\"value\":[{\"kind\":\"ServiceAccount\",\"name\":\"SA\",\"namespace\":\"NS\"}]}]'\n"},
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

// TestCalls checks subjects that a program makes with a call: any of its texts can be the name.
func TestCalls(t *testing.T) {
	t.Parallel()
	account := objects.Account{Namespace: "ops", Name: "deployer"}
	for text, want := range map[string]bool{
		"new ClusterRoleBindingBuilder().addNewSubject(\"\", \"ServiceAccount\", \"deployer\", \"ops\").build();\n":   true,
		"new ClusterRoleBindingBuilder().addNewSubject(\"\", \"ServiceAccount\", \"deployer-2\", \"ops\").build();\n": false,
		"new ClusterRoleBindingBuilder().addNewSubject(\"\", \"ServiceAccount\", name, namespace); // deployer\n":     true,
		"client.get(\"ServiceAccount\", \"deployer\"); // subject of a RoleBinding\n":                                 false,
	} {
		if got := canBind("Setup.java", text, account); got != want {
			t.Errorf("%v for %s", got, text)
		}
	}
}

// TestCanBindUsers checks users that are no accounts, and groups.
func TestCanBindUsers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, text, user string
		want                   bool
	}{
		{"kubectl create", "a.sh", "kubectl create clusterrolebinding a --clusterrole=admin --user=olm:clusterextension:logs\n", "olm:clusterextension:logs", true},
		{"kubectl create for another user", "a.sh", "kubectl create clusterrolebinding a --clusterrole=admin --user=olm:clusterextension:logs-2\n", "olm:clusterextension:logs", false},
		{"oc", "a.sh", "oc adm policy add-cluster-role-to-user admin alice bob\n", "bob", true},
		{"the role of oc is no user", "a.sh", "oc adm policy add-cluster-role-to-user admin alice\n", "admin", false},
		{"a heredoc", "a.sh", "cat <<EOF | oc apply -f -\nkind: ClusterRoleBinding\nsubjects:\n- kind: User\n  name: alice\nEOF\n", "alice", true},
		{"an account of that name", "a.sh", "oc adm policy add-cluster-role-to-user admin -z alice -n ops\n", "alice", false},
		{"a group", "a.sh", "oc adm policy add-cluster-role-to-group admin system:authenticated\n", "alice", true},
		{"a name that is filled in", "a.sh", "# alice\nbind() {\n  oc adm policy add-cluster-role-to-user admin \"$1\"\n}\n", "alice", true},
	}
	for _, test := range tests {
		who := rbac.Subject{Kind: rbac.KindUser, Name: test.user}.Identity()
		got := slices.ContainsFunc(grants.Read(test.file, []byte(test.text), func(string) bool { return false }), func(g grants.Grant) bool {
			return g.CanBind(who, func(string) bool { return true })
		})
		if got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestReaches checks in which namespaces a binding holds.
func TestReaches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file, text string
		in         map[string]bool // by namespace
	}{
		{"a.sh", "kubectl create rolebinding a --clusterrole=admin --serviceaccount=ops:deployer -n apps\n", map[string]bool{"apps": true, "ops": false, "": false}},
		{"a.sh", "kubectl create rolebinding a --clusterrole=admin --serviceaccount=ops:deployer\n", map[string]bool{"apps": true, "ops": true, "": true}},
		{"a.sh", "kubectl create clusterrolebinding a --clusterrole=admin --serviceaccount=ops:deployer -n apps\n", map[string]bool{"apps": true, "ops": true, "": true}},
		{"a.sh", "oc policy add-role-to-user admin system:serviceaccount:ops:deployer -n apps\n", map[string]bool{"apps": true, "ops": false}},
		{"a.sh", "oc policy add-role-to-user admin system:serviceaccount:ops:deployer -n $TARGET\n", map[string]bool{"apps": true, "ops": true}},
		{"graph.yaml", "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nspec:\n  resources:\n    - template:\n        kind: RoleBinding\n        metadata: {namespace: apps}\n        roleRef: {kind: ClusterRole, name: edit}\n        subjects: [{kind: ServiceAccount, name: deployer, namespace: ops}]\n", map[string]bool{"apps": true, "ops": false}},
	}
	for _, test := range tests {
		found := grants.Read(test.file, []byte(test.text), func(string) bool { return false })
		if len(found) != 1 {
			t.Fatalf("%d bindings in %s", len(found), test.text)
		}
		for namespace, want := range test.in {
			if got := found[0].Reaches(namespace); got != want {
				t.Errorf("in %q: %v\n%s", namespace, got, test.text)
			}
		}
	}
}

// TestBrokenDocument checks a manifest of which one document cannot be parsed: the binding in it counts, and that of the other document is
// read as an object.
func TestBrokenDocument(t *testing.T) {
	t.Parallel()
	binding := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: edit}\nsubjects:\n- kind: ServiceAccount\n  name: deployer\n  namespace: ops\n"
	for end, want := range map[string][]int{"": nil, "metadata: [\n": {13}} {
		text := binding + "---\n" + binding + end
		var lines []int
		for _, g := range grants.Read("a.yaml", []byte(text), func(string) bool { return false }) {
			lines = append(lines, g.Position.Line)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("lines %v, want %v in\n%s", lines, want, text)
		}
	}
}

func canBind(file, text string, account objects.Account) bool {
	who := rbac.Account(account).Identity()
	for _, grant := range grants.Read(file, []byte(text), func(string) bool { return false }) {
		if grant.CanBind(who, func(string) bool { return strings.Contains(text, account.Name) }) {
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
		{"a parameter of a Template", "template.yaml", "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: a}\nparameters: [{name: ACCOUNT, value: deployer}]\nobjects:\n- apiVersion: rbac.authorization.k8s.io/v1\n  kind: ClusterRoleBinding\n  metadata: {name: a}\n  roleRef: {kind: ClusterRole, name: admin}\n  subjects: [{kind: ServiceAccount, name: '${ACCOUNT}', namespace: ops}]\n", true},
		{"a parameter of a Template with another name", "template.yaml", "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: a}\nparameters: [{name: ACCOUNT, value: runner}]\nobjects:\n- apiVersion: rbac.authorization.k8s.io/v1\n  kind: ClusterRoleBinding\n  metadata: {name: a}\n  roleRef: {kind: ClusterRole, name: admin}\n  subjects: [{kind: ServiceAccount, name: '${ACCOUNT}', namespace: ops}]\n", false},
		{"a loop of Ansible", "play.yml", "- hosts: all\n  tasks:\n  - ansible.builtin.command: oc adm policy add-cluster-role-to-user cluster-admin -z {{ item }} -n ops\n    loop: [first, deployer]\n", true},
		{"a loop of Ansible with another name", "play.yml", "- hosts: all\n  tasks:\n  - ansible.builtin.command: oc adm policy add-cluster-role-to-user cluster-admin -z {{ item }} -n ops\n    loop: [first, runner]\n", false},
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
		{"a comment behind a command", "a.sh", "kubectl get pods # oc adm policy add-cluster-role-to-user admin -z deployer -n ops\n", false},
		{"a command before a comment", "a.sh", "oc adm policy add-cluster-role-to-user admin -z deployer -n ops # once\n", true},
		{"a comment of several lines", "a.tf", "/*\nresource \"kubernetes_role_binding\" \"a\" {\n  subject {\n    kind = \"ServiceAccount\"\n    name = \"deployer\"\n    namespace = \"ops\"\n  }\n}\n*/\n", false},
		{"another object of the same heredoc", "a.sh", "kubectl apply -f - <<EOF\nkind: RoleBinding\nroleRef: {kind: ClusterRole, name: edit}\nsubjects:\n- kind: ServiceAccount\n  name: runner\n  namespace: ops\n---\nkind: ServiceAccount\nmetadata:\n  name: deployer\n  namespace: ops\nEOF\n", false},
		{"an object behind another heredoc", "a.sh", "kubectl apply -f - <<EOF\nkind: RoleBinding\nsubjects:\n- kind: ServiceAccount\n  name: runner\n  namespace: ops\nEOF\nkubectl apply -f - <<EOF\nkind: ServiceAccount\nmetadata:\n  name: deployer\n  namespace: ops\nEOF\n", false},
		{"subjects that a variable has", "play.yml", "- hosts: localhost\n  vars: {people: [deployer]}\n  tasks:\n    - kubernetes.core.k8s:\n        definition:\n          kind: ClusterRoleBinding\n          roleRef: {kind: ClusterRole, name: edit}\n          subjects: \"{{ people }}\"\n", true},
		{"subjects that another variable has", "play.yml", "- hosts: localhost\n  vars: {people: [runner]}\n  tasks:\n    - kubernetes.core.k8s:\n        definition:\n          kind: ClusterRoleBinding\n          roleRef: {kind: ClusterRole, name: edit}\n          subjects: \"{{ people }}\"\n", false},
		{"what a policy generates", "a.yaml", "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec:\n  rules:\n    - generate:\n        kind: RoleBinding\n        data:\n          roleRef: {kind: ClusterRole, name: edit}\n          subjects: [{kind: ServiceAccount, name: deployer, namespace: ops}]\n", true},
		{"permissions of a bundle", "csv.yaml", "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a, namespace: placeholder}\nspec: {install: {spec: {clusterPermissions: [{serviceAccountName: deployer, rules: []}]}}}\n", true},
		{"owners that are no subjects", "a.yaml", "apiVersion: example.org/v1\nkind: Service\nspec: {owners: [{kind: Team, name: deployer}], role: x}\n", false},
		{"a user", "a.sh", "kubectl create clusterrolebinding a --clusterrole=admin --user=deployer\n", false},
		{"values of a chart", "values.yaml", "roleBinding: {create: true}\nserviceAccount: {name: deployer}\n", false},
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
