# METADATA
# title: A subject of a binding looks like a synthetic identity, but is not one
# description: |
#   The synthetic user of one extension is `olm:clusterextension:<name>`, in the singular; the group of all of them is
#   `olm:clusterextensions`, in the plural. The documentation of operator-controller printed the user in the plural, and
#   such subjects were copied. They match no identity: the role is not granted, and the installation of the extension
#   fails as forbidden. The same holds for a user written as a group, a group written as a user, a missing name, a
#   namespace before the name, and a name that no object can have. If the name does not show which extension was meant, and the
#   deployment unit has one extension without an account to whose user nothing is bound, it was meant.
#
#   With an `apiGroup` other than `rbac.authorization.k8s.io`, the API server rejects the whole binding. A missing one
#   is right: the API server sets it.
#
#   The corrected subject grants the role to an identity that does not have it today, so the fix needs `--unsafe-fixes`.
#   If the target ignores identities, `olm/synthetic-binding-unused` reports the binding instead. If the target is unknown,
#   the finding is a note.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Users and groups in bindings
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/internal/operator-controller/authentication/synthetic.go
#     description: The names of the user and the group in operator-controller
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [olm, Olm, OLM]
#   evaluate_if: [subject-mistyped]
#   fix:
#     name: correct-subject
#     kind: unsafe
#     description: Correct the subject, which grants the role to the identity.
package salint.rules.olm.synthetic_subject_mistyped

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	helpers.identities_may_count
	some subject in rbac.subjects(input.resource)
	meant := salint.mistyped({"kind": subject.kind, "name": subject.name})
	found := lib.case(helpers.judged(place(subject, meant), message(subject, meant)), [meant.kind, ["roleRef", "name"]])
	finding := corrected(lib.with_severity(found, severity), meant)
}

# The subject matches no identity on any release. It is a note where the corrected one can be without effect, too.
default severity := "error"

severity := "note" if helpers.release_unknown

report contains finding if {
	helpers.identities_count
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

# place returns the wrong field: the kind if the name is right, otherwise the name.
place(subject, meant) := ["subjects", subject.index, "kind"] if {
	meant.name == subject.name
	meant.kind != subject.kind
} else := ["subjects", subject.index, "name"]

message(subject, meant) := sprintf(
	"%s grants %s to %s, which matches no %s. The grant has no effect. %s (%s).",
	[
		helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject),
		nouns[subject.kind], remedy(meant), meant.why,
	],
)

nouns := {"User": "user", "Group": "group", "ServiceAccount": "account"}

remedy(meant) := sprintf("Write %s %s where extensions have identities, otherwise remove the subject", [meant.kind, meant.name]) if {
	meant.name != ""
	helpers.release_unknown
} else := sprintf("Write %s %s", [meant.kind, meant.name]) if {
	meant.name != ""
} else := "Name the identity that needs the role"

wrong_group(subject) := sprintf(
	"%s has %s with the apiGroup %q, so the API server rejects the binding. Write %s, or remove the apiGroup.",
	[helpers.sentence(helpers.called(input.resource)), rbac.subject_called(subject), subject.apiGroup, rbac.group],
)

corrected(finding, meant) := finding if {
	meant.name != ""
} else := lib.without_fix(finding, "it is unknown which identity was meant")
