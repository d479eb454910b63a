# The flags of the control plane in clusters of kops, which have a field for each flag.
# Source: pkg/apis/kops/v1alpha2/componentconfig.go of kops.
package salint.helpers.controlplane

# kops_arguments lists the arguments that a cluster of kops sets for a program.
kops_arguments(resource, program) := array.concat(kops_fields(resource, program), kops_modes(resource, program))

is_of(resource, kind, group) if {
	resource.kind == kind
	startswith(resource.apiVersion, sprintf("%s/", [group]))
}

kops_fields(resource, program) := [argument |
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
