# The users and groups that structured configurations take from tokens of OpenID providers.
# Sources: staging/src/k8s.io/apiserver/pkg/apis/apiserver/v1/types.go of Kubernetes 1.34, config/v1/types_authentication.go of openshift/api,
# and api/hypershift/v1beta1 (ClusterConfiguration) of HyperShift.
package salint.helpers.token.claim_mappings

effect := {
	"users": "The provider can name accounts, as system:serviceaccount:NAMESPACE:NAME.",
	"groups": "The provider can name the group system:masters, which can do everything, and those of accounts.",
}

# problems lists the mappings without a prefix: path, case, and the rest of a sentence.
problems(resource) := array.concat(
	[problem |
		resource.kind == "AuthenticationConfiguration"
		some i, provider in resource.jwt
		some what, field in {"users": "username", "groups": "groups"}
		mapping := provider.claimMappings[field]
		unprefixed(what, mapping)
		not rejected(provider, what)
		problem := reported(["jwt", i, "claimMappings", field], what, i)
	],
	[problem |
		path := array.concat(of_openshift[resource.kind], ["oidcProviders"])
		some i, provider in object.get(resource, path, [])
		some what, field in {"users": "username", "groups": "groups"}
		mapping := provider.claimMappings[field]
		unprefixed_by_openshift(what, mapping)
		not rejected(provider, what)
		problem := reported(array.concat(path, [i, "claimMappings", field]), what, i)
	],
)

# of_openshift has where the specification of an Authentication is, which HyperShift has for each hosted cluster.
of_openshift := {
	"Authentication": ["spec"],
	"HostedCluster": ["spec", "configuration", "authentication"],
	"HostedControlPlane": ["spec", "configuration", "authentication"],
}

reported(path, what, i) := {"path": path, "case": [what, sprintf("%d", [i])], "text": sprintf("takes %s from an OpenID provider without a prefix. %s Set a prefix in the mapping.", [what, effect[what]])}

unprefixed(what, mapping) if {
	object.get(mapping, "claim", "") != ""
	object.get(mapping, "prefix", null) == ""
	not is_email(what, mapping.claim)
}

# An expression that begins with a string has a prefix; in one with functions or conditions, it is unknown.
unprefixed(_, mapping) if regex.match(`^\s*claims\.[\w.]+\s*$`, mapping.expression)

unprefixed(_, mapping) if regex.match(`^\s*claims\[["'][^"']+["']\]\s*$`, mapping.expression)

# An e-mail address has an @, and is not the name of an account.
is_email("users", "email")

# rejected is true if a rule for the users that result names system:, which rejects such names in all published forms.
rejected(provider, "users") if {
	some rule in provider.userValidationRules
	contains(rule.expression, "user.username")
	contains(rule.expression, "system:")
}

rejected(provider, "groups") if {
	some rule in provider.userValidationRules
	contains(rule.expression, "user.groups")
	contains(rule.expression, "system:")
}

unprefixed_by_openshift("users", mapping) if {
	object.get(mapping, "claim", "") != ""
	mapping.prefixPolicy == "NoPrefix"
	mapping.claim != "email"
}

unprefixed_by_openshift("groups", mapping) if {
	object.get(mapping, "claim", "") != ""
	object.get(mapping, "prefix", "") == ""
}
