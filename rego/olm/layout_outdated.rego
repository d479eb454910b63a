# METADATA
# title: ClusterExtension has the layout of an older release
# description: |
#   The API group moved from `v1alpha1` to `v1` with operator-controller v1.0. Before that, fields moved several times:
#
#   | operator-controller | package | namespace | account |
#   |---|---|---|---|
#   | v0.9 | `spec.packageName` | | |
#   | v0.10, v0.11 | `spec.packageName` | `spec.installNamespace` | |
#   | v0.12, v0.13 | `spec.packageName` | `spec.installNamespace` | `spec.serviceAccount` |
#   | v0.14 | `spec.source.catalog.packageName` | `spec.installNamespace` | `spec.serviceAccount` |
#   | v0.15 to v0.17 | `spec.source.catalog.packageName` | `spec.install.namespace` | `spec.install.serviceAccount` |
#   | v0.18 (v1alpha1), v1.0 and later (v1) | `spec.source.catalog.packageName` | `spec.namespace` | `spec.serviceAccount` |
#
#   No release from v1.0 on serves `v1alpha1`, so such a manifest cannot be applied. If a manifest of `v1` has fields of
#   older layouts, kubectl and server-side apply reject it because of the unknown fields. Other clients drop these
#   fields, and the API server rejects the extension because of the fields that are then missing. The kind `Extension`
#   existed only in v0.10.
# related_resources:
#   - ref: https://operator-framework.github.io/operator-controller/api-reference/olmv1-api-reference/
#     description: The fields of v1
#   - ref: https://kubernetes.io/docs/reference/using-api/api-concepts/#setting-the-field-validation-level
#     description: The handling of unknown fields
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io, Extension.olm.operatorframework.io]
#   evaluate_if: [layout-outdated]
#   fix:
#     name: convert-layout
#     kind: unsafe
#     description: >-
#       Move the fields to those of v1, and write its API version. An extension that is live under v1alpha1 is not
#       converted.
package salint.rules.olm.layout_outdated

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	verdict := judge(extension)
	finding := lib.case(lib.finding(verdict.path, verdict.message), verdict.case)
}

judge(extension) := {"path": ["kind"], "case": "kind", "message": message} if {
	extension.kind == "Extension"
	message := sprintf(
		concat(" ", [
			"%s is of the kind Extension, which only operator-controller %s serves. It cannot be applied to later releases.",
			"Write a ClusterExtension of %s/v1.",
		]),
		[helpers.sentence(helpers.called(input.resource)), extension.releases, olm.group],
	)
} else := {"path": ["apiVersion"], "case": "version", "message": message} if {
	endswith(input.resource.apiVersion, "/v1alpha1")
	message := sprintf(
		concat(" ", [
			"%s has the layout of operator-controller %s. From v1.0 on, no release serves v1alpha1, so it cannot be applied.",
			"Write %s/v1%s.",
		]),
		[olm.called(extension), extension.releases, olm.group, moving(moved)],
	)
} else := {"path": extension.misplaced[0].path, "case": [strange(field) | some field in extension.misplaced], "message": message} if {
	extension.mixed
	message := sprintf(
		"%s mixes layouts: %s. %s. Use the fields of v1%s.",
		[
			olm.called(extension), helpers.listed([strange(field) | some field in extension.misplaced]),
			olm.rejected_unknown("these fields"), moving(moved),
		],
	)
}

strange(field) := sprintf("%s belongs to operator-controller %s", [concat(".", field.path), field.releases])

# moves holds the fields of v1 that replace those of older layouts.
moves := {
	"spec.packageName": "spec.source.catalog.packageName",
	"spec.version": "spec.source.catalog.version",
	"spec.channel": "spec.source.catalog.channels",
	"spec.upgradeConstraintPolicy": "spec.source.catalog.upgradeConstraintPolicy",
	"spec.installNamespace": "spec.namespace",
	"spec.install.namespace": "spec.namespace",
	"spec.install.serviceAccount": "spec.serviceAccount",
	"spec.preflight.crdUpgradeSafety.disabled": enforcement("true", "false"),
	"spec.preflight.crdUpgradeSafety.policy": enforcement("Disabled", "Enabled"),
	"spec.install.preflight.crdUpgradeSafety.policy": enforcement("Disabled", "Enabled"),
}

# enforcement describes the field of v1 that switches the check of CRDs off or on, with its values instead of older ones.
enforcement(off, on) := sprintf("spec.install.preflight.crdUpgradeSafety.enforcement (None instead of %s, Strict instead of %s)", [off, on])

nowhere := {}

# moved lists the moves of the fields that the manifest sets.
moved := sort([sprintf("%s becomes %s", [from, to]) |
	some from, to in moves
	object.get(input.resource, split(from, "."), nowhere) != nowhere
])

moving(list) := "" if {
	count(list) == 0
} else := sprintf(": %s", [helpers.listed(list)])
