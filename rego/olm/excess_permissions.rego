# METADATA
# title: The identity that installs an extension has more permissions than its bundle needs
# description: |
#   Permissions of the identity of an extension that its bundle does not need, or needs only in one namespace, or only
#   for objects of certain names. A ServiceAccount with such permissions can be used by anyone who can create pods in
#   its namespace, and a later version of the bundle can use them unnoticed.
#
#   This rule checks extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`.
#   `olm/cluster-admin-grant` covers an identity that is effectively cluster-admin. The permissions that an older
#   version needs, and that OLM therefore needs until the upgrade is complete, are unknown here: compare with `salint
#   preflight --bundle NEW --from OLD` before you remove any.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege
#     description: Least privilege
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find the permissions that an extension needs
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   needs: bundle
#   fix: none
package salint.rules.olm.excess_permissions

import data.salint.helpers
import data.salint.helpers.bundles
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	helpers.identities_count
	helpers.whole
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	answer := salint.preflight(input.resource)
	count(answer.unneeded) > 0
	not salint.covers(salint.effective_rules(answer.identity).cluster, rbac.everything)
	judged := lib.case(helpers.judged(olm.identity_path(extension), message(extension, bundle, answer)), bundles.named(answer.unneeded))
	finding := bundles.pointing(judged, answer.identity, bundle)
}

message(extension, bundle, answer) := sprintf("%s has more permissions than %s, or in more places or to more objects. %s Not needed: %s.", [
	helpers.sentence(olm.installing(answer.identity, olm.called(extension))), bundles.called_with(bundle, "needs", "need"),
	"Narrow its roles, because a later version can use what is not needed.", bundles.rules_text(answer.unneeded),
])
