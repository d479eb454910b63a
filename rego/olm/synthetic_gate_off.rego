# METADATA
# title: ClusterExtension relies on a synthetic identity, but these are off
# description: |
#   Synthetic identities need the gate `SyntheticPermissions` of operator-controller; on OpenShift, as proposed, the
#   feature set `TechPreviewNoUpgrade`. If a manifest of the same deployment unit turns the gate off, or sets another
#   feature set, an extension without a service account is not installed: OLM does not impersonate its identity, and the
#   field is required after all. The same holds for an extension with the placeholder `olm.synthetic-user`, unless a
#   ServiceAccount of that name has a binding: without the gate, OLM acts as that account.
#
#   A missing signal is not reported. `olm/target-conflict` reports signals that contradict each other.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/internal/operator-controller/features/features.go
#     description: The gates of operator-controller v1.10
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [rbac]
#   evaluate_if: [gate-off]
#   fix: none
package salint.rules.olm.synthetic_gate_off

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	helpers.identities_count
	olm.gate == "off"
	extension := salint.extension(input.resource)
	path := reliance(extension)
	signal := olm.gate_signals[0]
	finding := lib.related(
		helpers.judged(path, message(extension, signal)),
		signal.ref, signal.path, signal.description,
	)
}

# reliance returns the field by which an extension uses its synthetic identity.
reliance(extension) := ["metadata", "name"] if {
	input.model == "synthetic"
	olm.accountless(extension)
	not extension.layout in olm.layouts_without_account
}

reliance(extension) := extension.account.path if {
	input.model == "required"
	extension.account.name == olm.placeholder
	olm.runtime.placeholder
	not olm.placeholder_account_bound(extension)
}

message(extension, signal) := sprintf(
	"%s relies on its synthetic identity, but these are off: %s. The extension is not installed. %s",
	[olm.called(extension), signal.description, remedies[input.model]],
)

remedies := {
	"required": sprintf(
		"Turn the gate %s on, or create a ServiceAccount named %s and bind a role to it.",
		[olm.synthetic_gate, olm.placeholder],
	),
	"synthetic": "Turn them on, or name a ServiceAccount.",
}
