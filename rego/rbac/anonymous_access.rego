# METADATA
# title: A binding grants a role to everyone
# description: |
#   Requests without credentials are of the user `system:anonymous` and the group `system:unauthenticated`. What a binding grants to these, everyone
#   who reaches the API server has. A binding to one of them is reported, unless its role only shows what Kubernetes itself shows to
#   everyone: the health and the version of the API server, and the keys of its tokens.
#
#   The group `system:authenticated` contains every user and every account. A binding to it is reported if the role can write, read Secrets,
#   or use every resource of an API group. Roles that only read other resources are often public on purpose, and are not reported. Reviews of
#   tokens and of access create nothing, and do not count.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-requests
#     description: Anonymous requests
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles
#     description: What every cluster grants to everyone
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: ["system:anonymous", "system:unauthenticated", "system:authenticated"]
#   reads: [rbac]
#   fix: none
package salint.rules.rbac.anonymous_access

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	some subject in rbac.subjects(input.resource)
	unauthenticated(subject)
	not public
	finding := found(subject, "Everyone who reaches the API server has it, without authentication")
}

report contains finding if {
	some subject in rbac.subjects(input.resource)
	subject.kind == "Group"
	subject.name == "system:authenticated"
	not input.resource.roleRef.name in of_kubernetes
	what := {power | some rule in rules; some power in powers(rule)}
	count(what) > 0
	finding := found(subject, sprintf("Every user and every account can %s", [helpers.listed(sort(what))]))
}

unauthenticated(subject) if {
	subject.kind == "User"
	subject.name == "system:anonymous"
}

unauthenticated(subject) if {
	subject.kind == "Group"
	subject.name == "system:unauthenticated"
}

# of_kubernetes are the roles that every cluster binds to system:authenticated.
of_kubernetes := {"system:basic-user", "system:discovery", "system:public-info-viewer"}

# public holds for a role with which everyone sees what Kubernetes shows to everyone anyway, or which kubeadm needs for nodes that join.
public if input.resource.roleRef.name in {"system:public-info-viewer", "system:service-account-issuer-discovery", "kubeadm:bootstrap-signer-clusterinfo"}

public if {
	count(rules) > 0
	every rule in rules { harmless(rule) }
}

harmless(rule) if {
	count(rule.nonResourceURLs) > 0
	every url in rule.nonResourceURLs { regex.match(`^/(healthz|livez|readyz|version|openid/v1/jwks|\.well-known/openid-configuration)/?\*?$`, url) }
	every verb in rule.verbs { verb in {"get", "head"} }
}

rules := rbac.granted(input.resource)

powers(rule) := {"write"} if writes(rule)

powers(rule) := {"read Secrets"} if {
	not writes(rule)
	reads_secrets(rule)
}

powers(rule) := {"use every resource of an API group"} if {
	not writes(rule)
	not reads_secrets(rule)
	"*" in rule.resources
	rbac.has(rule.verbs, {"get", "list", "watch"})
}

writes(rule) if {
	some group in rule.apiGroups
	not group in {"authorization.k8s.io", "authentication.k8s.io"}
	rbac.has(rule.verbs, writing)
}

# writing are the verbs that change something, or gain other permissions. Others, such as describe, can be misspelled, and allow nothing.
writing := {
	"create", "update", "patch", "delete", "deletecollection",
	"bind", "escalate", "impersonate", "approve", "sign", "attest",
}

reads_secrets(rule) if {
	rbac.has(rule.apiGroups, {""})
	rbac.has(rule.resources, {"secrets"})
	rbac.has(rule.verbs, {"get", "list", "watch"})
	count(object.get(rule, "resourceNames", [])) == 0
}

found(subject, what) := rbac.by_role(
	lib.finding(["subjects", subject.index], sprintf(
		"%s grants %s to %s. %s. Bind the users or groups that need it.",
		[helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject), what],
	)),
	subject, [],
)
