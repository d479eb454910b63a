# The signals of the target in input.resource, and how they compare with other signals.
package salint.helpers.olm.target_signals

import data.salint.helpers.olm

own := salint.own_signs()

contradicts_target(signal) if {
	signal.model != ""
	signal.model != input.model
	signal.kind != "featureset"
	not same_release(signal)
}

contradicts_target(signal) if {
	signal.kind == "featureset"
	olm.gate_of(signal) == false
	input.model == "synthetic"
}

# same_release is true if a proposed target is for the release of the signal, because a proposed target differs from its
# release on purpose. The proposed feature set is for no particular release.
same_release(signal) if {
	signal.kind == "clusterversion"
	input.target.name == sprintf("%s-proposed", [signal.target])
}

same_release(signal) if {
	signal.kind == "clusterversion"
	input.target.name == "ocp-techpreview-proposed"
}

outweighs(other, signal) if {
	signal.model != ""
	other.model != ""
	other.model != signal.model
	not "featureset" in {signal.kind, other.kind}
	heavier(other, signal)
}

heavier(other, signal) if other.weight > signal.weight

heavier(other, signal) if {
	other.weight == signal.weight
	[other.ref, other.path] < [signal.ref, signal.path]
}
