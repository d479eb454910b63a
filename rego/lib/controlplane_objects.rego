# The arguments of the control plane in objects and settings, and OpenShift's layers of them.
package salint.helpers.controlplane

# placed_arguments lists the arguments that an object sets at the places of its kind: {name, value, path}. The path leads to it if they are inside of a string.
placed_arguments(resource, program) := array.concat(
	array.concat(fields_at(resource, program), strings_at(resource, program)),
	array.concat(patches_at(resource, program), flags_at(resource, program)),
)

# place is where objects of a kind set arguments; undefined for other kinds.
place(resource) := places[sprintf("%s.%s", [resource.kind, split(resource.apiVersion, "/")[0]])]

# kubeadm_arguments lists those that replace the defaults of kubeadm.
kubeadm_arguments(resource, program) := placed_arguments(resource, program) if {
	place(resource).of == "kubeadm"
} else := []

fields_at(resource, program) := [argument |
	found := place(resource)
	some before in found.at
	some steps in spellings(found.of, program)
	some at in paths_to(resource, array.concat(before, steps))
	some argument in listed(object.get(resource, at, null), at)
]

# spellings lists the paths of the arguments. A list of k3s in another file is extended under its name with a plus.
spellings("k3s", program) := [parts.k3s[program], [sprintf("%s+", [parts.k3s[program][0]])]]

spellings(of, program) := [parts[of][program]] if of != "k3s"

# paths_to lists the paths of a pattern with at most one star.
paths_to(_, pattern) := [pattern] if not "*" in pattern

paths_to(resource, pattern) := [path |
	some i, step in pattern
	step == "*"
	before := array.slice(pattern, 0, i)
	some n, _ in object.get(resource, before, [])
	path := array.concat(before, array.concat([n], array.slice(pattern, i + 1, count(pattern))))
] if {
	"*" in pattern
}

# listed reads a mapping, a list of names and values, a list of NAME=VALUE with or without dashes, or one of these.
listed(value, path) := [argument |
	some name, given in value
	is_string(name)
	argument := {"name": name, "value": joined(given), "path": array.concat(path, [name])}
] if {
	is_object(value)
} else := [argument |
	some i, item in value
	some argument in listed_item(item, array.concat(path, [i]))
] if {
	is_array(value)
} else := listed_item(value, path)

listed_item(item, path) := [{"name": item.name, "value": text_of(object.get(item, "value", "")), "path": array.concat(path, ["value"])}] if {
	is_string(item.name)
} else := [{"name": assigned.name, "value": assigned.value, "path": path}] if {
	assigned := assignment(item)
} else := []

assignment(text) := {"name": steps[0], "value": concat("=", array.slice(steps, 1, count(steps)))} if {
	is_string(text)
	steps := split(trim_left(text, "-"), "=")
}

# flags_at reads flags of k3s that hold an argument of a program: --kube-apiserver-arg=NAME=VALUE.
flags_at(resource, program) := [argument |
	some pattern in place(resource).flags
	[path, text] := walk(resource)
	matches(path, pattern)
	flag := assignment(text)
	flag.name == sprintf("%s-arg", [program])
	argument := object.union(assignment(flag.value), {"path": path})
]

strings_at(resource, program) := [object.union(argument, {"path": path}) |
	found := place(resource)
	some pattern in found.strings
	[path, text] := walk(resource)
	matches(path, pattern)
	is_string(text)
	not of_worker(resource, path)
	some written in regex.split(`(?m)^---\s*$`, text)
	yaml.is_valid(written)
	some argument in inside(yaml.unmarshal(written), parts[found.of][program])
]

matches(path, pattern) if {
	count(path) == count(pattern)
	every i, step in pattern { step in {"*", path[i]} }
}

# of_worker is true for a patch of a node that runs no control plane.
of_worker(resource, path) if {
	path[0] == "nodes"
	resource.nodes[path[1]].role == "worker"
}

of_worker(resource, path) if {
	path[0] == "nodes"
	resource.kind == "TalhelperConfig"
	object.get(resource.nodes[path[1]], "controlPlane", false) == false
}

patches_at(resource, program) := [object.union(argument, {"path": pattern}) |
	found := place(resource)
	some pattern in found.patches
	some argument in inside(object.get(resource, pattern, []), parts[found.of][program])
]

# inside lists the arguments in a document of a string: a part of the configuration, or a JSON patch of it.
inside(document, steps) := listed(object.get(document, steps, null), []) if {
	is_object(document)
} else := [argument |
	some change in document
	change.op in {"add", "replace"}
	some argument in changed(split(trim_left(change.path, "/"), "/"), change.value, steps)
] if {
	is_array(document)
} else := []

# changed lists the arguments that a change of a JSON patch sets: the mapping itself, one of its fields, or something around it.
changed(path, value, steps) := listed(object.get(value, array.slice(steps, count(path), count(steps)), null), []) if {
	is_object(value)
	path == array.slice(steps, 0, count(path))
} else := [{"name": path[count(steps)], "value": joined(value)}] if {
	count(path) == count(steps) + 1
	array.slice(path, 0, count(steps)) == steps
} else := []

# layers lists the parts of OpenShift's configuration of its control plane, each with the path to the arguments.
layers(resource) := [layer |
	some path in layer_paths
	arguments := object.get(resource, path, null)
	is_object(arguments)
	layer := {"path": path, "arguments": arguments}
]

layer_paths := [array.concat(before, [key]) |
	some before in [[], ["spec", "observedConfig"], ["spec", "unsupportedConfigOverrides"]]
	some key in ["apiServerArguments", "extendedArguments"]
]
