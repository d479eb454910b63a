# METADATA
# title: The version that an extension requests is rejected
# description: |
#   `spec.source.catalog.version` is a version or a range of versions, of at most 64 characters: `1.2.3`, `1.x`,
#   `>=1.2.0 <2.0.0`, `^1.2 || ^3`. The definition of ClusterExtension has a pattern for it, which is the same in all
#   releases. The API server rejects an extension with another text, such as `latest`, the name of a channel, or a number
#   without quotes, and the tool that applies the manifest reports the error. operator-controller cannot resolve an
#   expression that it cannot read.
#
#   A channel is requested by `spec.source.catalog.channels`. Without `version`, OLM installs the newest version.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/api/v1/clusterextension_types.go
#     description: The field version of CatalogFilter, and its validation
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   fix: none
package salint.rules.olm.version_invalid

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	extension.version_problem != ""
	finding := lib.finding(extension.version_path, message(extension))
}

message(extension) := sprintf("%s requests the version %q: %s. Set a version or a range, such as 1.2.3 or 1.x.", [
	helpers.sentence(olm.called(extension)), extension.version, extension.version_problem,
])
