# METADATA
# title: The identity that installs an extension may do more than its bundle needs
# description: |
#   What the identity of an extension may do beyond what its bundle needs, or everywhere although it is needed in one
#   namespace only, or on all objects although it is needed by name. A ServiceAccount with such permissions can be used by
#   whoever may create pods in its namespace, and a later version of the bundle may make use of them without anybody noticing.
#
#   It looks at extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`. An identity
#   that is cluster-admin in effect is for `olm/cluster-admin-grant`. What an older version needs, and OLM therefore until the
#   upgrade is over, is not known here: compare with `salint preflight --bundle NEW --from OLD` before taking anything away.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege
#     description: Least privilege
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find out what an extension needs
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   needs: bundle
#   fix: none
package salint.rules.olm.excess_permissions

import data.salint.lib
import data.salint.lib.bundles
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	lib.as_written
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	answer := salint.preflight(input.resource)
	count(answer.unneeded) > 0
	not salint.covers(salint.effective_rules(answer.identity).cluster, rbac.everything)
	judged := lib.judged(olm.identity_path(extension), message(extension, bundle, answer))
	finding := bundles.pointing(judged, answer.identity, bundle)
}

message(extension, bundle, answer) := sprintf(
	"%s, as which OLM installs %s, may do more than %s needs, or in more places, or to more objects: %s. Narrow its roles.",
	[
		lib.sentence(rbac.subject_called(answer.identity)), olm.called(extension),
		bundles.called(bundle), bundles.rules_text(answer.unneeded),
	],
)
