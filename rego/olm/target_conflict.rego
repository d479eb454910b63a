# METADATA
# title: Signals of the release contradict each other or the target
# description: |
#   The release determines whether the field is required, honored, or ignored. These manifests are signals of the
#   release: the CRD of ClusterExtension, the image of operator-controller and its `--feature-gates`, and a
#   ClusterVersion and FeatureGate of OpenShift. The CRD has the highest weight, because the API server uses it. This
#   rule reports:
#
#   * a `--target` of another model than the configured target of an extension, also one of `overrides:`. `--fix`,
#     `--diff`, and `--prune-only` then change nothing; with `--set-target`, they change the configured target as well;
#   * a signal that contradicts the configured target: if the CRD still requires the field, the API server rejects an
#     extension without it, so upgrade first and remove the field afterwards;
#   * two signals of one deployment unit that contradict each other, at the one with the lower weight. Plain files can
#     contain clusters of several releases, so a signal is compared only with those in its folder and below;
#   * one flag that turns `SyntheticPermissions` on and another one that turns it off;
#   * a gate that operator-controller of the release does not have, with any value, a gate that is set to neither true nor
#     false, and flags that the release does not have or that need others, such as `--tls-cert` without `--tls-key`. It does
#     not start with them, so no extension is installed, and `plan` counts the extensions as broken.
#
#   A feature set contradicts only a target with synthetic identities, and only if it turns them off: the effect of its
#   features on the field is a proposal.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/internal/operator-controller/features/features.go
#     description: The gates of operator-controller v1.11
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/cmd/operator-controller/main.go
#     description: The flags of operator-controller v1.11
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/api/v1/clusterextension_types.go
#     description: The field in v1.11
# custom:
#   severity: warning
#   kinds:
#     - CustomResourceDefinition.apiextensions.k8s.io
#     - Deployment.apps
#     - ClusterVersion.config.openshift.io
#     - FeatureGate.config.openshift.io
#   words: [ClusterExtension, operator-controller, ClusterVersion, FeatureGate]
#   reads: [rbac]
#   fix: none
package salint.rules.olm.target_conflict

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.olm.target_signals as signals
import data.salint.lib

# A signal and the configured target.
report contains finding if {
	input.target.asked
	some signal in signals.own
	signals.contradicts_target(signal)
	message := sprintf("%s, but the configured target is %s. %s.", [
		helpers.sentence(signal.description), helpers.target, advice_for(signal),
	])
	finding := lib.case(lib.finding(signal.path, message), ["target", signal.kind, input.target.name])
}

# Two signals. The one with the lower weight is reported; of two with the same weight, the second.
report contains finding if {
	not input.target.asked
	some signal in signals.own
	others := [other | some other in salint.signs(); signals.outweighs(other, signal)]
	count(others) > 0
	message := sprintf(
		"%s, but %s (in %s). Extensions are checked for the latter. Change both to one release, or use one folder per cluster.",
		[helpers.sentence(signal.description), others[0].description, helpers.file(others[0].ref)],
	)
	found := lib.case(lib.finding(signal.path, message), ["signals", signal.kind, others[0].kind, others[0].model, value_of(others[0])])
	finding := lib.related(found, others[0].ref, others[0].path, others[0].description)
}

# Two flags that set synthetic identities.
report contains finding if {
	some signal in signals.own
	signal.kind == "gates"
	some other in olm.gate_signals
	other.kind == "gates"
	olm.gate_of(other) == olm.gate_of(signal) == false
	signals.heavier(other, signal)
	message := sprintf(
		"%s, but %s (in %s). It is unknown whether extensions without an account are installed. Set both to the same value.",
		[helpers.sentence(signal.description), other.description, helpers.file(other.ref)],
	)
	found := lib.case(lib.finding(signal.path, message), ["flags", value_of(other)])
	finding := lib.related(found, other.ref, other.path, other.description)
}

# Flags with which the release does not start.
report contains finding if {
	some signal in signals.own
	signal.kind == "gates"
	some release in releases
	fault := salint.start_fault(release, signal)
	message := sprintf("%s. Correct the flags of operator-controller first.", [helpers.sentence(fault)])
	finding := lib.case(lib.finding(signal.path, message), ["start", release, fault])
}

# value_of is the field of a signal, for the case of a finding.
value_of(signal) := {"ref": signal.ref, "path": signal.path}

# A feature set contradicts synthetic identities only, and leaves the CRD as it is.
advice_for(signal) := sprintf("By this signal, synthetic identities are off. %s", [set_target]) if {
	signal.kind == "featureset"
} else := advice[signal.model]

advice := {
	"required": "The API server rejects an extension without the field. Upgrade first, then remove the field",
	"synthetic": sprintf("By this signal, OLM impersonates the synthetic identity of an extension without an account. %s", [set_target]),
	"ignored": sprintf("By this signal, %s. %s", [olm.own_account, set_target]),
	"removed": sprintf("By this signal, an extension that sets the field is rejected. %s", [set_target]),
}

set_target := "Set the target to the release of the cluster, or change this manifest"

# releases holds the releases that the gates are passed to: the target, and the release of the image.
releases := {input.target.name} | {signal.target | some signal in signals.own; signal.kind == "image"}
