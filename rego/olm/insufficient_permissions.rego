# METADATA
# title: The identity that installs an extension lacks permissions that its bundle needs
# description: |
#   To install a bundle, an identity needs permissions to get, create, update, and delete each of its objects, to list
#   and watch their types, to update the finalizers of their owner, and every permission that the roles among the
#   objects grant. This rule compares these with the permissions that the repository grants to the identity that OLM
#   acts as, including its groups. If some are missing, the installation or the next upgrade fails partway.
#
#   This rule checks extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`.
#   If the identity is bound to roles whose rules are not all in the repository, these can contain the missing
#   permissions: the finding is then a note, without a fix. `salint preflight` lists the missing permissions and the
#   reason for each.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find the permissions that an extension needs
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   needs: bundle
#   fix:
#     name: grant-bundle
#     kind: unsafe
#     description: Grant the missing permissions to the identity, in separate roles and bindings.
package salint.rules.olm.insufficient_permissions

import data.salint.helpers
import data.salint.helpers.bundles
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	helpers.identities_count
	helpers.whole
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	answer := salint.preflight(input.resource)
	count(answer.missing) > 0
	not unbound(extension)
	judged := lib.case(
		helpers.judged(olm.identity_path(extension), message(extension, bundle, answer)),
		array.concat([certainty(answer)], bundles.named(answer.missing)),
	)
	finding := as_known(bundles.pointing(judged, answer.identity, bundle), answer)
}

# olm/synthetic-identity-unbound reports a synthetic identity without bindings.
unbound(extension) if {
	olm.uses_synthetic(extension)
	every subject in olm.subjects_of(extension) { count(salint.bindings_of(subject)) == 0 }
}

# doubtful lists the roles of the identity that can contain the missing permissions.
doubtful(answer) := [helpers.titled(role.kind, role.namespace, role.name) |
	some roles in [answer.unknown, answer.partial]
	some role in roles
]

certainty(answer) := "lacking" if {
	count(doubtful(answer)) == 0
} else := "doubtful"

as_known(finding, answer) := finding if {
	count(doubtful(answer)) == 0
} else := lib.without_fix(
	lib.with_severity(finding, "note"),
	sprintf("not all rules of %s are known, and they can contain the missing permissions", [helpers.listed(doubtful(answer))]),
)

message(extension, bundle, answer) := sprintf("%s lacks permissions that %s. %s: %s.", [
	helpers.sentence(olm.installing(answer.identity, olm.called(extension))), bundles.called_with(bundle, "needs", "need"),
	"The installation fails. Grant them (`salint preflight` lists the reasons)", bundles.rules_text(answer.missing),
]) if {
	count(doubtful(answer)) == 0
} else := sprintf("%s might lack permissions that %s. %s: %s.", [
	helpers.sentence(olm.installing(answer.identity, olm.called(extension))), bundles.called_with(bundle, "needs", "need"),
	"Not all rules of its roles are in the repository. Check the permissions with `salint preflight`", bundles.rules_text(answer.missing),
])
