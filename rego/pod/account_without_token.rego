# METADATA
# title: An account has a role, and its pods get no token
# description: |
#   Without a token, a program cannot use the permissions of its account. Either the pod needs a token (`automountServiceAccountToken: true`, or a
#   projected one), or the role is left over. An attacker who can create pods in the namespace can use it.
#
#   This rule checks accounts with a manifest. It reports one if none of its pods in the deployment unit gets a token: `automountServiceAccountToken` is false, and
#   nothing is projected. Nothing is reported if anything else names the account, as an extension or an application does, or if its roles only allow
#   `use`, as those for SecurityContextConstraints do, which count when the pod is created.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting
#     description: Opting out of the token
# custom:
#   severity: note
#   kinds: [workloads, ServiceAccount]
#   words: [automountServiceAccountToken]
#   skip_unless: [word-found]
#   reads: [workloads, rbac]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.pod.account_without_token

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.lib

report contains finding if {
	some account in candidates
	namespace := helpers.namespace(account.resource)
	not helpers.open_namespace(namespace)
	accounts.whole
	subject := {"namespace": namespace, "name": helpers.name(account.resource)}
	users := salint.pods_of_account(subject)
	count(users) > 0
	every user in users {
		not user.mounted
		not user.own_token
	}
	bindings := [binding |
		some binding in salint.bindings_of(object.union(subject, {"kind": "ServiceAccount"}))
		binding.via == ""
		not only_admits(binding)
	]
	count(bindings) > 0
	only_bound(subject, account.ref, users, bindings)
	user := users[0]
	finding := lib.related(
		lib.at(lib.finding(user.path, message(account.resource, bindings[0])), user.ref),
		bindings[0].ref, ["subjects", bindings[0].subject_index], "the account gets a role here",
	)
}

# candidates are the account itself, or those of a pod that decides about its token.
candidates contains account if {
	input.resource.kind == "ServiceAccount"
	account := {"ref": salint.ref(input.resource), "resource": input.resource}
}

candidates contains account if {
	some admitted in salint.admission(input.resource)
	not admitted.static
	not admitted.mounted
	count(admitted.accounts) == 1
	some account in salint.find({"kind": "ServiceAccount", "group": "", "name": admitted.account})
	account.ref == admitted.accounts[0]
}

# only_admits is true for a role that counts when a pod is admitted, not when a token is used.
only_admits(binding) if startswith(binding.role.name, "system:openshift:scc:")

only_admits(binding) if {
	binding.role_ref != ""
	rules := salint.role_rules(binding.role_ref)
	count(rules) > 0
	every rule in rules { rule.verbs == ["use"] }
}

# only_bound is true if nothing else names the account: an extension, an application, or a script can request a token.
only_bound(subject, ref, users, bindings) if {
	known := ({ref} | {user.ref | some user in users}) | {binding.ref | some binding in bindings}
	others := [place |
		some place in salint.mentions(subject)
		place.use != "name"
		not place.ref in known
		not endswith(place.what, " metadata.name")
	]
	count(others) == 0
}

message(account, binding) := sprintf("%s has %s, and none of its pods gets a token, so no program uses the role. %s", [
	helpers.called(account), helpers.titled(binding.role.kind, "", binding.role.name),
	"Remove the binding, or set automountServiceAccountToken of the pod to true.",
])
