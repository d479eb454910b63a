# METADATA
# title: A pod gets a token of an account without permissions
# description: |
#   The API server mounts a token of the account into every pod, unless the pod or the account sets
#   `automountServiceAccountToken: false`. The field of the pod takes precedence. If no role is granted to the account,
#   the token allows only what every authenticated user can do. An attacker who takes over the pod still gets it, and
#   the token also proves the identity of its holder to other systems.
#
#   Bindings in other repositories are unknown here, and a program can use the token outside the API server. So the rule
#   runs only if it is enabled, and its fix needs `--unsafe-fixes`.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting
#     description: Opting out of the token
# custom:
#   severity: note
#   opt_in: true
#   kinds: [workloads]
#   reads: [ServiceAccount, ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   fix:
#     name: unmount-token
#     kind: unsafe
#     description: Set `automountServiceAccountToken` of the pod to `false`.
package salint.rules.pod.token_mounted

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some i, admitted in salint.admission(input.resource)
	not admitted.static
	admitted.mounted
	known(admitted)
	not helpers.placeholder(admitted.account)
	accounts.whole
	not bound(admitted.account)
	pod := salint.pods(input.resource)[i]
	finding := lib.case(lib.finding(place(admitted, pod), message(admitted)), ["account", pod.account_path])
}

# known: the manifests determine whether the token is mounted. The account has a manifest, or is a `default` account, which
# usually has none.
known(admitted) if admitted.mounted_by != "unknown"

known(admitted) if {
	admitted.account == "default"
	count(admitted.accounts) == 0
}

bound(account) if {
	subject := {"kind": "ServiceAccount", "namespace": helpers.namespace(input.resource), "name": account}
	some binding in salint.bindings_of(subject)
	binding.via != "system:authenticated"
}

place(admitted, pod) := array.concat(pod.path, ["automountServiceAccountToken"]) if {
	admitted.mounted_by == "pod"
} else := pod.account_path

message(admitted) := sprintf(
	concat(" ", [
		"%s gets a token of %s, to which no binding in the repository grants a role.",
		"An attacker who takes over the pod gets the token. Set automountServiceAccountToken to false if the program does not use it.",
	]),
	[pods.called(input.resource), accounts.titled(admitted.account, helpers.namespace(input.resource))],
)
