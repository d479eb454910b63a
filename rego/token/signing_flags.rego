# The flags by which the control plane signs and checks tokens.
package salint.lib.token.signing_flags

issuer := "service-account-issuer"

signing := "service-account-signing-key-file"

endpoint := "service-account-signing-endpoint"

verifying := "service-account-key-file"

private := "service-account-private-key-file"

given(flags, name) if {
	some value in flags[name]
	value != ""
}

server_problems(flags) := {problem |
	some problem in {
		unsigned(flags),
		nameless(flags),
		unverified(flags),
		excluded(flags),
	}
	problem != ""
}

unsigned(flags) := sprintf("without --%s (or --%s): it does not start.", [signing, endpoint]) if {
	not given(flags, signing)
	not given(flags, endpoint)
} else := ""

nameless(flags) := sprintf("without --%s: it does not start.", [issuer]) if not given(flags, issuer)

else := ""

unverified(flags) := sprintf(
	"with --%s and without --%s: it checks tokens against its TLS key, and refuses those that it signs with another.",
	[signing, verifying],
) if {
	given(flags, signing)
	not given(flags, verifying)
} else := ""

excluded(flags) := sprintf("with --%s and with --%s: the one excludes the other, and it does not start.", [endpoint, file]) if {
	given(flags, endpoint)
	file := [name | some name in [signing, verifying]; given(flags, name)][0]
} else := ""
