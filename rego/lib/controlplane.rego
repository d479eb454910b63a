# How the programs of the control plane are started: by containers, by kubeadm and by OpenShift.
package salint.helpers.controlplane

# containers lists the containers that start a program by its name and spell out its flags, each with the path to the
# container, the container, and the flags: lists of values by name. Flags from a shell or a file are unknown, and older images have
# other flags. A container that only prints the version or the help of the program does not count.
containers(resource, program) := [started |
	some pod in salint.pods(resource)
	some i, container in pod.spec.containers
	words := array.concat(strings_of(container, "command"), strings_of(container, "args"))
	starts(words, program)
	entered(container, program)
	every word in words { spelt_out(word) }
	not only_prints(words)
	current(object.get(container, "image", ""))
	started := {"path": array.concat(pod.path, ["containers", i]), "container": container, "flags": flags(words)}
]

only_prints(words) if {
	some word in words
	flag_name(word) in {"version", "help", "h"}
}

strings_of(container, key) := [word | some word in container[key]; is_string(word)]

# starts is true if the first word is the program, or OpenShift's hyperkube with the program as its argument.
starts(words, program) if last_step(words[0]) == program

starts(words, program) if {
	last_step(words[0]) == "hyperkube"
	words[1] == program
}

# The images of Kubernetes start the program through go-runner, which writes the logs: the program is its first argument
# that is not a flag.
starts(words, program) if {
	last_step(words[0]) == "go-runner"
	started := [word | some i, word in words; i > 0; not startswith(word, "-")]
	last_step(started[0]) == program
}

# entered is true if the words are a command, not arguments of a program that the image starts.
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

# filled_in is true for a word that can become any flag. A variable in the value of a flag does not count.
filled_in(word) if {
	some mark in {"$", "{{"}
	at := indexof(word, mark)
	at >= 0
	not contains(substring(word, 0, at), "=")
}

# current is true if an image is not older than Kubernetes 1.20, the first release with the present flags.
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
	name := replace(split(trim_left(word, "-"), "=")[0], "_", "-") # the programs accept both
}

flag_value(words, i) := value if {
	at := indexof(words[i], "=")
	at >= 0
	value := substring(words[i], at + 1, -1)
} else := value if {
	value := words[i + 1]
	not is_flag(value, flag_name(words[i]))
} else := ""

# is_flag is true for a word that is a flag, not the value of the flag before it. A list of controllers can begin with one that
# is disabled.
is_flag(word, before) if {
	startswith(word, "-")
	before != "controllers"
}

# switched_off is true if --controllers disables a controller that has these names. The first entry about it counts.
switched_off(given, names) if {
	chosen := [name |
		some value in given.controllers
		some entry in split(value, ",")
		name := trim_space(entry)
		trim_prefix(name, "-") in names
	]
	startswith(chosen[0], "-")
}
