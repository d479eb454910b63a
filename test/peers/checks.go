package main

import (
	"path"
	"strings"
)

// check is a check of another program, with what salint reports instead.
type check struct {
	peer, name string
	// signals are rules, and the dangers that diff names, of which any one counts. None stands for a check outside of what salint reports.
	signals []string
	differs []difference
}

// difference is what salint reports otherwise on purpose: inputs whose names match a pattern, and why.
type difference struct{ inputs, why string }

// why returns the reason of a difference for an input; "" if there is none.
func (c *check) why(in input) string {
	name := strings.TrimPrefix(in.name, c.name+"/")
	for _, d := range c.differs {
		if matched, err := path.Match(d.inputs, name); matched && err == nil {
			return d.why
		}
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
	everyWrite  = "*: writes every resource*"
	namespace   = "every verb on every resource of the namespace"
	wildcards   = "*: *"
	missingRole = "rbac/role-not-found"
	lookup      = "token/lookup-disabled"
	boundPods   = "pod/default-account-bound"
)

// Why salint reports something else on purpose.
const (
	becauseOutside        = "not about accounts: salint does not report it"
	becauseShipped        = "roles and bindings that a cluster or a provider brings are reported, too"
	becauseScoped         = "a RoleBinding grants nothing on cluster-scoped resources"
	becauseNoKind         = "no API has a kind of this spelling, so nothing is applied"
	becauseNoVerb         = "the verb has no effect on the resource"
	becauseDeletes        = "deleting gives no other permission: it is listed, without a danger"
	becauseTwice          = "the input has two objects of one name: salint reports that, and judges neither"
	becauseAnywhere       = "an account can be declared elsewhere: only one that the repository must have is missing"
	becauseDefaultAccount = "the default account is harmless without permissions: salint reports those, and pods that mount its token"
	becauseAlone          = "salint reports a permission without the others that its use needs, as another role can have them"
	becauseHarmlessRead   = "reading what is neither a Secret nor written is not reported for every authenticated identity"
	becauseUpstream       = "Kubernetes binds this role itself"
	becauseStarts         = "salint also reports that kube-apiserver does not start with these flags"
	becauseSuffix         = "the name of a file does not show the key in it"
	becauseIsDefault      = "the default of the flag is harmless"
	becauseOld            = "flags of images before Kubernetes 1.20 are not judged by lint; diff reports the authorization modes"
	becauseSubresource    = "a star does not stand for the subresources of one resource"
	becauseMatching       = "the old field is reported also if it repeats the new one"
	becauseOtherNamespace = "the API server reads this ConfigMap in kube-system only"
	becauseAnyHolder      = "salint reports what a role grants to any holder, and whether a pod uses it or not"
	becauseNothing        = "the rule matches no request that any API server answers with something dangerous"
	becausePieces         = "the control plane chooses which of its identities it uses: no manifest grants anything by it"
	becausePasses         = "the permission has this effect: the program does not report it"
	becauseHarmlessNS     = "a namespace in which objects lie is not a permission"
	becauseOther          = "the check is about another kind of role, and the role is as powerful"
	becauseInvalid        = "salint reports that the API server rejects the binding, whatever its role is"
	becauseVerbs          = "salint lists every verb on a resource that it does not know"
	becauseGroup          = "the rule is for another API group, in which the resource does not exist"
	becauseLabel          = "a label can be written by anyone"
)

var checks = []check{
	{peer: "kube-linter", name: "access-to-create-pods", signals: []string{makePods, admin}},
	{peer: "kube-linter", name: "access-to-secrets", signals: []string{readSecret, writeSecret, admin}},
	{peer: "kube-linter", name: "cluster-admin-role-binding", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "kube-linter", name: "wildcard-in-rules", signals: []string{admin, wildcards, readSecret, makePods, commands, escalate}, differs: []difference{{"*", becauseTwice}}},
	{peer: "kube-linter", name: "default-service-account", signals: []string{"pod/default-account-bound"}, differs: []difference{{"*", becauseDefaultAccount}}},
	{peer: "kube-linter", name: "deprecated-service-account-field", signals: []string{"pod/service-account-alias", "pod/service-account-conflict"}},
	{peer: "kube-linter", name: "non-existent-service-account", signals: []string{"pod/service-account-not-found"}},

	{peer: "polaris", name: "automountServiceAccountToken", signals: []string{"pod/token-mounted"}},
	{peer: "polaris", name: "clusterrolePodExecAttach", signals: []string{commands, admin}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "clusterrolebindingClusterAdmin", signals: []string{"rbac/cluster-admin-grant", admin}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "clusterrolebindingPodExecAttach", signals: []string{missingRole, commands, admin}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "rolePodExecAttach", signals: []string{namespace, commands, admin}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "rolebindingClusterAdminClusterRole", signals: []string{everyWrite, namespace, "rbac/cluster-admin-grant", admin, escalate}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "rolebindingClusterAdminRole", signals: []string{everyWrite, namespace, "rbac/cluster-admin-grant", admin, escalate}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "rolebindingClusterRolePodExecAttach", signals: []string{missingRole, namespace, commands, admin}, differs: []difference{{"success.*", becauseShipped}}},
	{peer: "polaris", name: "rolebindingRolePodExecAttach", signals: []string{missingRole, namespace, commands, admin}, differs: []difference{{"success.gce*", becauseShipped}, {"success.system_prefix*", becauseShipped}, {"success.role_binding_cluster_role*", becauseOther}}},

	{peer: "regolibrary", name: "automount-default-service-account", signals: []string{"pod/token-mounted", "pod/default-account-bound"}, differs: []difference{{"*", becauseDefaultAccount}}},
	{peer: "regolibrary", name: "automount-service-account", signals: []string{"pod/token-mounted"}},
	{peer: "regolibrary", name: "cluster-admin-role", signals: []string{"rbac/cluster-admin-grant", admin}},
	{peer: "regolibrary", name: "deprecated-service-account-field", signals: []string{"pod/service-account-alias", "pod/service-account-conflict"}, differs: []difference{{"*_service_account_name", becauseMatching}}},
	{peer: "regolibrary", name: "non-existent-service-account", signals: []string{"pod/service-account-not-found"}, differs: []difference{{"failed_*", becauseAnywhere}}},
	{peer: "regolibrary", name: "ensure-default-service-accounts-has-only-default-roles", signals: []string{"pod/default-account-bound"}, differs: []difference{{"passed_*", becauseLabel}}},
	{peer: "regolibrary", name: "ensure-that-the-admission-control-plugin-ServiceAccount-is-set", signals: []string{"token/admission-disabled"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-authorization-mode-argument-includes-RBAC", signals: []string{"rbac/no-rbac", "rbac/always-allow", "diff/*"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-service-account-key-file-argument-is-set-as-appropriate", signals: []string{"token/signing-keys"}, differs: []difference{{"*", becauseStarts}}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-service-account-lookup-argument-is-set-to-true", signals: []string{lookup}, differs: []difference{{"failed", becauseTwice}}},
	{peer: "regolibrary", name: "ensure-that-the-controller-manager-service-account-private-key-file-argument-is-set-as-appropriate", signals: []string{"token/signing-keys", "token/controllers-disabled"}},
	{peer: "regolibrary", name: "rule-can-bind-escalate", signals: []string{bind, escalate, admin}},
	{peer: "regolibrary", name: "rule-can-create-pod", signals: []string{makePods, admin}},
	{peer: "regolibrary", name: "rule-can-create-service-account-token", signals: []string{token, admin}},
	{peer: "regolibrary", name: "rule-can-impersonate-users-groups-v1", signals: []string{impersonate, admin}},
	{peer: "regolibrary", name: "rule-can-list-get-secrets-v1", signals: []string{readSecret, admin}},
	{peer: "regolibrary", name: "rule-can-portforward-v1", signals: []string{ports, admin}, differs: []difference{{"*", becauseSubresource}}},
	{peer: "regolibrary", name: "exec-into-container-v1", signals: []string{namespace, commands, admin}, differs: []difference{{"clusterrole", becauseSubresource}}},
	{peer: "regolibrary", name: "rule-list-all-cluster-admins-v1", signals: []string{namespace, "rbac/cluster-admin-grant", admin}, differs: []difference{{"clusterrole-rolebinding", becauseAlone}}},
	{peer: "regolibrary", name: "rule-excessive-delete-rights-v1", differs: []difference{{"*", becauseDeletes}}},
	{peer: "regolibrary", name: "rule-can-delete-k8s-events-v1", differs: []difference{{"*", becauseDeletes}}},
	{peer: "regolibrary", name: "serviceaccount-token-mount", signals: []string{boundPods, "pod/token-mounted"}, differs: []difference{{"*", becauseAnyHolder}}},
	{peer: "regolibrary", name: "access-container-service-account-v1", signals: []string{boundPods, "pod/token-mounted"}},
	{peer: "regolibrary", name: "workload-with-administrative-roles", signals: []string{impersonate, "rbac/cluster-admin-grant", admin}, differs: []difference{{"pass-*", becauseAnyHolder}}},
	{peer: "regolibrary", name: "workload-with-cluster-takeover-roles", signals: []string{admin, readSecret, makePods, commands, bind, escalate, impersonate, token, nodes, certificate, admission, volumes, proxy, grants, validation}, differs: []difference{{"pass-*", becauseAnyHolder}}},
	{peer: "regolibrary", name: "anonymous-access-enabled", signals: []string{"rbac/anonymous-access"}, differs: []difference{{"fail", becauseUpstream}}},
	{peer: "regolibrary", name: "system-authenticated-allowed-to-take-over-cluster", signals: []string{"rbac/anonymous-access", "rbac/cluster-admin-grant", admin, readSecret, makePods}, differs: []difference{{"fail", becauseHarmlessRead}}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-authorization-mode-argument-is-not-set-to-AlwaysAllow", signals: []string{"rbac/always-allow"}},
	{peer: "regolibrary", name: "ensure-that-the-api-server-anonymous-auth-argument-is-set-to-false", differs: []difference{{"*", becauseOutside}}},
	{peer: "regolibrary", name: "ensure-that-the-controller-manager-use-service-account-credentials-argument-is-set-to-true", differs: []difference{{"*", becausePieces}}},
	{peer: "regolibrary", name: "rule-can-access-proxy-subresource", signals: []string{ports, proxy, admin}, differs: []difference{{"*", becauseScoped}}},
	{peer: "regolibrary", name: "rule-can-approve-cert-signing-request", signals: []string{certificate, admin}, differs: []difference{{"*-rolebinding", becauseScoped}}},
	{peer: "regolibrary", name: "rule-can-create-pv", signals: []string{volumes, admin}, differs: []difference{{"*-rolebinding", becauseScoped}}},
	{peer: "regolibrary", name: "rule-can-modify-admission-webhooks", signals: []string{admission, validation, admin}, differs: []difference{{"*-rolebinding", becauseScoped}}},
	{peer: "regolibrary", name: "rule-can-update-configmap-v1", differs: []difference{{"*", becauseOutside}}},
	{peer: "regolibrary", name: "namespace-without-service-account", differs: []difference{{"*", becauseHarmlessNS}}},
	{peer: "regolibrary", name: "role-in-default-namespace", differs: []difference{{"*", becauseHarmlessNS}}},
	{peer: "regolibrary", name: "rolebinding-in-default-namespace", differs: []difference{{"*", becauseHarmlessNS}}},
	{peer: "regolibrary", name: "serviceaccount-in-default-namespace", differs: []difference{{"*", becauseHarmlessNS}}},
	{peer: "regolibrary", name: "review-roles-with-aws-iam-authenticator", differs: []difference{{"*", becauseOutside}}},
	{peer: "regolibrary", name: "rule-access-dashboard-subject-v1", differs: []difference{{"*", becauseOutside}}},
	{peer: "regolibrary", name: "rule-access-dashboard-wl-v1", differs: []difference{{"*", becauseOutside}}},

	{peer: "trivy-checks", name: "allowing_create_role_binding_and_associate_privileged_clusterrole", signals: []string{bind, grants, admin}, differs: []difference{{"*", becauseAlone}}},
	{peer: "trivy-checks", name: "allowing_create_role_clusterrolebinding_and_associate_privileged_clusterrole", signals: []string{bind, grants, admin}, differs: []difference{{"*", becauseAlone}}},
	{peer: "trivy-checks", name: "allowing_users_rolebinding_add_other_users_rolebindings", signals: []string{grants, bind, admin}, differs: []difference{{"*_no_verb_get", becauseAlone}}},
	{peer: "trivy-checks", name: "anonymous_user_bind", signals: []string{"rbac/anonymous-access"}, differs: []difference{{"test_cluster_role_binding_*", becauseNoKind}}},
	{peer: "trivy-checks", name: "apiserver_authorization_mode_includes_rbac", signals: []string{"rbac/no-rbac", "rbac/always-allow", "diff/*"}},
	{peer: "trivy-checks", name: "apiserver_service_account_key_file", signals: []string{"token/signing-keys"}, differs: []difference{{"*", becauseStarts}}},
	{peer: "trivy-checks", name: "apiserver_service_account_lookup", signals: []string{lookup}, differs: []difference{{"*", becauseIsDefault}}},
	{peer: "trivy-checks", name: "apiserver_service_account_plugin", signals: []string{"token/admission-disabled"}},
	{peer: "trivy-checks", name: "attaching_pod_view_logs_realtime", signals: []string{commands, admin}},
	{peer: "trivy-checks", name: "cluster_admin_role_is_only_used_where_required", signals: []string{missingRole, "rbac/subject-invalid", "rbac/cluster-admin-grant", admin}, differs: []difference{{"test_non_role_ref*", becauseInvalid}}},
	{peer: "trivy-checks", name: "controllermanager_service_account_private_key_file", signals: []string{"token/signing-keys", "token/controllers-disabled"}},
	{peer: "trivy-checks", name: "delete_pod_logs", differs: []difference{{"*", becauseDeletes}}},
	{peer: "trivy-checks", name: "impersonate_privileged_groups", signals: []string{impersonate, admin}, differs: []difference{{"*", becauseScoped}}},
	{peer: "trivy-checks", name: "manage_all_resources", signals: []string{impersonate, admin, wildcards, everything, readSecret, makePods}},
	{peer: "trivy-checks", name: "manage_all_resources_at_namespace", signals: []string{impersonate, namespace, admin, wildcards, everything, readSecret, makePods}},
	{peer: "trivy-checks", name: "manage_configmaps", differs: []difference{{"*", becauseOutside}}},
	{peer: "trivy-checks", name: "manage_eks_iam_auth_configmap", signals: []string{"writes ConfigMap aws-auth*"}, differs: []difference{{"*", becauseOtherNamespace}}},
	{peer: "trivy-checks", name: "manage_kubernetes_networking", differs: []difference{{"*", becauseOutside}}},
	{peer: "trivy-checks", name: "manage_kubernetes_rbac_resources", signals: []string{grants, bind, escalate, admin}, differs: []difference{{"*_impersonate", becauseNoVerb}}},
	{peer: "trivy-checks", name: "manage_namespace_secrets", signals: []string{readSecret, writeSecret, admin}, differs: []difference{{"*_impersonate", becauseNoVerb}, {"*_deletecollection", becauseDeletes}}},
	{peer: "trivy-checks", name: "manage_secrets", signals: []string{readSecret, writeSecret, admin}, differs: []difference{{"*_impersonate", becauseNoVerb}, {"*_deletecollection", becauseDeletes}}},
	{peer: "trivy-checks", name: "manage_webhook_configurations", signals: []string{admission, validation, admin}, differs: []difference{{"*", becauseScoped}}},
	{peer: "trivy-checks", name: "protecting_pod_service_account_tokens", signals: []string{"pod/token-mounted"}, differs: []difference{{"*", becauseNoKind}}},
	{peer: "trivy-checks", name: "allowing_to_update_a_malicious_pod", signals: []string{makePods, admin}, differs: []difference{{"*_deletecollection", becauseDeletes}}},
	{peer: "trivy-checks", name: "any_any", signals: []string{admin, namespace}},
	{peer: "trivy-checks", name: "any_verb", signals: []string{admin, namespace, wildcards, readSecret, makePods, grants, escalate, bind, impersonate}, differs: []difference{{"*_clusterrolebindings", becauseScoped}, {"*_users", becauseScoped}, {"*_groups", becauseScoped}, {"*_no_specific_resource", becauseVerbs}}},
	{peer: "trivy-checks", name: "apiserver_anonymous_auth", differs: []difference{{"*", becauseOutside}}},
	{peer: "trivy-checks", name: "authenticate_group_bind", signals: []string{"rbac/anonymous-access"}, differs: []difference{{"test_cluster_role_binding_*", becauseNoKind}, {"*_non_gke", becauseAnyHolder}}},
	{peer: "trivy-checks", name: "get_shell_on_pod", signals: []string{commands, admin}},
	{peer: "trivy-checks", name: "masters_group_bind", signals: []string{admin, "Group system:masters*", "rbac/cluster-admin-grant"}, differs: []difference{{"test_cluster_role_binding_*", becauseNoKind}}},
	{peer: "trivy-checks", name: "privilege_escalation_from_node_proxy", signals: []string{proxy, admin}, differs: []difference{{"*", becauseScoped}}},

	{peer: "checkov", name: "ApiServerAuthorizationModeNotAlwaysAllow", signals: []string{"rbac/always-allow", "diff/cluster-admin"}, differs: []difference{{"*", becauseOld}}},
	{peer: "checkov", name: "ApiServerAuthorizationModeRBAC", signals: []string{"rbac/no-rbac", "rbac/always-allow", "diff/*"}, differs: []difference{{"*", becauseOld}}},
	{peer: "checkov", name: "ApiServerServiceAccountKeyFile", signals: []string{"token/signing-keys"}, differs: []difference{{"*", becauseSuffix}}},
	{peer: "checkov", name: "ApiServerServiceAccountLookup", signals: []string{lookup}, differs: []difference{{"ApiServer-FAILED.yaml", becauseOld}, {"ApiServer-FAILED-2.yaml", becauseIsDefault}}},
	{peer: "checkov", name: "ApiServerServiceAccountPlugin", signals: []string{"token/admission-disabled"}, differs: []difference{{"*", becauseIsDefault}}},
	{peer: "checkov", name: "DefaultServiceAccount", signals: []string{"pod/default-account-bound"}, differs: []difference{{"*", becauseDefaultAccount}}},
	{peer: "checkov", name: "DefaultServiceAccountBinding", signals: []string{"pod/default-account-bound"}},
	{peer: "checkov", name: "KubeControllerManagerServiceAccountPrivateKeyFile", signals: []string{"token/signing-keys", "token/controllers-disabled"}, differs: []difference{{"*", becauseSuffix}}},
	{peer: "checkov", name: "RbacApproveCertificateSigningRequests", signals: []string{certificate, admin}, differs: []difference{{"*", becauseAlone}}},
	{peer: "checkov", name: "RbacBindRoleBindings", signals: []string{bind, grants, admin}, differs: []difference{{"clusterrole-failed-1.yaml", becauseNoVerb}, {"clusterrole-passed-1.yaml", becauseAlone}}},
	{peer: "checkov", name: "RbacControlWebhooks", signals: []string{admission, validation, admin}},
	{peer: "checkov", name: "RbacEscalateRoles", signals: []string{escalate, admin}},
	{peer: "checkov", name: "ServiceAccountTokens", signals: []string{"pod/token-mounted"}},
	{peer: "checkov", name: "WildcardRoles", signals: []string{admin, wildcards, everything, readSecret, makePods}, differs: []difference{{"*", becauseNothing}}},
	{peer: "checkov", name: "ApiServerAnonymousAuth", differs: []difference{{"*", becauseOutside}}},
	{peer: "checkov", name: "ApiServerAuthorizationModeNode", differs: []difference{{"*", becauseOutside}}},
	{peer: "checkov", name: "ApiServerBasicAuthFile", differs: []difference{{"*", becauseOutside}}},
	{peer: "checkov", name: "ApiServerTokenAuthFile", differs: []difference{{"*", becauseOutside}}},
	{peer: "checkov", name: "KubeControllerManagerServiceAccountCredentials", differs: []difference{{"*", becausePieces}}},
	{peer: "checkov", name: "ImpersonatePermissions", signals: []string{impersonate, admin}},
	{peer: "checkov", name: "ModifyServicesStatus", differs: []difference{{"*/*", becauseOutside}}},
	{peer: "checkov", name: "NoCreateNodesProxyOrPodsExec", signals: []string{proxy, commands, admin}, differs: []difference{{"Passing/2", becausePasses}, {"Failing/3", becauseScoped}, {"Failing/4", becauseGroup}}},
	{peer: "checkov", name: "ReadAllSecrets", signals: []string{readSecret, admin}, differs: []difference{{"Passing", becauseAnyHolder}}},
	{peer: "checkov", name: "RoleBindingPE", signals: []string{grants, bind, admin}, differs: []difference{{"Passing*", becauseAlone}}},

	{peer: "KubiScan", name: "risky_roles", signals: []string{namespace, admin, readSecret, writeSecret, makePods, commands, bind, escalate, impersonate, token, nodes, certificate, admission, volumes, proxy, grants, validation, ports, wildcards}, differs: []difference{{"risky-impersonate-groups", becauseScoped}, {"risky-any-verb-groups", becauseScoped}, {"risky-execute-command-node-proxy", becauseScoped}, {"risky-update-jobs", becauseNothing}}},
}
