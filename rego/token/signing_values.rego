# Values of flags about tokens with which kube-apiserver does not start.
# Source: pkg/kubeapiserver/options/authentication.go (Validate) and pkg/controlplane/apiserver/options/options.go
# (completeServiceAccountOptions) of Kubernetes 1.37; the same since 1.20.
package salint.helpers.token.signing_values

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.signing_flags as flag

lifetime := "service-account-max-token-expiration"

keys := "service-account-jwks-uri"

# problems lists the values that stop the server: the argument, and the end of a sentence.
problems(run) := [problem |
	some argument in run.arguments
	argument.name in ({lifetime, keys, flag.issuer, modes} | booleans)
	not helpers.templated(argument.value)
	some text in refused(run, argument)
	problem := {"argument": argument, "text": text}
]

refused(run, argument) := {"sets --service-account-max-token-expiration to a value that is not between 1h and 2^32 seconds"} if {
	argument.name == lifetime
	regex.match(duration, argument.value)
	out_of_range(time.parse_duration_ns(argument.value))
} else := {"sets --service-account-max-token-expiration to a value that is not a duration, such as 24h"} if {
	argument.name == lifetime
	not regex.match(duration, argument.value)
	argument.value != "0"
} else := {"sets --service-account-jwks-uri to a URL without the scheme https"} if {
	argument.name == keys
	argument.value != ""
	not regex.match(`(?i)^https:`, argument.value)
} else := {"sets --service-account-issuer to a URL that is not valid"} if {
	argument.name == flag.issuer
	contains(argument.value, ":")
	regex.match(invalid_url, argument.value)
} else := {"sets --service-account-issuer twice to the same issuer"} if {
	argument.name == flag.issuer
	argument.value != ""
	earlier(run, argument)
} else := {sprintf("sets --%s to %q, which is neither true nor false", [argument.name, argument.value])} if {
	argument.name in booleans
	not regex.match(`^(?:|1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$`, argument.value)
} else := {"lists a mode twice in --authorization-mode"} if {
	argument.name == modes
	listed := plane.items(argument.value)
	count({mode | some mode in listed}) < count(listed)
} else := set()

booleans := {"service-account-lookup", "service-account-extend-token-expiration"}

modes := "authorization-mode"

invalid_url := `^:|^[A-Za-z][A-Za-z0-9+.-]*://[^/]*\s|[\x00-\x1f]`

duration := `^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$`

# out_of_range is true for a lifetime that is set, which 0 does not.
out_of_range(ns) if {
	ns != 0
	ns < 3600 * 1000000000
}

out_of_range(ns) if ns > 4294967296 * 1000000000

# earlier is true if an argument before it has the same issuer.
earlier(run, argument) if {
	same := [other | some other in plane.named(run, argument.name); other.value == argument.value]
	count(same) > 1
	argument != same[0]
}
