# METADATA
# title: A pod reads a key or Secret that no Grafana token has
# description: |
#   grafana-operator writes each token of a GrafanaServiceAccount into a Secret with one key, `token`. A container that requires another key of it does not
#   start (`CreateContainerConfigError`), and neither does one that requires a Secret which does not exist.
#
#   This rule reports another key of a Secret in `secretName` of a token in the same namespace. It reports the name of a Secret only if it
#   differs in one character from that of a token, the pod reads its key `token`, and nothing in the repository creates it, or if the
#   GrafanaServiceAccount with the Secret was removed since the revision of `--changed-since`. Optional references are not reported.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: The Secret of a token (result.yaml)
# custom:
#   severity: warning
#   kinds: [workloads]
#   reads: [GrafanaServiceAccount.grafana.integreatly.org, secret_creators]
#   words: [secretKeyRef, secretName, secret]
#   connected_to:
#     GrafanaServiceAccount.grafana.integreatly.org: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.token_read

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.secret_readers as secrets
import data.salint.lib

report contains finding if {
	some use in required
	some token in tokens_named[use.name]
	some key in use.keys
	is_string(key.key)
	key.key != "token"
	not helpers.templated(key.key)
	found := lib.finding(key.path, sprintf(
		"%s reads the key %s of Secret %s, which grafana-operator writes with the key token only. The container does not start. Use the key token.",
		[called, key.key, use.name],
	))
	finding := lib.related(found, token.ref, token.path, "the Secret of a token")
}

report contains finding if {
	some use in required
	not tokens_named[use.name]
	some key in use.keys
	key.key == "token"
	not helpers.templated(use.name)
	meant := sort([name | some name, _ in tokens_named; similar(name, use.name)])
	count(meant) > 0
	not salint.may_have_secret({"namespace": helpers.namespace(input.resource), "name": use.name})
	token := [t | some t in tokens_named[meant[0]]][0]
	found := lib.finding(use.path, sprintf(
		"%s reads Secret %s, and no token of a GrafanaServiceAccount is in it, but one is in %s. The container does not start. Correct the name, or add the token.",
		[called, use.name, concat(" and ", array.slice(meant, 0, 2))],
	))
	finding := lib.related(lib.case(found, "name"), token.ref, token.path, "the Secret of a token")
}

report contains finding if {
	some use in secrets.reads(input.resource)
	is_string(use.name)
	use.optional != true
	some account in salint.removed(grafana.account_query)
	helpers.namespace(account) == helpers.namespace(input.resource)
	some token in grafana.tokens(account)
	grafana.text(token.token.secretName) == use.name
	not tokens_named[use.name]
	not salint.may_have_secret({"namespace": helpers.namespace(input.resource), "name": use.name})
	finding := lib.case(
		lib.finding(use.path, sprintf(
			"%s reads Secret %s of GrafanaServiceAccount %s, which this change removes. The operator deletes the Secret, and the container does not start. Keep the account, or change the pod.",
			[called, use.name, account.metadata.name],
		)),
		"removed",
	)
}

called := helpers.sentence(helpers.called(input.resource))

required := [use | count(accounts) > 0; some use in secrets.reads(input.resource); is_string(use.name); use.optional != true]

# accounts are those of the namespace that are applied with the pod.
accounts := [entry |
	some entry in salint.find(grafana.account_query)
	grafana.beside(entry, {"resource": input.resource, "ref": salint.ref(input.resource)})
]

tokens_named[name] contains {"ref": account.ref, "path": ["spec", "tokens", token.index, "secretName"]} if {
	some account in accounts
	some token in grafana.tokens(account.resource)
	name := grafana.text(token.token.secretName)
}

# similar is true if two names differ in one character.
similar(a, b) if {
	count(a) == count(b)
	count(a) > 4
	count([i | some i in numbers.range(0, count(a) - 1); substring(a, i, 1) != substring(b, i, 1)]) == 1
}

similar(a, b) if shorter(a, b)

similar(a, b) if shorter(b, a)

shorter(a, b) if {
	count(a) == count(b) - 1
	count(a) > 4
	some i in numbers.range(0, count(a))
	concat("", [substring(b, 0, i), substring(b, i + 1, -1)]) == a
}
