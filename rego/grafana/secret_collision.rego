# METADATA
# title: A Secret is claimed by a Grafana token and by something else
# description: |
#   grafana-operator creates the Secret of a token itself, in the namespace of the account, and takes over none that is there.
#   When two tokens name one Secret, or a manifest declares it besides, whoever comes second fails: the token is created in
#   Grafana, storing it is refused, and the next attempt deletes it and creates another, on and on. A manifest that comes
#   second is applied to the operator's Secret and changes it.
#
#   So it is with an ExternalSecret (unless its `creationPolicy` is `Merge` or `None`), with a SealedSecret, and with
#   `NAME-admin-credentials`, in which the operator keeps the password of the administrator of Grafana NAME.
#
#   Every party is reported. Remove the manifest, or give each token a `secretName` of its own; without one the operator makes
#   up a name. Copies of one object, such as those for several clusters, are not taken for two. Manifests without a namespace
#   are compared with those that have none either.
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

import data.salint.lib
import data.salint.lib.grafana
import data.salint.lib.grafana.secret_neighbors as neighbors
import data.salint.lib.grafana.secret_parties as parties

# Of a token: the other tokens, and the manifest.
report contains finding if {
	some key, group in parties.tokens
	some party in group
	others := array.concat(rivals(party, key), [secret | some secret in neighbors.manifests_of(party, key)])
	count(others) > 0
	found := lib.finding(parties.path(party), message(party, key[1], others))
	finding := lib.related(lib.at(found, party.ref), others[0].ref, parties.path(others[0]), "the Secret is claimed here as well")
}

# Of the manifest: the tokens.
report contains finding if {
	some key, secrets in parties.manifests
	some secret in secrets
	others := sort(neighbors.tokens_of(secret, key))
	count(others) > 0
	found := lib.finding(parties.path(secret), manifest_message(secret, others))
	finding := lib.related(lib.at(found, secret.ref), others[0].ref, parties.path(others[0]), "the token that is stored in it")
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
		"%s is to be stored in Secret %s, and there is %s.",
		"The operator takes over no Secret that is there, so all but one fail, again and again:",
		"leave the Secret to this token alone.",
	]),
	[lib.sentence(party.called), secret, lib.listed([other.called | some other in others])],
)

manifest_message(secret, others) := sprintf(
	concat(" ", [
		"%s is where the operator stores %s.",
		"It takes over no Secret that is there, and this manifest, applied later, changes the one that it made: remove the manifest.",
	]),
	[lib.called(secret.resource), lib.listed([other.called | some other in others])],
) if {
	secret.resource.kind == "Secret"
}

manifest_message(maker, others) := sprintf(
	concat(" ", [
		"%s makes Secret %s, and so does the operator of Grafana, to store %s.",
		"It takes over no Secret that is there, and only one of the two can own it: let them have names of their own.",
	]),
	[lib.called(maker.resource), parties.made(maker.resource), lib.listed([other.called | some other in others])],
) if {
	maker.resource.kind != "Secret"
}
