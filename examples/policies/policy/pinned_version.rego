# METADATA
# title: Extension without a pinned version
# description: The next version in the catalog is installed without a review of its permissions.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#pinned-version
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   fix: none
package salint.rules.bakery.pinned_version

import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	not extension.pinned
	message := "The extension accepts more than one version. Set spec.source.catalog.version to one of them."
	finding := lib.finding(extension.package_path, message)
}
