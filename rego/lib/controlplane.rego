# How the programs of the control plane are started: by containers, by kubeadm and by OpenShift.
package salint.lib.controlplane

# containers are those that start a program by its name and spell its flags out, each with the path to the container and
# with the flags: lists of values by name. Flags from a shell, a variable or a file are not known, and older images
# have other flags.
containers(resource, program) := [started |
	some pod in salint.pods(resource)
	some i, container in pod.spec.containers
	words := array.concat(texts(container, "command"), texts(container, "args"))
	starts(words, program)
	every word in words { spelt_out(word) }
	current(object.get(container, "image", ""))
	started := {"path": array.concat(pod.path, ["containers", i]), "flags": flags(words)}
]

texts(container, key) := [word | some word in container[key]; is_string(word)]

# starts tells that the first word is the program, or OpenShift's hyperkube with it.
starts(words, program) if last_step(words[0]) == program

starts(words, program) if {
	last_step(words[0]) == "hyperkube"
	words[1] == program
}

starts(words, program) if {
	startswith(words[0], "-")
	some word in words
	word == program
}

last_step(word) := step if {
	steps := split(word, "/")
	step := steps[count(steps) - 1]
}

spelt_out(word) if {
	not contains(word, "$")
	not contains(word, "{{")
	not startswith(word, "--config")
	not startswith(word, "--openshift-config")
	not startswith(word, "--flagfile")
}

# current tells that an image is not older than Kubernetes 1.20, in which the flags became what they are.
current(image) if not regex.match(`:v?1\.(\d|1\d)(\.|-|$)`, image)

flags(words) := {name: values |
	some word in words
	name := flag_name(word)
	values := [value |
		some i, other in words
		flag_name(other) == name
		value := flag_value(words, i)
	]
}

flag_name(word) := name if {
	startswith(word, "-")
	name := split(trim_left(word, "-"), "=")[0]
}

flag_value(words, i) := value if {
	at := indexof(words[i], "=")
	at >= 0
	value := substring(words[i], at + 1, -1)
}

flag_value(words, i) := value if {
	not contains(words[i], "=")
	value := words[i + 1]
	not startswith(value, "-")
}

flag_value(words, i) := "" if {
	not contains(words[i], "=")
	not words[i + 1]
}

flag_value(words, i) := "" if {
	not contains(words[i], "=")
	startswith(words[i + 1], "-")
}

# switched_off tells that --controllers takes one of the controllers out.
switched_off(given, names) if {
	some value in given.controllers
	some entry in split(value, ",")
	some name in names
	trim_space(entry) == sprintf("-%s", [name])
}

# extra_args are the flags that a ClusterConfiguration of kubeadm gives to a part of the control plane: name, value and path.
extra_args(resource, part) := [argument |
	resource.kind == "ClusterConfiguration"
	some key, value in resource[part].extraArgs
	argument := extra_arg(part, key, value)
]

extra_arg(part, key, value) := {"name": key, "value": value, "path": [part, "extraArgs", key]} if {
	is_string(key)
	not is_object(value)
}

extra_arg(part, key, value) := {
	"name": value.name, "value": object.get(value, "value", ""), "path": [part, "extraArgs", key, "value"],
} if {
	is_number(key)
	is_object(value)
}

# layers are the parts of OpenShift's configuration of its control plane, with the path to the arguments.
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
