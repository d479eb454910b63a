# METADATA
# title: The bundle of an extension asks for more than it did
# description: |
#   What the bundle of an extension asks for and did not at the revision that `--changed-since` names: what the operator's
#   own accounts may do, webhooks, cluster-scoped objects, and what installing it takes. The comparison is by effect, so a
#   rule that an older wildcard covers is no growth, and dangerous things come first. `salint bundle-diff OLD NEW` shows all
#   of it, for two folders.
#
#   From operator-controller v1.11 on, and under the model `removed`, OLM installs every extension as its own cluster-admin
#   account, so that nothing on the cluster stops a version that asks for more: a review is where it can still be seen. Under
#   the other models the identity of the extension must be granted the same, or the upgrade fails.
#
#   It looks at extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`, and compares
#   with the bundle that was named at that revision. The finding stands at the extension; where only the bundle or the
#   configuration changed, it stands there.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/docs/api-reference/olmv1-api-reference.md
#     description: What v1.11 says about the service account of an extension
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   needs: base
#   fix: none
package salint.rules.olm.permissions_grow

import data.salint.lib
import data.salint.lib.bundles
import data.salint.lib.olm

report contains finding if {
	growth := salint.bundle_growth(input.resource)
	count(growth) > 0
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	found := lib.finding(place(extension), message(extension, bundle, growth))
	finding := bundles.beginning(found, bundle)
}

# place is where an upgrade is asked for.
place(extension) := extension.version_path if {
	extension.version != ""
} else := extension.package_path

message(extension, bundle, growth) := sprintf(
	"%s: %s asks for more than at the base revision%s: %s. %s",
	[olm.called(extension), bundles.called(bundle), dangerous(growth), bundles.shortened(lines(growth)), consequence],
)

dangerous(growth) := "" if {
	count(dangers(growth)) == 0
} else := ", 1 thing of it dangerous" if {
	count(dangers(growth)) == 1
} else := sprintf(", %d things of it dangerous", [count(dangers(growth))])

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

consequence := concat(" ", [
	"OLM installs it as its own cluster-admin account, and nothing on the cluster stops it:",
	"review it here, with `salint bundle-diff OLD NEW`.",
]) if {
	not lib.identities_count
} else := concat(" ", [
	"Review it with `salint bundle-diff OLD NEW`;",
	"the identity that installs it has to be granted what it needs besides.",
])
