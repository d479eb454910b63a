# METADATA
# title: Somebody who is no administrator may write extensions
# description: |
#   Where the service account of extensions is ignored or gone, OLM installs everything as its own cluster-admin account.
#   Whoever may create, update or patch ClusterExtensions, ClusterObjectSets or ClusterCatalogs has it install what they
#   like, and is cluster-admin in effect. Where accounts count it is no small thing either: the writer chooses the account
#   that OLM acts as, in whatever namespace.
#
#   Delegation takes two things together: RBAC that opens the API, and a ValidatingAdmissionPolicy that limits package,
#   catalog, namespace or version, with a ValidatingAdmissionPolicyBinding whose `validationActions` has `Deny`. One that
#   only warns, such as the policy that ships with operator-controller v1.11, limits nobody. The rule says which half is
#   missing: no binding, one that does not deny, a policy for other resources or operations, one that leaves objects out by
#   labels that their writer chooses, or one whose match conditions leave this subject out.
#
#   Whoever may change or delete the policy or its binding is not limited by them either: admission asks no policy about
#   policies. A policy that another kustomization, chart or application applies than the role binding may go to another
#   cluster, and so may one beside a kustomization that does not list it: the finding is a note then.
#
#   Conditions and validations are evaluated for the subject, and an object of which nothing is known. A policy whose
#   validations are true for the subject whatever it writes limits nobody; whether the others are good is not judged. A group
#   stands for a member of whom nothing else is known. Where it depends on the object whether a policy looks at it, on
#   parameters, or on errors that `failurePolicy: Ignore` lets in, it is not known whether the subject is limited, and the
#   finding is a note. `salint init access-policy` writes a policy for what the repository has.
#
#   Judged are ClusterRoleBindings, for these resources are cluster-scoped, with aggregated roles put together. Administrators
#   are left aside: subjects that are cluster-admin in effect, by this binding or others, and the groups `system:masters`
#   and `system:cluster-admins`. So are OLM's own accounts, in the namespaces where upstream and OpenShift have them.
# related_resources:
#   - ref: https://operator-framework.github.io/operator-controller/howto/how-to-protect-olmv1-api-access/
#     description: Protecting OLMv1 API access
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
#     description: Validating admission policies
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   reads:
#     - ValidatingAdmissionPolicy.admissionregistration.k8s.io
#     - ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io
#   connected_to:
#     ClusterRole.rbac.authorization.k8s.io: [clusterextensions, clusterobjectsets, clustercatalogs, olm.operatorframework.io, '"*"', "'*'"]
#   fix: none
package salint.rules.olm.extension_write_access

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.olm.extension_writers as writers
import data.salint.lib.rbac

report contains finding if {
	count(writers.opened) > 0
	not rbac.is_cluster_admin(input.resource)
	count(writers.open_to) > 0
	finding := explained(lib.judged(["roleRef"], message("open", concat(" ", [
		sprintf("%s.%s", [consequence, shortcomings("open")]),
		"Leave that to administrators, or limit it with a ValidatingAdmissionPolicy and a denying binding:",
		"salint init access-policy writes them.",
	]))))
}

report contains finding if {
	count(writers.opened) > 0
	not rbac.is_cluster_admin(input.resource)
	count(writers.open_to) == 0
	count(writers.unknown_to) > 0
	finding := explained(lib.with_severity(
		lib.judged(["roleRef"], message("unknown", concat(" ", [
			sprintf("It is not known whether admission limits that:%s", [shortcomings("unknown")]),
			sprintf("Where it does not: %s.", [consequence]),
		]))),
		"note",
	))
}

# explained shows the role, unless it is Kubernetes' own, and the policies that do not limit it.
explained(finding) := object.union(finding, {"related": array.concat(array.concat(role_places, aggregated_places), policy_places)})

role_places := [{"ref": roles[0].ref, "path": ["rules"], "message": sprintf("what %s allows", [rbac.role_called(input.resource)])} |
	count(roles) > 0
]

# aggregated_places are roles that add to one of Kubernetes' own what this is about.
aggregated_places := array.slice(
	[{"ref": role.ref, "path": ["rules"], "message": sprintf("what %s adds to %s", [lib.called(role.resource), input.resource.roleRef.name])} |
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

policy_places := [{"ref": reason.ref, "path": ["spec"], "message": sentence(reason)} |
	some reason in array.slice(sort(writers.reasons), 0, most_places)
]

most_places := 3

roles := rbac.roles(input.resource)

sentence(reason) := sprintf("%s %s", [lib.titled(reason.kind, "", reason.name), reason.text])

shortcomings(state) := concat("", [text |
	some reason in array.slice(sort({reason | some reason in writers.reasons; reason.state == state}), 0, most_places)
	text := sprintf(" %s.", [sentence(reason)])
])

message(state, rest) := sprintf("%s %s. %s", [
	lib.sentence(lib.called(input.resource)),
	concat(" and ", [text |
		some access, indexes in writers.having[state]
		who := [rbac.subject_called(subject) | some subject in writers.list; subject.index in indexes]
		text := sprintf("lets %s %s", [lib.listed(who), writers.access_to(access)])
	]),
	rest,
])

consequence := "OLM installs every extension as its own cluster-admin account, so that is cluster-admin in effect" if {
	not lib.identities_count
} else := concat(" ", [
	"Whoever may do that chooses what OLM installs, and as which account, in any namespace:",
	"one that is cluster-admin will do",
])
