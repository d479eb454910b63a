# METADATA
# title: Signs of the release contradict each other or the target
# description: |
#   Which field is required, honoured or ignored depends on the release, and manifests say which it is: the CRD of
#   ClusterExtension, the image of operator-controller and its `--feature-gates`, an OpenShift ClusterVersion and
#   FeatureGate. The CRD weighs most, for the API server goes by it. A finding says that
#
#   * a sign contradicts the target that was asked for: a CRD that still requires the field rejects the extension from which
#     it was removed, so upgrade first and remove it afterwards;
#   * two signs of one deployment unit contradict each other; reported at the one that weighs less. Among plain files, which
#     may hold clusters of several releases, a sign is compared with those in its folder and below;
#   * one flag turns `SyntheticPermissions` on and another one off;
#   * a gate that operator-controller v1.11 no longer has is still passed to it, with whatever value. It does not start with
#     a gate that it does not know.
#
#   A feature set only contradicts a target with synthetic identities when it turns them off: what its features will do to
#   the field is a proposal.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/internal/operator-controller/features/features.go
#     description: The gates of operator-controller v1.11
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
#   fix: none
package salint.rules.olm.target_conflict

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.olm.target_signals as signals

# With the target asked for.
report contains finding if {
	input.target.asked
	some sign in signals.own
	signals.contradicts_target(sign)
	message := sprintf(
		"%s, but the target asked for is %s: %s.",
		[lib.sentence(sign.description), lib.target, advice_for(sign)],
	)
	finding := lib.finding(sign.path, message)
}

# With a sign that weighs more. Of two that weigh the same, the second one is reported.
report contains finding if {
	not input.target.asked
	some sign in signals.own
	others := [other | some other in salint.signs(); signals.outweighs(other, sign)]
	count(others) > 0
	message := sprintf(
		"%s, but %s (in %s). Extensions are judged by the latter. Bring both to one release, or give each cluster a folder.",
		[lib.sentence(sign.description), others[0].description, lib.file(others[0].ref)],
	)
	finding := lib.related(lib.finding(sign.path, message), others[0].ref, others[0].path, others[0].description)
}

# With another flag, about synthetic identities.
report contains finding if {
	some sign in signals.own
	sign.kind == "gates"
	some other in olm.gate_signs
	other.kind == "gates"
	olm.gate_of(other) == olm.gate_of(sign) == false
	signals.heavier(other, sign)
	message := sprintf(
		"%s, but %s (in %s): whether extensions without an account are installed cannot be told. Make them agree.",
		[lib.sentence(sign.description), other.description, lib.file(other.ref)],
	)
	finding := lib.related(lib.finding(sign.path, message), other.ref, other.path, other.description)
}

# With gates that the release does not have.
report contains finding if {
	some sign in signals.own
	sign.kind == "gates"
	some release in releases
	gone := salint.unknown_gates(release, sign.gates)
	count(gone) > 0
	message := sprintf(
		concat(" ", [
			"%s. %s does not know %s, and does not start with a gate that it does not know, whatever its value:",
			"no extension is installed, upgraded or removed. Take it out before the upgrade.",
		]),
		[lib.sentence(sign.description), lib.sentence(release), lib.listed(gone)],
	)
	finding := lib.finding(sign.path, message)
}

# A feature set contradicts synthetic identities only, and leaves the CRD as it is.
advice_for(sign) := "synthetic identities are off there. Name the target that the cluster has" if {
	sign.kind == "featureset"
} else := advice[sign.model]

advice := {
	"required": concat(" ", [
		"an extension without the field is rejected as long as this holds.",
		"Upgrade first, then remove the field",
	]),
	"synthetic": concat(" ", [
		"there OLM acts as the account that an extension names, and impersonates its synthetic identity without one.",
		"Name the target that the cluster has, or change this",
	]),
	"ignored": concat(" ", [
		"there OLM acts as its own account, whatever an extension names.",
		"Name the target that the cluster has, or change this",
	]),
	"removed": concat(" ", [
		"there an extension that sets the field is rejected.",
		"Name the target that the cluster has, or change this",
	]),
}

# releases are those that the gates are passed to: the target, and the one of the image beside them.
releases := {input.target.name} | {sign.target | some sign in signals.own; sign.kind == "image"}
