# How the programs of the control plane are started: by containers, by kubeadm and by OpenShift.
package salint.lib.controlplane

# containers are those that start a program by its name and spell its flags out, each with the path to the container and
# with the flags: lists of values by name. Flags from a shell or a file are not known, and older images have other flags.
# One that is only asked for its version or its flags serves nobody.
containers(resource, program) := [started |
	some pod in salint.pods(resource)
	some i, container in pod.spec.containers
	words := array.concat(texts(container, "command"), texts(container, "args"))
	starts(words, program)
	entered(container, program)
	every word in words { spelt_out(word) }
	not only_asked(words)
	current(object.get(container, "image", ""))
	started := {"path": array.concat(pod.path, ["containers", i]), "flags": flags(words)}
]

only_asked(words) if {
	some word in words
	flag_name(word) in {"version", "help", "h"}
}

texts(container, key) := [word | some word in container[key]; is_string(word)]

# starts tells that the first word is the program, or OpenShift's hyperkube with it.
starts(words, program) if last_step(words[0]) == program

starts(words, program) if {
	last_step(words[0]) == "hyperkube"
	words[1] == program
}

# Kubernetes' own images write logs by a program that starts another: the first word that is none of its flags.
starts(words, program) if {
	last_step(words[0]) == "go-runner"
	started := [word | some i, word in words; i > 0; not startswith(word, "-")]
	last_step(started[0]) == program
}

# entered tells that the words are a command, and not arguments of a program that the image starts.
entered(container, _) if count(container.command) > 0

entered(container, program) if {
	count(object.get(container, "command", [])) == 0
	regex.match(sprintf(`(^|/)(%s|hyperkube)(-[a-z0-9]+)?(:|@|$)`, [program]), container.image)
}

last_step(word) := step if {
	steps := split(word, "/")
	step := steps[count(steps) - 1]
}

spelt_out(word) if {
	not filled_in(word)
	not startswith(word, "--config")
	not startswith(word, "--openshift-config")
	not startswith(word, "--flagfile")
}

# filled_in tells of a word that may turn out to be any flag. A variable in the value of a flag is no matter.
filled_in(word) if {
	some mark in {"$", "{{"}
	at := indexof(word, mark)
	at >= 0
	not contains(substring(word, 0, at), "=")
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
	name := replace(split(trim_left(word, "-"), "=")[0], "_", "-") # the programs take both
}

flag_value(words, i) := value if {
	at := indexof(words[i], "=")
	at >= 0
	value := substring(words[i], at + 1, -1)
} else := value if {
	value := words[i + 1]
	not startswith(value, "-")
} else := ""

# switched_off tells that --controllers takes one of the controllers out.
switched_off(given, names) if {
	some value in given.controllers
	some entry in split(value, ",")
	some name in names
	trim_space(entry) == sprintf("-%s", [name])
}
