# The arguments of the programs of the control plane, each with its place, wherever an object sets them.
package salint.helpers.controlplane

# started lists how an object starts a program: by a container, by kubeadm or another installer, or by OpenShift. Each has the arguments, the version
# of Kubernetes as its minor number, and `pods`: whether the control plane is known to be that of a cluster whose nodes run pods.
# API servers in other workloads can belong to control planes without nodes, such as those of Karmada and kcp.
started(resource, program) := array.concat(
	[run |
		some found in containers(resource, program)
		run := {"arguments": words(found), "minor": image_minor(found.container), "pods": resource.kind == "Pod"}
	],
	[run |
		arguments := array.concat(
			array.concat(placed_arguments(resource, program), layer_arguments(resource, program)),
			kops_arguments(resource, program),
		)
		count(arguments) > 0
		run := {"arguments": arguments, "minor": minor_of(resource), "pods": true}
	],
)

# named lists the arguments of a name: {name, value, path}.
named(run, name) := [argument | some argument in run.arguments; argument.name == name]

words(found) := [argument |
	placed := [word |
		some key in ["command", "args"]
		some i, text in found.container[key]
		is_string(text)
		word := {"text": text, "path": array.concat(found.path, [key, i])}
	]
	strings := [word.text | some word in placed]
	some i, word in placed
	argument := {"name": flag_name(word.text), "value": flag_value(strings, i), "path": word.path}
]

layer_arguments(resource, program) := [argument |
	resource.kind in layer_kinds[program]
	some layer in layers(resource)
	some name, values in layer.arguments
	some i, value in values
	argument := {"name": name, "value": text_of(value), "path": array.concat(layer.path, [name, i])}
]

layer_kinds := {
	"kube-apiserver": {"KubeAPIServerConfig", "KubeAPIServer"},
	"kube-controller-manager": {"KubeControllerManagerConfig", "KubeControllerManager"},
	"kube-scheduler": set(),
}

text_of(value) := value if is_string(value)

text_of(value) := sprintf("%v", [value]) if not is_string(value)

# items splits the value of an argument that is a list.
items(value) := [trim_space(item) | some item in split(value, ","); trim_space(item) != ""]

# image_minor is the minor version of Kubernetes in the tag of an image; -1 if it is unknown.
image_minor(container) := minor(tag) if {
	parts := regex.find_all_string_submatch_n(`(^|/)(?:kube-[a-z-]+|hyperkube|hardened-kubernetes)(?:-[a-z0-9]+)?:([^@/]+)`, container.image, 1)
	tag := parts[0][2]
} else := -1

# minor_of is the minor version of Kubernetes that an object of an installer installs; -1 if it is unknown.
minor_of(resource) := minor(tag_of(version)) if {
	version := object.get(resource, place(resource).version, null)
	is_string(version)
} else := minor(version) if {
	is_of(resource, "Cluster", "kops.k8s.io")
	version := resource.spec.kubernetesVersion
} else := minor(tag_of(node.image)) if {
	is_of(resource, "Cluster", "kind.x-k8s.io")
	some node in resource.nodes
} else := -1

# tag_of is the version in the tag of an image, or a version itself.
tag_of(text) := words[count(words) - 1] if words := split(split(text, "@")[0], ":")

minor(version) := to_number(found[0][1]) if {
	found := regex.find_all_string_submatch_n(`^(?:stable-|latest-)?v?1\.(\d+)(?:$|[^\d])`, version, 1)
	count(found) == 1
} else := -1
