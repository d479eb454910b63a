# The target in messages. A bare model is not a release, so it is called a model.
package salint.helpers

import data.salint.lib

# target is the name of the target in messages: olm-1.11, or the model `ignored`.
default target := "the target"

target := input.target.name if {
	not release_unknown
	input.target.name != input.model
}

target := sprintf("the model `%s`", [input.model]) if input.target.name == input.model

# on_target is the same with a preposition: on olm-1.11, under the model `ignored`.
default on_target := "on the target"

on_target := sprintf("on %s", [target]) if {
	not release_unknown
	input.target.name != input.model
}

on_target := sprintf("under %s", [target]) if input.target.name == input.model

# release_unknown is true if no target is set and none was detected. A rule then reports only what is wrong on every shipped
# release: under the model `required` as well as under the model `ignored`.
release_unknown if input.model == "unknown"

# identities_count is true if OLM acts as the identity of each extension, so that the bindings of the identity have an
# effect.
identities_count if input.model in {"required", "synthetic"}

# identities_may_count is also true if the release is unknown. It is for conditions under which a rule reports nothing.
identities_may_count if identities_count

identities_may_count if release_unknown

# as_written is true if the deployment unit applies exactly the objects of its files. If a kustomization patches,
# renames, or generates objects, or fetches a remote base, what is missing in the files can still exist on the cluster. The
# same holds for the fields of a manifest that a controller merges into an object.
as_written if {
	not merged
	count(object.get(input.unit, "transforms", [])) == 0
	count(object.get(input.unit, "remotes", [])) == 0
}

# fields_as_written is true if the deployment unit applies the fields of the judged object as they are in its file. A remote
# resource brings other objects, and cannot change this one; a remote component can.
fields_as_written if {
	not merged
	count(object.get(input.unit, "transforms", [])) == 0
	every remote in object.get(input.unit, "remotes", []) {
		object.get(remote, "field", "") in {"resources", "bases"}
	}
}

# whole is true if the unit also has all objects that exist in its place. What another object holds is never the whole.
whole if {
	as_written
	not partial
}

# partial is true for the objects that another object holds, such as a Policy or a ManifestWork: others can bring more objects
# to the same place (docs/embedded.md).
partial if object.get(input.unit, "partial", false)

merged if object.get(input.unit, "merged", false)

# judged returns a finding that depends on the target. If the release is unknown, it is another finding than that of a unit
# whose release is known: the two sides of the message differ.
judged(path, message) := lib.finding(path, message) if {
	not release_unknown
} else := lib.case(lib.finding(path, message), "unknown release")
