# The subjects that are cluster-admin because the cluster or a controller of GitOps tools is made that way. The manifest
# that makes each of them so is named; an account of the same name in another namespace is not known.
package salint.helpers.known_admins

import data.salint.helpers.rbac

# accounts lists the accounts, each with the project that installs it and the file of the project that grants it everything.
accounts := [
	{
		"namespace": "flux-system", "name": "kustomize-controller",
		"project": "fluxcd/flux2", "source": "manifests/rbac/reconciler.yaml",
	},
	{
		"namespace": "flux-system", "name": "helm-controller",
		"project": "fluxcd/flux2", "source": "manifests/rbac/reconciler.yaml",
	},
	{
		"namespace": "argocd", "name": "argocd-application-controller",
		"project": "argoproj/argo-cd",
		"source": "manifests/cluster-rbac/application-controller/argocd-application-controller-clusterrole.yaml",
	},
	{
		"namespace": "cattle-fleet-system", "name": "fleet-agent",
		"project": "rancher/fleet", "source": "charts/fleet-agent/templates/rbac.yaml",
	},
	{
		"namespace": "cattle-system", "name": "rancher",
		"project": "rancher/rancher", "source": "chart/templates/clusterRoleBinding.yaml",
	},
	{
		"namespace": "cattle-system", "name": "cattle",
		"project": "rancher/rancher", "source": "pkg/systemtemplate/template.go",
	},
	{
		"namespace": "olmv1-system", "name": "operator-controller-controller-manager",
		"project": "operator-framework/operator-controller",
		"source": "helm/olmv1/templates/rbac/clusterrolebinding-operator-controller-manager-rolebinding.yml",
	},
	{
		"namespace": "openshift-operator-controller", "name": "operator-controller-controller-manager",
		"project": "operator-framework/operator-controller",
		"source": "helm/olmv1/templates/rbac/clusterrolebinding-operator-controller-manager-rolebinding.yml",
	},
	{
		"namespace": "olm", "name": "olm-operator-serviceaccount",
		"project": "operator-framework/operator-lifecycle-manager",
		"source": "deploy/chart/templates/0000_50_olm_01-olm-operator.serviceaccount.yaml",
	},
	{
		"namespace": "openshift-operator-lifecycle-manager", "name": "olm-operator-serviceaccount",
		"project": "operator-framework/operator-lifecycle-manager",
		"source": "deploy/chart/templates/0000_50_olm_01-olm-operator.serviceaccount.yaml",
	},
	{
		"namespace": "openshift-cluster-version", "name": "default",
		"project": "openshift/cluster-version-operator",
		"source": "install/0000_00_cluster-version-operator_02_roles.yaml",
	},
]

# groups lists the groups that a cluster is created with, in the same form. The authorizer or a binding of the cluster makes
# them administrators, so a binding of the repository adds nothing.
groups := [
	{
		"name": "system:masters",
		"project": "kubernetes/kubernetes", "source": "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go",
	},
	{
		"name": "kubeadm:cluster-admins",
		"project": "kubernetes/kubernetes", "source": "cmd/kubeadm/app/constants/constants.go",
	},
]

# is_known is true for a subject of the table. An account whose namespace is not set, or is a placeholder, is not known: it
# can become that of any namespace.
is_known(subject) if {
	subject.kind == "ServiceAccount"
	subject.namespace in namespaces[subject.name]
}

# The user name of an account is the same subject.
is_known(subject) if {
	subject.kind == "User"
	["system", "serviceaccount", namespace, name] = split(subject.name, ":")
	namespace in namespaces[name]
}

is_known(subject) if {
	subject.kind == "Group"
	subject.name in ({group.name | some group in groups} | rbac.admin_groups)
}

# namespaces maps the names of the accounts to their namespaces.
namespaces[name] contains account.namespace if {
	some account in accounts
	name := account.name
}
