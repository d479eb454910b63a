# METADATA
# title: A token Secret gets no token
# description: |
#   The token controller writes a token only into a Secret of the type `kubernetes.io/service-account-token`. A Secret with the annotation
#   `kubernetes.io/service-account.name` and no type is of the type `Opaque`, and one with a misspelled type is accepted as it is: both stay
#   empty. A pod that needs the token does not find it. The type of a Secret is immutable, so the Secret must be created again.
#
#   Not reported are a Secret without a type that has data, and other types that Kubernetes or OpenShift use with the annotation, such as
#   `kubernetes.io/dockercfg`.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
#     description: Token Secrets
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types
#     description: The types of Secrets
# custom:
#   severity: warning
#   kinds: [Secret]
#   words: [kubernetes.io/service-account.name, account-token, accounttoken, account_token]
#   fix: none
package salint.rules.token.secret_in_vain

import data.salint.helpers
import data.salint.helpers.tokens
import data.salint.lib

type := "kubernetes.io/service-account-token"

report contains lib.case(lib.finding(place, message), called) if {
	helpers.fields_as_written
	in_vain
	message := sprintf(
		"%s gets no token: its type is %s, and the token controller writes only into Secrets of the type %s. %s",
		[helpers.called(input.resource), called, type, "Set the type, or delete the Secret if no program needs a token that never expires."],
	)
}

default written := ""

written := input.resource.type if is_string(input.resource.type)

place := ["type"] if {
	written != ""
} else := ["metadata", "annotations", tokens.annotation]

called := "Opaque, the default" if {
	written == ""
} else := sprintf("%q", [written])

in_vain if {
	written in {"", "Opaque"}
	tokens.account(input.resource) != ""
	not input.resource.data
	not input.resource.stringData
}

# misspelled: Kubernetes defines all types with its prefix.
in_vain if {
	startswith(written, "kubernetes.io/")
	tokens.account(input.resource) != ""
	not written in defined
}

in_vain if {
	letters(written) == letters(type)
	written != type
}

# letters ignores the case, dashes, and underscores.
letters(text) := regex.replace(lower(text), `[-_\s]`, "")

# https://github.com/kubernetes/kubernetes/blob/v1.34.4/staging/src/k8s.io/api/core/v1/types.go (SecretType)
defined := {
	"kubernetes.io/service-account-token", "kubernetes.io/dockercfg", "kubernetes.io/dockerconfigjson", "kubernetes.io/basic-auth",
	"kubernetes.io/ssh-auth", "kubernetes.io/tls",
}
