# METADATA
# title: The release does not install the bundle of an extension
# description: |
#   operator-controller installs only a part of what OLM v0 does, and each release another part. A bundle is refused because of
#   webhooks (before v1.3, and before v1.6 with default gates), an operator that cannot watch all namespaces (before
#   v1.2, and with default gates, except in v1.8), a missing namespace that such an operator must watch,
#   dependencies on other bundles, API services, and other contents that the validators of the release reject.
#   The extension then reports the reason in its condition `Progressing`, and nothing is installed or upgraded. If a
#   feature gate decides, the finding is a warning: the cluster may have it. `spec.config` is checked as the API server and
#   the release do. What a release ignores of it is a warning, too: an operator that is to watch one namespace then watches
#   all, with its permissions in all of them.
#
#   The rule also reports a bundle of another package or version than the extension requests, and with `--changed-since`
#   changes of CustomResourceDefinitions that block the upgrade.
#
#   This rule checks extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`.
#   [What a release installs](permissions.md#what-a-release-installs) lists the releases.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/internal/operator-controller/applier/provider.go
#     description: What operator-controller v1.11 refuses
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/internal/operator-controller/features/features.go
#     description: The gates of v1.11
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   needs: bundle
#   fix: none
package salint.rules.olm.bundle_refused

import data.salint.helpers
import data.salint.helpers.bundles
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	bundle := salint.bundle(input.resource)
	some refusal in salint.bundle_refusals(input.resource)
	found := lib.case(helpers.judged(place(extension, refusal), message(extension, bundle, refusal)), refusal.reason)
	finding := as_known(bundles.beginning(found, bundle), refusal)
}

# place returns the field that requests the bundle.
place(extension, refusal) := extension.version_path if {
	startswith(refusal.reason, "the extension requests version ")
} else := extension.package_path

as_known(finding, refusal) := finding if {
	refusal.gate == ""
	not refusal.installs
} else := lib.with_severity(finding, "warning")

message(extension, bundle, refusal) := sprintf("%s: %s installs %s, but %s. %s.", [
	helpers.sentence(olm.called(extension)), release, called(bundle), refusal.reason, helpers.sentence(refusal.remedy),
]) if {
	refusal.installs
} else := sprintf("%s: %s does not install %s%s: %s.%s", [
	helpers.sentence(olm.called(extension)), release, called(bundle), unless(refusal), trim_prefix(trim_prefix(refusal.reason, "unsupported bundle: "), "invalid ClusterExtension configuration: "), remedy(refusal),
])

called(bundle) := sprintf("its bundle %s", [bundle.name]) if {
	bundle.name != ""
} else := bundles.called(bundle)

default release := "OLM"

release := input.target.name if {
	not helpers.release_unknown
	input.target.name != input.model
}

unless(refusal) := "" if {
	refusal.gate == ""
} else := sprintf(" unless the feature gate %s is on", [refusal.gate])

remedy(refusal) := " Change the bundle, or use another version of it." if {
	refusal.remedy == ""
} else := sprintf(" %s.", [helpers.sentence(refusal.remedy)])
