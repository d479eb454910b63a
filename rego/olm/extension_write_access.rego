# METADATA
# title: A non-administrator can modify extensions
# description: |
#   Where the service account of extensions is ignored or gone, OLM installs everything as its own cluster-admin
#   account. Anyone who can create, update, or patch ClusterExtensions, ClusterObjectSets, or ClusterCatalogs can make
#   it install anything, and is effectively cluster-admin. Where OLM uses the accounts, the access is also critical: it
#   includes the choice of the account that OLM acts as, in any namespace.
#
#   Safe delegation needs two things: RBAC that allows the access, and a ValidatingAdmissionPolicy that limits package,
#   catalog, namespace, or version, with a ValidatingAdmissionPolicyBinding whose `validationActions` contains `Deny`. A
#   policy that only warns, such as the one that ships with operator-controller v1.11, limits nothing. The rule reports
#   which half is missing: there is no binding, the binding does not deny, the policy is for other resources or
#   operations, it excludes objects by labels that their writer chooses, or its match conditions exclude this subject.
#
#   A policy does not constrain anyone who can modify it or its binding, because admission does not apply policies to
#   policies. A policy that is applied by another kustomization, chart, or application than the role binding can belong
#   to another cluster, and so can a file that a kustomization in the same folder does not list: the finding is a note
#   then.
#
#   Conditions and validations are evaluated for the subject, and for an object whose content is unknown. A policy whose
#   validations are true for the subject in every case limits nothing; salint does not check whether other validations
#   are good. A group represents a member with no other known attributes. If the match of a policy depends on the
#   object, on parameters, or on errors that `failurePolicy: Ignore` accepts, it is unknown whether the subject is
#   limited, and the finding is a note. `salint init access-policy` writes a policy for the extensions of the
#   repository.
#
#   A role for all API groups is checked only if the release is known, or with a ClusterExtension or ClusterCatalog.
#
#   This rule checks ClusterRoleBindings, because these resources are cluster-scoped, with aggregated roles combined. Each
#   subject has its own finding. The rule ignores administrators: subjects that are effectively cluster-admin, by this
#   binding or others, and the groups `system:masters` and `system:cluster-admins`. It also ignores OLM's own accounts,
#   in their namespaces upstream and on OpenShift.
# related_resources:
#   - ref: https://operator-framework.github.io/operator-controller/howto/how-to-protect-olmv1-api-access/
#     description: Protecting OLMv1 API access
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
#     description: Validating admission policies
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   reads:
#     - ClusterExtension.olm.operatorframework.io
#     - ClusterCatalog.olm.operatorframework.io
#     - ValidatingAdmissionPolicy.admissionregistration.k8s.io
#     - ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io
#   connected_to:
#     ClusterRole.rbac.authorization.k8s.io: [clusterextensions, clusterobjectsets, clustercatalogs, olm.operatorframework.io, '"*"', "'*'"]
#   evaluate_if: [extensions-granted]
#   fix: none
package salint.rules.olm.extension_write_access

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.olm.extension_writers as writers
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	some subject in judged
	access := writers.open_to[subject.index]
	remedy := "Restrict this to administrators, or limit it with a policy and a binding that denies (`salint init access-policy`)."
	finding := about(subject, "open", access, sprintf("%s. %s", [consequence, remedy]))
}

report contains finding if {
	some subject in judged
	not writers.open_to[subject.index]
	access := writers.unknown_to[subject.index]
	finding := lib.with_severity(
		about(subject, "unknown", access, concat(" ", [
			"Whether admission limits this is unknown.",
			sprintf("Without a limit, %s. Check the policy, or restrict this to administrators.", [risk]),
		])),
		"note",
	)
}

# judged lists the subjects of the binding that may have a finding, at the first of their entries.
judged := [subject |
	count(writers.opened) > 0
	writers.concerns_olm
	not rbac.is_cluster_admin(input.resource)
	some subject in writers.list
	not rbac.listed_before(subject)
]

# about returns the finding about what a subject can write.
about(subject, state, access, rest) := explained(subject, rbac.by_role(
	helpers.judged(["subjects", subject.index], sprintf("%s allows %s to %s. %s", [
		helpers.sentence(helpers.called(input.resource)), rbac.subject_called(subject), writers.access_to(access), rest,
	])),
	subject, array.concat([state, writers.access_to(access)], writers.only_names),
))

# explained adds the role, if the repository contains it, and the policies that do not limit it.
explained(subject, finding) := object.union(
	finding,
	{"related": array.concat(array.concat(role_places, aggregated_places), policy_places(subject))},
)

role_places := [{"ref": roles[0], "path": ["rules"], "message": sprintf("%s allows it", [rbac.role_called(input.resource)])} |
	count(roles) > 0
]

# aggregated_places lists roles that add the permission to one of the roles of Kubernetes.
aggregated_places := array.slice(
	[{"ref": role.ref, "path": ["rules"], "message": sprintf("%s adds it to %s", [helpers.called(role.resource), input.resource.roleRef.name])} |
		input.resource.roleRef.name in {"view", "edit", "admin"}
		some role in salint.find({"group": rbac.group, "kind": "ClusterRole"})
		some label, _ in role.resource.metadata.labels
		startswith(label, "rbac.authorization.k8s.io/aggregate-to-")
		opens(role.ref)
	],
	0, most_places,
)

opens(ref) if {
	some rule in salint.role_rules(ref)
	rbac.has(rule.apiGroups, {olm.group})
	rbac.has(rule.resources, writers.resources)
	rbac.has(rule.verbs, object.keys(writers.operations))
}

policy_places(subject) := [{"ref": reason.ref, "path": ["spec"], "message": sentence(reason)} |
	some reason in array.slice(sort(writers.reasons(subject)), 0, most_places)
]

most_places := 3

roles := rbac.roles(input.resource)

sentence(reason) := sprintf("%s %s", [helpers.titled(reason.kind, "", reason.name), reason.text])

consequence := sprintf("%s, so this allows everything that this account can do", [olm.own_account]) if {
	not helpers.identities_may_count
	salint.own_account_restricted()
} else := "OLM acts as a cluster-admin, so this is effectively cluster-admin" if {
	not helpers.identities_may_count
} else := "OLM acts as any account that a writer names, or as cluster-admin" if {
	helpers.release_unknown
} else := "OLM acts as any account that they name, even a cluster-admin"

# risk is the consequence in short, for a message that also explains the limits.
risk := "this allows everything that OLM's own account can do" if {
	not helpers.identities_may_count
	salint.own_account_restricted()
} else := "this is effectively cluster-admin" if {
	not helpers.identities_may_count
} else := "this allows everything that any account can do"
