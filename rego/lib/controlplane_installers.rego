# The flags of the control plane in the objects of kind, kops, k0s, Rancher, and of providers of Cluster API for RKE2 and k3s.
# Sources: pkg/apis/config/v1alpha4/types.go of kind, pkg/apis/kops/v1alpha2/componentconfig.go of kops, pkg/apis/k0s/v1beta1 of k0s, the types of
# provisioning.cattle.io of Rancher, and the types of the control planes in cluster-api-provider-rke2, cluster-api-k3s, and k0smotron.
package salint.helpers.controlplane

# kind_args lists the flags that a cluster of kind sets by patches of the ClusterConfiguration of kubeadm, with the path to the patch.
kind_args(resource, part) := [argument |
	is_of(resource, "Cluster", "kind.x-k8s.io")
	some patch in kind_patches(resource)
	some written in regex.split(`(?m)^---\s*$`, patch.text)
	yaml.is_valid(written)
	document := yaml.unmarshal(written)
	document.kind == "ClusterConfiguration"
	some key, value in object.get(document, [part, "extraArgs"], {})
	argument := object.union(extra_arg(patch.path, key, value), {"path": patch.path})
]

# kind_patches lists the patches for the nodes of the control plane.
kind_patches(resource) := array.concat(
	[patch |
		some i, text in resource.kubeadmConfigPatches
		is_string(text)
		patch := {"path": ["kubeadmConfigPatches", i], "text": text}
	],
	[patch |
		some n, node in resource.nodes
		object.get(node, "role", "control-plane") == "control-plane"
		some i, text in node.kubeadmConfigPatches
		is_string(text)
		patch := {"path": ["nodes", n, "kubeadmConfigPatches", i], "text": text}
	],
)

is_of(resource, kind, group) if {
	resource.kind == kind
	startswith(resource.apiVersion, sprintf("%s/", [group]))
}

# installer_arguments lists the arguments that the objects of other installers set for a program.
installer_arguments(resource, program) := array.concat(
	array.concat(kops_arguments(resource, program), kops_modes(resource, program)),
	array.concat(k0s_arguments(resource, program), listed_arguments(resource, program)),
)

kops_arguments(resource, program) := [argument |
	is_of(resource, "Cluster", "kops.k8s.io")
	part := kops_parts[program]
	some field, name in kops_flags
	value := resource.spec[part][field]
	argument := {"name": name, "value": joined(value), "path": ["spec", part, field]}
]

kops_modes(resource, program) := [argument |
	program == "kube-apiserver"
	is_of(resource, "Cluster", "kops.k8s.io")
	is_object(resource.spec.authorization.alwaysAllow)
	argument := {"name": "authorization-mode", "value": "AlwaysAllow", "path": ["spec", "authorization", "alwaysAllow"]}
]

kops_parts := {"kube-apiserver": "kubeAPIServer", "kube-controller-manager": "kubeControllerManager", "kube-scheduler": "kubeScheduler"}

kops_flags := {
	"admissionControl": "admission-control",
	"apiAudiences": "api-audiences",
	"authorizationMode": "authorization-mode",
	"controllers": "controllers",
	"disableAdmissionPlugins": "disable-admission-plugins",
	"enableAdmissionPlugins": "enable-admission-plugins",
	"featureGates": "feature-gates",
	"oidcClientID": "oidc-client-id",
	"oidcGroupsClaim": "oidc-groups-claim",
	"oidcGroupsPrefix": "oidc-groups-prefix",
	"oidcIssuerURL": "oidc-issuer-url",
	"oidcUsernameClaim": "oidc-username-claim",
	"oidcUsernamePrefix": "oidc-username-prefix",
	"serviceAccountIssuer": "service-account-issuer",
	"serviceAccountJWKSURI": "service-account-jwks-uri",
	"serviceAccountKeyFile": "service-account-key-file",
	"serviceAccountPrivateKeyFile": "service-account-private-key-file",
	"serviceAccountSigningKeyFile": "service-account-signing-key-file",
}

joined(value) := concat(",", [text_of(item) | some item in value]) if is_array(value)

joined(value) := concat(",", [sprintf("%s=%s", [name, text_of(item)]) | some name, item in value]) if is_object(value)

joined(value) := text_of(value) if {
	not is_array(value)
	not is_object(value)
}

k0s_arguments(resource, program) := [argument |
	some before in k0s_paths[resource.kind]
	part := k0s_parts[program]
	path := array.concat(before, ["spec", part, "extraArgs"])
	some name, value in object.get(resource, path, {})
	is_string(name)
	argument := {"name": name, "value": text_of(value), "path": array.concat(path, [name])}
]

k0s_paths := {
	"ClusterConfig": [[]],
	"K0sControlPlane": [["spec", "k0sConfigSpec", "k0s"]],
	"K0sControlPlaneTemplate": [["spec", "template", "spec", "k0sConfigSpec", "k0s"]],
}

k0s_parts := {"kube-apiserver": "api", "kube-controller-manager": "controllerManager", "kube-scheduler": "scheduler"}

# listed_arguments reads lists of NAME=VALUE, with or without dashes.
listed_arguments(resource, program) := [argument |
	some path in paths_of_texts(resource, program)
	some i, text in texts_at(resource, path)
	is_string(text)
	parts := split(trim_left(text, "-"), "=")
	argument := {"name": parts[0], "value": concat("=", array.slice(parts, 1, count(parts))), "path": array.concat(path, [i])}
]

texts_at(resource, path) := list if {
	list := object.get(resource, path, [])
	is_array(list)
} else := [object.get(resource, path, "")]

paths_of_texts(resource, program) := paths if {
	is_of(resource, "Cluster", "provisioning.cattle.io")
	key := sprintf("%s-arg", [program])
	paths := array.concat(
		[["spec", "rkeConfig", "machineGlobalConfig", key]],
		[["spec", "rkeConfig", "machineSelectorConfig", i, "config", key] | some i, _ in resource.spec.rkeConfig.machineSelectorConfig],
	)
} else := [["spec", "serverConfig", rke2_parts[program], "extraArgs"]] if {
	is_of(resource, "RKE2ControlPlane", "controlplane.cluster.x-k8s.io")
} else := [["spec", "kthreesConfigSpec", "serverConfig", k3s_lists[program]]] if {
	is_of(resource, "KThreesControlPlane", "controlplane.cluster.x-k8s.io")
} else := []

rke2_parts := {"kube-apiserver": "kubeAPIServer", "kube-controller-manager": "kubeControllerManager", "kube-scheduler": "kubeScheduler"}

k3s_lists := {"kube-apiserver": "kubeAPIServerArg", "kube-controller-manager": "kubeControllerManagerArgs", "kube-scheduler": "kubeSchedulerArgs"}
