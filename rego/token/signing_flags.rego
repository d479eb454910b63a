# The flags with which the control plane signs and verifies tokens.
package salint.helpers.token.signing_flags

issuer := "service-account-issuer"

signing := "service-account-signing-key-file"

endpoint := "service-account-signing-endpoint"

verifying := "service-account-key-file"

private := "service-account-private-key-file"

given(flags, name) if {
	some value in flags[name]
	value != ""
}

# server_problems are what is wrong with the flags of kube-apiserver: by its name, the end of a message that begins with
# "… starts kube-apiserver".
server_problems(flags) := {name: problem |
	some name, problem in {
		"unsigned": unsigned(flags),
		"nameless": nameless(flags),
		"unverified": unverified(flags),
		"excluded": excluded(flags),
	}
	problem != ""
}

unsigned(flags) := sprintf("without --%s and --%s. %s Set one of the two flags.", [signing, endpoint, stopped]) if {
	not given(flags, signing)
	not given(flags, endpoint)
} else := ""

nameless(flags) := sprintf("without --%s. %s Set the flag.", [issuer, stopped]) if {
	not given(flags, issuer)
} else := ""

unverified(flags) := sprintf(
	concat(" ", [
		"with --%s and without --%s.",
		"It rejects tokens that are not signed with its TLS key. Set both flags.",
	]),
	[signing, verifying],
) if {
	given(flags, signing)
	not given(flags, verifying)
} else := ""

excluded(flags) := sprintf("with --%s and --%s, which exclude each other. %s Remove one of them.", [endpoint, file, stopped]) if {
	given(flags, endpoint)
	file := [name | some name in [signing, verifying]; given(flags, name)][0]
} else := ""

stopped := "It does not start."

keyless := "The control plane has no key or issuer for tokens"

set_value := "Set a value, or remove the argument."

unlisted := concat(" ", [
	"sets serviceAccountPublicKeyFiles to an empty list.",
	"kube-apiserver has no key to verify tokens of accounts with, and rejects all of them. List at least one public key.",
])
