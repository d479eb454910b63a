# METADATA
# title: A manifest names a generated token Secret
# description: |
#   Before version 1.24, Kubernetes generated a token Secret for each account, with a name such as `web-token-x7k2p`: the account, and five
#   random letters. A newer cluster has no such Secret, and another cluster never had the same one, so a pod that names it does not start. In
#   `secrets` of an account, the name has no effect.
#
#   A name counts as generated if it ends with five of the letters that Kubernetes uses, and begins with the account of the pod, or with an
#   account that a manifest creates in the namespace. Nothing is reported if something in the repository creates the Secret, or can.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
#     description: Token Secrets, and since when they are not generated
# custom:
#   severity: warning
#   kinds: [workloads, ServiceAccount]
#   words: [-token-]
#   skip_unless: [word-found]
#   reads: [secret_creators, ServiceAccount]
#   fix: none
package salint.rules.token.generated_secret

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some reference in salint.secret_references(input.resource)
	not reference.pulls
	account := account_of(reference.name)
	is_account(account)
	not salint.may_have_secret({"namespace": helpers.namespace(input.resource), "name": reference.name})
	finding := lib.finding(reference.path, sprintf("%s names Secret %s, which older versions of Kubernetes generated for ServiceAccount %s. %s", [
		holder, reference.name, account, effect,
	]))
}

# account_of is the account for whose token a Secret was generated. The letters are without vowels and digits that look like them.
# https://github.com/kubernetes/kubernetes/blob/v1.34.4/staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go
account_of(name) := regex.find_all_string_submatch_n(`^(.+)-token-[bcdfghjklmnpqrstvwxz2456789]{5}$`, name, 1)[0][1]

is_account(account) if {
	some pod in salint.pods(input.resource)
	pod.account == account
}

is_account(account) if {
	input.resource.kind == "ServiceAccount"
	helpers.name(input.resource) == account
}

is_account(account) if {
	count(salint.find({"kind": "ServiceAccount", "group": "", "namespace": helpers.namespace(input.resource), "name": account})) > 0
}

holder := helpers.called(input.resource) if {
	input.resource.kind == "ServiceAccount"
} else := pods.called(input.resource)

effect := "Since 1.24, there is none. Remove the name from the list." if {
	input.resource.kind == "ServiceAccount"
} else := concat(" ", [
	"Since 1.24, there is none, and the pod does not start.",
	"Project a token (a serviceAccountToken source of a projected volume), or use the one that every pod gets.",
])
