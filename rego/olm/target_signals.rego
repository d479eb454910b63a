# The signals of the target in input.resource, and how they compare with other signals.
package salint.lib.olm.target_signals

own_ref := salint.ref(input.resource)

own := [sign |
	some sign in salint.signs()
	sign.ref == own_ref
]

contradicts_target(sign) if {
	sign.model != ""
	sign.model != input.model
	sign.kind != "featureset"
	not same_release(sign)
}

contradicts_target(sign) if {
	sign.kind == "featureset"
	sign.model != "synthetic"
	input.model == "synthetic"
}

# A proposal for a release says something else than the release does. Whoever asks for it knows that; and a feature set is
# proposed for no release in particular.
same_release(sign) if {
	sign.kind == "clusterversion"
	input.target.name == sprintf("%s-proposed", [sign.target])
}

same_release(sign) if {
	sign.kind == "clusterversion"
	input.target.name == "ocp-techpreview-proposed"
}

outweighs(other, sign) if {
	sign.model != ""
	other.model != ""
	other.model != sign.model
	not "featureset" in {sign.kind, other.kind}
	heavier(other, sign)
}

heavier(other, sign) if other.weight > sign.weight

heavier(other, sign) if {
	other.weight == sign.weight
	[other.ref, other.path] < [sign.ref, sign.path]
}
