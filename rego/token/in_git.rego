# METADATA
# title: Git holds a token of an account
# description: |
#   A manifest contains a token of a service account: a token Secret that was exported from a cluster, a kubeconfig, the Secret of a
#   cluster of Argo CD, or a value of an environment variable. Anyone who can read the repository, or a copy of its history, can act as
#   the account until the token expires or is revoked.
#
#   A token is recognized by its claims: `sub` is `system:serviceaccount:…`, or the issuer is the token controller. It is also found
#   in base64, and in other files, such as scripts, `.env`, `.txt`, and `.properties` files, and values of charts, but not in other
#   documentation and the sources of programs. Tokens of anything else, and tokens whose signature was removed, are not reported. salint
#   never prints a token. A token is reported once in each file that contains it, and not at a template that reads it from values.
#
#   A token for other audiences than those of an API server, such as `sts.amazonaws.com`, lets its holder act as the account there.
#
#   A token of the token controller names its Secret: deleting the Secret on the cluster revokes the token. A token of the TokenRequest API is
#   valid until it expires, or until the pod, Secret, or Node to which it is bound, or the account, is deleted. A token that has expired is a
#   note. So is one in a folder of tests, because it is often one of a cluster that no longer exists.
#
#   If a token Secret contains its token, `token/long-lived-secret` does not report it in addition.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens
#     description: What tokens contain, and how long they are valid
#   - ref: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#clusters
#     description: Secrets of clusters in Argo CD
# custom:
#   severity: error
#   kinds: [Secret, workloads]
#   words: [eyJ, ZXlK, V5S, leUp, leUo]
#   skip_unless: [word-found]
#   reads_all: [rbac]
#   fix: none
package salint.rules.token.in_git

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.lib

report contains finding if {
	some token in salint.account_tokens(input.resource)
	found := lib.case(
		lib.finding(token.path, message(token)),
		[state(token), token.namespace, token.account, token.secret, token.bound_name, token.elsewhere],
	)
	finding := graded(found, token)
}

graded(finding, token) := lib.with_severity(finding, "note") if {
	state(token) == "expired"
} else := lib.with_severity(finding, "note") if {
	helpers.in_tests(helpers.file(salint.ref(input.resource)))
} else := finding

state(token) := "never expires" if {
	token.expires == ""
} else := "expired" if {
	salint.seconds(token.expires) <= salint.seconds(input.now)
} else := "expires"

message(token) := sprintf("%s contains a token of %s%s%s. %s", [
	holder, accounts.titled(token.account, token.namespace), audience(token), validity[state(token)], advice(token),
]) if {
	validity := {
		"never expires": " that never expires",
		"expired": sprintf(" that expired on %s", [day(token)]),
		"expires": sprintf(" that is valid until %s", [day(token)]),
	}
}

audience(token) := sprintf(" for %s", [token.elsewhere]) if {
	token.elsewhere != ""
} else := ""

holder := helpers.sentence(helpers.called(input.resource))

day(token) := substring(token.expires, 0, 10)

advice(token) := "API servers no longer accept it. Remove it." if {
	state(token) == "expired"
} else := sprintf("Anyone who reads the repository can act as the account%s. %s, and remove the token from Git.", [
	powers(token), revoke(token),
])

# powers is a clause about the roles of the account, which count where the API server accepts the token.
powers(token) := " there" if {
	token.elsewhere != ""
} else := ", which is effectively cluster-admin" if {
	count(salint.admin_bindings(subject(token))) > 0
} else := sprintf(", which has %s", [helpers.listed(sort(roles(token)))]) if {
	count(roles(token)) > 0
} else := "" if {
	# Data of tests is joined with no bindings.
	input.unit.unapplied
} else := "; no binding here gives it a role"

roles(token) := {role |
	some binding in salint.bindings_of(subject(token))
	not binding.via == "system:authenticated"
	role := sprintf("%s %s %s", [binding.role.kind, binding.role.name, where(binding.scope)])
} | roles_elsewhere(token)

# roles_elsewhere are those that other deployment units grant the account.
roles_elsewhere(token) := {role |
	not input.unit.unapplied
	some binding in salint.bindings_naming(token.account)
	some named in binding.resource.subjects
	named.kind == "ServiceAccount"
	named.name == token.account
	object.get(named, "namespace", helpers.namespace(binding.resource)) == token.namespace
	role := sprintf("%s %s %s", [
		binding.resource.roleRef.kind, binding.resource.roleRef.name, where(object.get(binding.resource.metadata, "namespace", "")),
	])
}

where("") := "everywhere"

where("?") := "in a namespace"

where(scope) := sprintf("in namespace %s", [scope]) if not scope in {"", "?"}

subject(token) := {"kind": "ServiceAccount", "namespace": token.namespace, "name": token.account}

# revoke is the imperative that makes the token invalid: the API server looks up the objects that the claims name.
revoke(token) := delete("Secret", token.secret, "which revokes the token", token) if {
	token.secret != ""
} else := delete(token.bound_kind, token.bound_name, "which revokes the token", token) if {
	token.bound_kind in {"Pod", "Secret"}
} else := delete("ServiceAccount", token.account, "because nothing else revokes the token", token) if {
	token.expires == ""
} else := delete("ServiceAccount", token.account, "because nothing else revokes the token before it expires", token)

delete(kind, name, why, token) := sprintf("Delete the %s on the cluster, %s (kubectl delete %s %s -n %s)", [
	kind, why, lower(kind), name, token.namespace,
])
