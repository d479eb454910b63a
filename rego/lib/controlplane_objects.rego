# The flags of the control plane in the objects of kubeadm, Cluster API, and OpenShift.
package salint.helpers.controlplane

# extra_args lists the flags that a ClusterConfiguration of kubeadm sets for a component of the control plane: name,
# value, and path. Cluster API embeds the ClusterConfiguration in other kinds, and kind patches it.
extra_args(resource, part) := array.concat(configured_args(resource, part), kind_args(resource, part))

configured_args(resource, part) := [argument |
	before := configurations[resource.kind]
	some key, value in object.get(resource, array.concat(before, [part, "extraArgs"]), {})
	argument := extra_arg(array.concat(before, [part, "extraArgs", key]), key, value)
]

configurations := {
	"ClusterConfiguration": [],
	"KubeadmConfig": ["spec", "clusterConfiguration"],
	"KubeadmConfigTemplate": ["spec", "template", "spec", "clusterConfiguration"],
	"KubeadmControlPlane": ["spec", "kubeadmConfigSpec", "clusterConfiguration"],
	"KubeadmControlPlaneTemplate": ["spec", "template", "spec", "kubeadmConfigSpec", "clusterConfiguration"],
}

extra_arg(path, key, value) := {"name": key, "value": value, "path": path} if {
	is_string(key)
	not is_object(value)
}

extra_arg(path, key, value) := {
	"name": value.name, "value": object.get(value, "value", ""), "path": array.concat(path, ["value"]),
} if {
	is_number(key)
	is_object(value)
}

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
