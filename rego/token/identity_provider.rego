# METADATA
# title: An identity provider can name accounts or system:masters
# description: |
#   kube-apiserver takes the users and groups of an OpenID provider as they are in its tokens, after a prefix. Without a prefix, anyone who can choose a
#   claim there is any user: `system:serviceaccount:kube-system:…` is an account with all that it is granted, and the group
#   `system:masters` can do everything, whatever roles grant.
#
#   * Flags: `--oidc-groups-claim` without `--oidc-groups-prefix`, and `--oidc-username-prefix=-` with a claim other than `email`. Without
#     `--oidc-username-prefix`, the prefix of users is the issuer, and there is none for the claim `email`, which is not the name of an account.
#   * `claimMappings` of an AuthenticationConfiguration: an empty `prefix`, or an expression that does not begin with a string, unless
#     `userValidationRules` reject names with `system:`.
#   * `claimMappings` of OpenShift's Authentication, and of the same in HostedClusters and HostedControlPlanes of HyperShift:
#     `prefixPolicy: NoPrefix`, and groups without a `prefix`, unless `userValidationRules` reject these names.
#
#   kube-apiserver does not start with `--oidc-*` without both `--oidc-issuer-url` and `--oidc-client-id`, or beside `--authentication-config`.
#
#   This rule checks containers that start kube-apiserver by name and with explicit flags, the objects of kubeadm and Cluster API,
#   the objects and settings of installers (kind, kops, k0s, Rancher, RKE, RKE2, k3s, k3d, Talos, talhelper, vcluster, Kamaji, and EKS Anywhere), AuthenticationConfigurations, OpenShift's Authentication, and
#   clusters of HyperShift.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#configuring-the-api-server
#     description: OpenID Connect tokens
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/kubeapiserver/options/authentication.go
#     description: The default prefixes, and flags that exclude each other (validateOIDCOptions)
# custom:
#   severity: warning
#   kinds: [Pod, AuthenticationConfiguration.apiserver.config.k8s.io, Authentication.config.openshift.io, HostedCluster.hypershift.openshift.io, HostedControlPlane.hypershift.openshift.io, control_planes]
#   words: [oidc, claimMappings]
#   fix: none
package salint.rules.token.identity_provider

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.claim_mappings as mappings
import data.salint.lib

report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	some problem in array.concat(unprefixed_flags(run), stopping_flags(run))
	finding := lib.case(
		lib.finding(problem.path, sprintf("%s %s", [helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), problem.text])),
		problem.case,
	)
}

report contains finding if {
	some problem in mappings.problems(input.resource)
	finding := lib.case(
		lib.finding(problem.path, sprintf("%s %s", [helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), problem.text])),
		problem.case,
	)
}

unprefixed_flags(run) := [problem |
	some what in ["users", "groups"]
	argument := unprefixed(run, what)
	problem := {"path": argument.path, "case": what, "text": sprintf("takes %s from an OpenID provider without a prefix. %s Set --oidc-%s-prefix.", [
		what, mappings.effect[what], {"users": "username", "groups": "groups"}[what],
	])}
]

unprefixed(run, "groups") := plane.named(run, "oidc-groups-claim")[0] if {
	plane.named(run, "oidc-groups-claim")[0].value != ""
	not set_to(run, "oidc-groups-prefix")
}

unprefixed(run, "users") := argument if {
	argument := plane.named(run, "oidc-username-prefix")[0]
	argument.value == "-"
	every claim in plane.named(run, "oidc-username-claim") { claim.value != "email" }
}

set_to(run, name) if {
	some argument in plane.named(run, name)
	argument.value != ""
}

# stopping_flags reports flags with which the server does not start.
stopping_flags(run) := [{
	"path": given[0].path, "case": "excluded",
	"text": "sets --oidc-* and --authentication-config, which exclude each other. kube-apiserver does not start. Remove the --oidc-* flags.",
}] if {
	given := [argument | some argument in run.arguments; startswith(argument.name, "oidc-")]
	count(given) > 0
	set_to(run, "authentication-config")
} else := [{
	"path": given[0].path, "case": "incomplete",
	"text": "sets --oidc-* without both --oidc-issuer-url and --oidc-client-id. kube-apiserver does not start. Set both.",
}] if {
	input.resource.kind == "Pod"
	given := [argument | some argument in run.arguments; startswith(argument.name, "oidc-")]
	count(given) > 0
	some name in ["oidc-issuer-url", "oidc-client-id"]
	not set_to(run, name)
} else := [{
	"path": argument.path, "case": "scheme",
	"text": "sets --oidc-issuer-url to a URL without the scheme https. kube-apiserver does not start. Correct the URL.",
} |
	some argument in plane.named(run, "oidc-issuer-url")
	argument.value != ""
	not helpers.templated(argument.value)
	not startswith(argument.value, "https://")
]
