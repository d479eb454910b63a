# METADATA
# title: The bundle of an extension requires more than at the base revision
# description: |
#   What the bundle of an extension requires now, and did not at the revision of `--changed-since`: permissions of the
#   operator's own accounts, webhooks, cluster-scoped objects, and permissions for the installation. The comparison is
#   by effect: a rule that an older wildcard covers is not reported. Dangerous changes are listed first. `salint
#   bundle-diff OLD NEW` lists all changes between two folders.
#
#   From operator-controller v1.11 on, and under the model `removed`, OLM installs every extension as its own
#   cluster-admin account. Nothing on the cluster stops a version that requires more, so the review is the last place to
#   notice it. Under the other models, the identity of the extension must be granted the same permissions; otherwise the
#   upgrade fails.
#
#   This rule checks extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`,
#   and compares it with the bundle that was named at that revision. The finding is at the extension. If only the bundle
#   or the configuration changed, the finding is there.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/docs/api-reference/olmv1-api-reference.md
#     description: The service account of an extension in the API of v1.11
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [rbac]
#   needs: base
#   fix: none
package salint.rules.olm.permissions_grow

import data.salint.helpers
import data.salint.helpers.bundles
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	growth := salint.bundle_growth(input.resource)
	count(growth) > 0
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	found := lib.case(helpers.judged(place(extension), message(extension, bundle, growth)), [change.title | some change in growth])
	finding := bundles.beginning(found, bundle)
}

# place returns the field that requests an upgrade.
place(extension) := extension.version_path if {
	extension.version != ""
} else := extension.package_path

message(extension, bundle, growth) := sprintf("%s: %s more than at the base revision%s. %s. %s: %s.", [
	olm.called(extension), bundles.called_with(bundle, "requires", "require"), dangerous(growth), consequence,
	"Review with `salint bundle-diff OLD NEW`", bundles.shortened(lines(growth)),
])

dangerous(growth) := "" if {
	count(dangers(growth)) == 0
} else := " (1 dangerous change)" if {
	count(dangers(growth)) == 1
} else := sprintf(" (%d dangerous changes)", [count(dangers(growth))])

dangers(growth) := [change | some change in growth; count(change.dangers) > 0]

lines(growth) := [line |
	some change in growth
	line := concat("", [change.title, reason(change), details(change)])
]

reason(change) := "" if {
	count(change.dangers) == 0
} else := sprintf(" (%s)", [change.dangers[0]])

details(change) := "" if {
	count(change.texts) == 0
} else := sprintf(": %s", [bundles.shortened(change.texts)])

consequence := sprintf("%s, so only the permissions of this account limit it", [olm.own_account]) if {
	not helpers.identities_may_count
	salint.own_account_restricted()
} else := sprintf("%s, so nothing limits it", [olm.own_account]) if {
	not helpers.identities_may_count
} else := "Nothing limits it, or the identity that installs it needs the same permissions, depending on the release" if {
	helpers.release_unknown
} else := "The identity that installs it needs the same permissions"
