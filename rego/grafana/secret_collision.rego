# METADATA
# title: A Secret is claimed by a Grafana token and by something else
# description: |
#   grafana-operator creates the Secret of a token itself, in the namespace of the account, and takes over none that is there.
#   When two tokens name one Secret, or a manifest declares it besides, whoever comes second fails: the token is created in
#   Grafana, storing it is refused, and the next attempt deletes it and creates another, on and on. Where the manifest comes
#   second, applying it overwrites the token.
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
#   context: [GrafanaServiceAccount.grafana.integreatly.org, Grafana.grafana.integreatly.org, Secret]
#   scope: unit
#   fix: none
#   examples:
#     - why: the Secret declared as well
#       bad: |
#         apiVersion: v1
#         kind: Secret
#         metadata:
#           name: grafana-scrape
#           namespace: monitoring
#         stringData:
#           token: ""
#         ---
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: exporter
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
#     - why: one name for two tokens
#       bad: |
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: exporter
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
#         ---
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: importer
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
#     - good: |
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: exporter
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
#         ---
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: importer
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: exporter-scrape
#               expires: 2026-04-30T00:00:00Z
package salint.rules.grafana.secret_collision

import data.salint.lib
import data.salint.lib.grafana

# Of a token: the other tokens, and the manifest.
report contains finding if {
	some key, group in tokens
	some party in group
	others := array.concat(rivals(party, key), [secret | some secret in manifests[key]; belongs(secret, party, key)])
	count(others) > 0
	found := lib.finding(path(party), message(party, key[1], others))
	finding := lib.related(lib.at(found, party.ref), others[0].ref, path(others[0]), "the Secret is claimed here as well")
}

# Of the manifest: the tokens.
report contains finding if {
	some key, secrets in manifests
	some secret in secrets
	others := sort({party | some party in candidates(key, secret.ref); belongs(secret, party, key)})
	count(others) > 0
	found := lib.finding(path(secret), manifest_message(secret, others))
	finding := lib.related(lib.at(found, secret.ref), others[0].ref, path(others[0]), "the token that is stored in it")
}

# tokens are those that name a Secret, by its namespace and name.
tokens[[lib.namespace(account.resource), secret]] contains party if {
	some account in salint.find(grafana.account_query)
	some entry in grafana.tokens(account.resource)
	secret := grafana.text(entry.token.secretName)
	party := {
		"ref": account.ref, "resource": account.resource, "index": entry.index,
		"called": sprintf("the %s of %s", [grafana.token_called(entry), lib.called(account.resource)]),
	}
}

# manifests are those of the same Secrets.
manifests[key] contains party if {
	some key, _ in tokens
	some secret in salint.find({"group": "", "kind": "Secret", "namespace": key[0], "name": key[1]})
	lib.namespace(secret.resource) == key[0]
	party := {"ref": secret.ref, "resource": secret.resource, "called": sprintf("a manifest of %s", [lib.called(secret.resource)])}
}

path(party) := ["spec", "tokens", party.index, "secretName"] if party.resource.kind == "GrafanaServiceAccount"

path(party) := ["metadata", "name"] if party.resource.kind == "Secret"

rivals(party, key) := sort({other |
	some other in candidates(key, party.ref)
	competes(party, other)
})

# beside are the tokens of each Secret by the folder of their file as well.
beside[array.concat(key, [lib.folder(lib.file(party.ref))])] contains party if {
	some key, group in tokens
	some party in group
}

# firsts are the first of each; the keys of the two differ in length.
firsts[key] := grafana.first(group) if some key, group in tokens

firsts[key] := grafana.first(group) if some key, group in beside

# candidates are the tokens of a Secret that something in the file of a ref is compared with.
candidates(key, ref) := array.concat(
	firsts[key],
	object.get(firsts, [array.concat(key, [lib.folder(lib.file(ref))])], []),
)

competes(party, other) if {
	other.ref == party.ref
	other.index != party.index
}

competes(party, other) if grafana.rival(party, other)

# belongs tells that a manifest and a token mean the same Secret. Of plain files, which may be those of several clusters,
# each must be the one that lies nearest to the other.
belongs(_, _, _) if input.unit.kind != "plain"

belongs(secret, party, key) if {
	input.unit.kind == "plain"
	grafana.nearest(party.ref, manifests[key]) == {secret.ref}
	party.ref in grafana.nearest(secret.ref, candidates(key, secret.ref))
}

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
		"It takes over no Secret that is there, and applying this manifest later overwrites the token: remove the manifest.",
	]),
	[lib.called(secret.resource), lib.listed([other.called | some other in others])],
)
