package main

// check is a check of another program, with what salint reports instead.
type check struct {
	peer, name string
	// signals are rules, and the dangers that diff names, of which any one counts. None stands for a check outside of what salint reports.
	signals []string
	// silent is set if salint says nothing, and fires if it says something, against what the program expects, on purpose.
	silent, fires bool
	reason        string
}

// why returns the reason of a difference; "" if there is none.
func (c *check) why(in input) string {
	if in.fails && c.silent || !in.fails && c.fires {
		return c.reason
	}
	return ""
}

// The dangers of diff.
const (
	admin       = "effectively cluster-admin*"
	escalate    = "escalate: *"
	bind        = "bind: *"
	impersonate = "impersonate: *"
	token       = "serviceaccounts/token: *"
	readSecret  = "reads Secrets"
	writeSecret = "writes Secrets"
	makePods    = "creates pods, *"
	commands    = "runs commands in containers"
	ports       = "reaches ports of pods"
	grants      = "grants roles"
	nodes       = "nodes: *"
	admission   = "mutating webhooks or policies: *"
	validation  = "controls what the API server admits"
	certificate = "issues certificates, *"
	volumes     = "persistent volumes: *"
	proxy       = "nodes/proxy: *"
	everything  = "*: every resource*"
)

var checks = []check{
	{peer: "kube-linter", name: "access-to-create-pods", signals: []string{makePods, admin}},
	{peer: "kube-linter", name: "access-to-secrets", signals: []string{readSecret, writeSecret, admin}},
	{peer: "kube-linter", name: "cluster-admin-role-binding", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "kube-linter", name: "wildcard-in-rules", signals: []string{admin, "*: *", readSecret, makePods, commands, escalate}},
	{peer: "kube-linter", name: "default-service-account", signals: []string{"pod/default-account-bound"}},
	{peer: "kube-linter", name: "deprecated-service-account-field", signals: []string{"pod/service-account-alias", "pod/service-account-conflict"}},
	{peer: "kube-linter", name: "non-existent-service-account", signals: []string{"pod/service-account-not-found"}},

	{peer: "polaris", name: "automountServiceAccountToken", signals: []string{"pod/token-mounted"}},
	{peer: "polaris", name: "clusterrolePodExecAttach", signals: []string{commands, admin}},
	{peer: "polaris", name: "clusterrolebindingClusterAdmin", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "polaris", name: "clusterrolebindingPodExecAttach", signals: []string{commands, admin}},
	{peer: "polaris", name: "rolePodExecAttach", signals: []string{commands, admin}},
	{peer: "polaris", name: "rolebindingClusterAdminClusterRole", signals: []string{"rbac/cluster-admin-grant", admin, escalate}},
	{peer: "polaris", name: "rolebindingClusterAdminRole", signals: []string{"rbac/cluster-admin-grant", admin, escalate}},
	{peer: "polaris", name: "rolebindingClusterRolePodExecAttach", signals: []string{commands, admin}},
	{peer: "polaris", name: "rolebindingRolePodExecAttach", signals: []string{commands, admin}},

	{peer: "regolibrary", name: "automount-default-service-account", signals: []string{"pod/token-mounted", "pod/default-account-bound"}},
	{peer: "regolibrary", name: "automount-service-account", signals: []string{"pod/token-mounted"}},
	{peer: "regolibrary", name: "cluster-admin-role", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "regolibrary", name: "deprecated-service-account-field", signals: []string{"pod/service-account-alias", "pod/service-account-conflict"}},
	{peer: "regolibrary", name: "non-existent-service-account", signals: []string{"pod/service-account-not-found"}},
	{peer: "regolibrary", name: "ensure-default-service-accounts-has-only-default-roles", signals: []string{"pod/default-account-bound"}},
	{peer: "regolibrary", name: "ensure-that-the-admission-control-plugin-ServiceAccount-is-set", signals: []string{"token/admission-disabled"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-authorization-mode-argument-includes-RBAC", signals: []string{"rbac/no-rbac", "rbac/always-allow"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-service-account-key-file-argument-is-set-as-appropriate", signals: []string{"token/signing-keys"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-service-account-lookup-argument-is-set-to-true", signals: []string{"token/signing-keys", "token/identity-provider", "token/*"}},
	{peer: "regolibrary", name: "ensure-that-the-controller-manager-service-account-private-key-file-argument-is-set-as-appropriate", signals: []string{"token/signing-keys", "token/controllers-disabled"}},
	{peer: "regolibrary", name: "rule-can-bind-escalate", signals: []string{bind, escalate, admin}},
	{peer: "regolibrary", name: "rule-can-create-pod", signals: []string{makePods, admin}},
	{peer: "regolibrary", name: "rule-can-create-service-account-token", signals: []string{token, admin}},
	{peer: "regolibrary", name: "rule-can-impersonate-users-groups-v1", signals: []string{impersonate, admin}},
	{peer: "regolibrary", name: "rule-can-list-get-secrets-v1", signals: []string{readSecret, admin}},
	{peer: "regolibrary", name: "rule-can-portforward-v1", signals: []string{ports, admin}},
	{peer: "regolibrary", name: "exec-into-container-v1", signals: []string{commands, admin}},
	{peer: "regolibrary", name: "rule-list-all-cluster-admins-v1", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "regolibrary", name: "rule-excessive-delete-rights-v1"},
	{peer: "regolibrary", name: "rule-can-delete-k8s-events-v1"},
	{peer: "regolibrary", name: "serviceaccount-token-mount", signals: []string{"pod/token-mounted"}},
	{peer: "regolibrary", name: "access-container-service-account-v1", signals: []string{"pod/token-mounted"}},
	{peer: "regolibrary", name: "workload-with-administrative-roles", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "regolibrary", name: "workload-with-cluster-takeover-roles", signals: []string{admin, readSecret, makePods, commands, bind, escalate, impersonate, token, nodes, certificate, admission, volumes, proxy, grants, validation}},

	{peer: "trivy-checks", name: "allowing_create_role_binding_and_associate_privileged_clusterrole", signals: []string{bind, grants, admin}},
	{peer: "trivy-checks", name: "allowing_create_role_clusterrolebinding_and_associate_privileged_clusterrole", signals: []string{bind, grants, admin}},
	{peer: "trivy-checks", name: "allowing_users_rolebinding_add_other_users_rolebindings", signals: []string{grants, bind, admin}},
	{peer: "trivy-checks", name: "anonymous_user_bind", signals: []string{"rbac/anonymous-access"}},
	{peer: "trivy-checks", name: "apiserver_authorization_mode_includes_rbac", signals: []string{"rbac/no-rbac", "rbac/always-allow"}},
	{peer: "trivy-checks", name: "apiserver_service_account_key_file", signals: []string{"token/signing-keys"}},
	{peer: "trivy-checks", name: "apiserver_service_account_lookup", signals: []string{"token/*"}},
	{peer: "trivy-checks", name: "apiserver_service_account_plugin", signals: []string{"token/admission-disabled"}},
	{peer: "trivy-checks", name: "attaching_pod_view_logs_realtime", signals: []string{commands, admin}},
	{peer: "trivy-checks", name: "cluster_admin_role_is_only_used_where_required", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "trivy-checks", name: "controllermanager_service_account_private_key_file", signals: []string{"token/signing-keys", "token/controllers-disabled"}},
	{peer: "trivy-checks", name: "delete_pod_logs"},
	{peer: "trivy-checks", name: "impersonate_privileged_groups", signals: []string{impersonate, admin}},
	{peer: "trivy-checks", name: "manage_all_resources", signals: []string{admin, "*: *", everything, readSecret, makePods}},
	{peer: "trivy-checks", name: "manage_all_resources_at_namespace", signals: []string{admin, "*: *", everything, readSecret, makePods}},
	{peer: "trivy-checks", name: "manage_configmaps"},
	{peer: "trivy-checks", name: "manage_eks_iam_auth_configmap", signals: []string{"writes ConfigMap aws-auth*"}},
	{peer: "trivy-checks", name: "manage_kubernetes_networking"},
	{peer: "trivy-checks", name: "manage_kubernetes_rbac_resources", signals: []string{grants, bind, escalate, admin}},
	{peer: "trivy-checks", name: "manage_namespace_secrets", signals: []string{readSecret, writeSecret, admin}},
	{peer: "trivy-checks", name: "manage_secrets", signals: []string{readSecret, writeSecret, admin}},
	{peer: "trivy-checks", name: "manage_webhook_configurations", signals: []string{admission, validation, admin}},
	{peer: "trivy-checks", name: "protecting_pod_service_account_tokens", signals: []string{"pod/token-mounted"}},

	{peer: "checkov", name: "ApiServerAuthorizationModeNotAlwaysAllow", signals: []string{"rbac/always-allow"}},
	{peer: "checkov", name: "ApiServerAuthorizationModeRBAC", signals: []string{"rbac/no-rbac", "rbac/always-allow"}},
	{peer: "checkov", name: "ApiServerServiceAccountKeyFile", signals: []string{"token/signing-keys"}},
	{peer: "checkov", name: "ApiServerServiceAccountLookup", signals: []string{"token/*"}},
	{peer: "checkov", name: "ApiServerServiceAccountPlugin", signals: []string{"token/admission-disabled"}},
	{peer: "checkov", name: "DefaultServiceAccount", signals: []string{"pod/default-account-bound"}},
	{peer: "checkov", name: "DefaultServiceAccountBinding", signals: []string{"pod/default-account-bound"}},
	{peer: "checkov", name: "KubeControllerManagerServiceAccountPrivateKeyFile", signals: []string{"token/signing-keys", "token/controllers-disabled"}},
	{peer: "checkov", name: "RbacApproveCertificateSigningRequests", signals: []string{certificate, admin}},
	{peer: "checkov", name: "RbacBindRoleBindings", signals: []string{bind, grants, admin}},
	{peer: "checkov", name: "RbacControlWebhooks", signals: []string{admission, validation, admin}},
	{peer: "checkov", name: "RbacEscalateRoles", signals: []string{escalate, admin}},
	{peer: "checkov", name: "ServiceAccountTokens", signals: []string{"pod/token-mounted"}},
	{peer: "checkov", name: "WildcardRoles", signals: []string{admin, "*: *", everything, readSecret, makePods}},

	{peer: "KubiScan", name: "risky_roles", signals: []string{admin, readSecret, writeSecret, makePods, commands, bind, escalate, impersonate, token, nodes, certificate, admission, volumes, proxy, grants, validation, ports, "*: *"}},
}
