# METADATA
# title: A pod gets a token that is of no use to it
# description: |
#   The API server mounts a token of the account into every pod, unless the pod or the account says
#   `automountServiceAccountToken: false`; the pod wins. Where nothing is bound to the account, the token opens
#   nothing but what everybody may do who is known to the cluster, and is there for whoever breaks into the pod all
#   the same: it proves to other systems, too, who its bearer is.
#
#   Bindings in other repositories are not seen here, and a program may use the token elsewhere than at the API
#   server. So the rule runs only where it is enabled, and its fix needs `--unsafe-fixes`.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting
#     description: Leaving the token out
# custom:
#   severity: note
#   opt_in: true
#   kinds: [workloads]
#   reads: [ServiceAccount, ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   fix:
#     name: unmount-token
#     kind: unsafe
#     description: Set `automountServiceAccountToken` of the pod to false.
package salint.rules.pod.token_mounted

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.pods

report contains finding if {
	some i, admitted in salint.admission(input.resource)
	not admitted.static
	admitted.mounted
	known(admitted)
	not lib.placeholder(admitted.account)
	accounts.whole
	not bound(admitted.account)
	pod := salint.pods(input.resource)[i]
	finding := lib.finding(place(admitted, pod), message(admitted))
}

# known tells that nothing else can say whether the token is mounted: the account's manifest is there, or the account
# is one that nobody writes down.
known(admitted) if admitted.mounted_by != "unknown"

known(admitted) if {
	admitted.account == "default"
	count(admitted.accounts) == 0
}

bound(account) if {
	subject := {"kind": "ServiceAccount", "namespace": lib.namespace(input.resource), "name": account}
	some binding in salint.bindings_of(subject)
	binding.via != "system:authenticated"
}

place(admitted, pod) := array.concat(pod.path, ["automountServiceAccountToken"]) if {
	admitted.mounted_by == "pod"
} else := pod.account_path

message(admitted) := sprintf(
	concat(" ", [
		"%s gets a token of %s, to which no binding of the repository grants anything.",
		"If the program does not use it, set automountServiceAccountToken to false.",
	]),
	[pods.called(input.resource), accounts.titled(admitted.account, lib.namespace(input.resource))],
)
