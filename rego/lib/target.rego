# What a deployment unit is judged for. A release is named as such; a bare model is called so, for it is no release.
package salint.lib

# target is what messages call the target: olm-1.11, or the model `ignored`.
default target := "the target"

target := input.target.name if input.target.name != input.model

target := sprintf("the model `%s`", [input.model]) if input.target.name == input.model

# on_target is the same behind a verb: on olm-1.11, under the model `ignored`.
default on_target := "on the target"

on_target := sprintf("on %s", [target]) if input.target.name != input.model

on_target := sprintf("under %s", [target]) if input.target.name == input.model

# identities_count tells that OLM acts as the identity of each extension, so that what is bound to it matters.
identities_count if input.model in {"required", "synthetic"}

# as_written tells that the objects of the unit are applied as their files have them, and no others. Where a
# kustomization patches, renames or generates on the way, or fetches a base from elsewhere, what is missing in the files
# may be there on the cluster.
as_written if {
	count(object.get(input.unit, "transforms", [])) == 0
	count(object.get(input.unit, "remotes", [])) == 0
}

# judged is a finding that holds for the target only. When nothing told the target, the message says what it was judged
# for.
judged(path, message) := finding(path, message) if {
	object.get(input.target, "known", true)
} else := finding(path, told) if {
	told := sprintf(
		"%s (No release is known here, so this is judged for the model `%s`; --target names another.)",
		[message, input.model],
	)
}
