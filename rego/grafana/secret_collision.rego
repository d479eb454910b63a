# METADATA
# title: A Secret is claimed by a Grafana token and by another object
# description: |
#   grafana-operator creates the Secret of a token in the namespace of the account, and does not adopt an existing one.
#   If two tokens name one Secret, or a manifest defines it as well, the second one fails: the token is created in
#   Grafana, storing it fails, and each further attempt deletes the token and creates another one. A manifest that is
#   applied second is applied to the Secret of the operator and changes it.
#
#   The same applies to an ExternalSecret (unless its `creationPolicy` is `Merge` or `None`), to a SealedSecret, and to
#   `NAME-admin-credentials`, in which the operator stores the password of the administrator of Grafana NAME.
#
#   Every object is reported. Remove the manifest, or set a different `secretName` for each token; without one the
#   operator generates a name. Copies of one object, such as those for several clusters, count as one. Manifests without
#   a namespace are compared with others without a namespace.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   reads:
#     - GrafanaServiceAccount.grafana.integreatly.org
#     - Grafana.grafana.integreatly.org
#     - Secret
#     - ExternalSecret.external-secrets.io
#     - SealedSecret.bitnami.com
#   scope: unit
#   fix: none
package salint.rules.grafana.secret_collision

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.secret_neighbors as neighbors
import data.salint.helpers.grafana.secret_parties as parties
import data.salint.lib

# Findings about tokens: other tokens, and manifests.
report contains finding if {
	some key, group in parties.tokens
	some party in group
	others := array.concat(rivals(party, key), [secret | some secret in neighbors.manifests_of(party, key)])
	count(others) > 0
	found := lib.finding(parties.path(party), message(party, key[1], others))
	finding := lib.related(lib.at(found, party.ref), others[0].ref, parties.path(others[0]), "the Secret is claimed here as well")
}

# Findings about manifests: the tokens.
report contains finding if {
	some key, secrets in parties.manifests
	some secret in secrets
	others := sort(neighbors.tokens_of(secret, key))
	count(others) > 0
	found := lib.finding(parties.path(secret), manifest_message(secret, others))
	finding := lib.related(lib.at(found, secret.ref), others[0].ref, parties.path(others[0]), "the token that is stored in the Secret")
}

rivals(party, key) := sort({other |
	some other in neighbors.candidates(key, party.ref)
	competes(party, other)
})

competes(party, other) if {
	other.ref == party.ref
	other.index != party.index
}

competes(party, other) if grafana.rival(party, other)

message(party, secret, others) := sprintf(
	concat(" ", [
		"%s claims Secret %s, as does %s.",
		"Only one of them works. Use the Secret for one token only.",
	]),
	[helpers.sentence(party.called), secret, helpers.listed([other.called | some other in others])],
)

manifest_message(secret, others) := sprintf(
	concat(" ", [
		"%s is defined here, and the operator stores %s in it.",
		"The operator fails, or the manifest overwrites its token. Remove the manifest.",
	]),
	[helpers.called(secret.resource), helpers.listed([other.called | some other in others])],
) if {
	secret.resource.kind == "Secret"
}

manifest_message(secret, others) := sprintf(
	concat(" ", [
		"%s creates Secret %s, and the operator stores %s in it.",
		"Only one of the two can own it. Use different names.",
	]),
	[helpers.called(secret.resource), parties.made(secret.resource), helpers.listed([other.called | some other in others])],
) if {
	secret.resource.kind != "Secret"
}
