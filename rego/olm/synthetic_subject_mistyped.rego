# METADATA
# title: A binding's subject looks like a synthetic identity and is none
# description: |
#   The synthetic user of one extension is `olm:clusterextension:<name>`, in the singular; the group of all of them is
#   `olm:clusterextensions`, in the plural. Documentation of operator-controller printed the user in the plural, and such
#   subjects were copied: they match nobody, so the role is granted to nobody, and the extension fails as forbidden. The
#   same holds for a user written as a group, a group written as a user, a missing name, and a namespace before the name.
#
#   An `apiGroup` other than `rbac.authorization.k8s.io` has the API server reject the whole binding. A missing one is
#   right: it is filled in.
#
#   Mending the subject grants the role to somebody who does not have it today, so the fix needs `--unsafe-fixes`. Where
#   the target ignores identities, `olm/synthetic-binding-unused` speaks about the binding instead.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Users and groups in bindings
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/internal/operator-controller/authentication/synthetic.go
#     description: How operator-controller spells the user and the group
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [olm, Olm, OLM]
#   fix:
#     name: correct-subject
#     kind: unsafe
#     description: Write the subject that was meant, which grants it the role.
package salint.rules.olm.synthetic_subject_mistyped

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	some subject in rbac.subjects(input.resource)
	meant := salint.mistyped({"kind": subject.kind, "name": subject.name})
	finding := corrected(lib.finding(place(subject, meant), message(subject, meant)), meant)
}

report contains finding if {
	lib.identities_count
	some subject in rbac.subjects(input.resource)
	synthetic(subject)
	not subject.apiGroup in {"", rbac.group}
	finding := lib.finding(["subjects", subject.index, "apiGroup"], wrong_group(subject))
}

synthetic(subject) if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
	not salint.mistyped({"kind": subject.kind, "name": subject.name})
}

synthetic(subject) if {
	subject.kind == "Group"
	subject.name == olm.identities_group
}

# The finding points at what is wrong: the kind when the name is right, else the name.
place(subject, meant) := ["subjects", subject.index, "kind"] if {
	meant.name == subject.name
	meant.kind != subject.kind
} else := ["subjects", subject.index, "name"]

message(subject, meant) := sprintf(
	"%s grants %s to %s, and nobody is that %s: %s. The grant has no effect. %s.",
	[
		lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject),
		nouns[subject.kind], meant.why, remedy(meant),
	],
)

nouns := {"User": "user", "Group": "group", "ServiceAccount": "account"}

remedy(meant) := sprintf("Write %s %s", [meant.kind, meant.name]) if {
	meant.name != ""
} else := "Name the identity that is to have the role"

wrong_group(subject) := sprintf(
	"%s has %s with the apiGroup %q, so the API server rejects the binding. Write %s, or leave it out.",
	[lib.sentence(lib.called(input.resource)), rbac.subject_called(subject), subject.apiGroup, rbac.group],
)

corrected(finding, meant) := finding if {
	meant.name != ""
} else := lib.without_fix(finding, "which identity was meant cannot be told")
