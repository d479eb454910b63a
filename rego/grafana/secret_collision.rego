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

# Of a token: the other tokens, and the manifest.
report contains finding if {
	some key, group in tokens
	some party in group
	others := array.concat(rivals(party, key), [secret | some secret in manifests_of(party, key)])
	count(others) > 0
	found := lib.finding(path(party), message(party, key[1], others))
	finding := lib.related(lib.at(found, party.ref), others[0].ref, path(others[0]), "the Secret is claimed here as well")
}

# Of the manifest: the tokens.
report contains finding if {
	some key, secrets in manifests
	some secret in secrets
	others := sort(tokens_of(secret, key))
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

# manifests are those of the same Secrets, and of what makes them.
manifests[key] contains party if {
	some key, _ in tokens
	some secret in salint.find({"group": "", "kind": "Secret", "namespace": key[0], "name": key[1]})
	lib.namespace(secret.resource) == key[0]
	party := {"ref": secret.ref, "resource": secret.resource, "called": sprintf("a manifest of %s", [lib.called(secret.resource)])}
}

manifests[key] contains party if {
	count(tokens) > 0
	some maker in array.concat(makers, salint.find(grafana.instance_query))
	key := [lib.namespace(maker.resource), made(maker.resource)]
	key in object.keys(tokens)
	party := {"ref": maker.ref, "resource": maker.resource, "called": sprintf("%s, which makes it", [lib.called(maker.resource)])}
}

makers := array.concat(
	salint.find({"group": "external-secrets.io", "kind": "ExternalSecret"}),
	salint.find({"group": "bitnami.com", "kind": "SealedSecret"}),
)

# made is the name of the Secret that an object has its controller make.
made(resource) := grafana.text(object.get(resource, path({"resource": resource}), "")) if {
	resource.kind == "ExternalSecret"
	not object.get(resource, ["spec", "target", "creationPolicy"], "Owner") in {"Merge", "None"}
}

made(resource) := grafana.text(lib.name(resource)) if resource.kind == "SealedSecret"

made(resource) := sprintf("%s-admin-credentials", [grafana.text(lib.name(resource))]) if {
	resource.kind == "Grafana"
	not resource.spec.disableDefaultAdminSecret == true
	not resource.spec.external
}

target := ["spec", "target", "name"]

path(party) := ["spec", "tokens", party.index, "secretName"] if party.resource.kind == "GrafanaServiceAccount"

path(party) := target if names_its_secret(party.resource)

path(party) := ["metadata", "name"] if {
	party.resource.kind != "GrafanaServiceAccount"
	not names_its_secret(party.resource)
}

names_its_secret(resource) if {
	resource.kind == "ExternalSecret"
	object.get(resource, target, null) != null
}

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
	object.get(firsts, [key], []),
	object.get(firsts, [array.concat(key, [lib.folder(lib.file(ref))])], []),
)

competes(party, other) if {
	other.ref == party.ref
	other.index != party.index
}

competes(party, other) if grafana.rival(party, other)

# manifests_of are the manifests of the Secret of a token, and tokens_of the tokens in the Secret of a manifest. Of plain
# files, which may be those of several clusters, each must be the one that lies nearest to the other.
manifests_of(_, key) := object.get(manifests, [key], set()) if input.unit.kind != "plain"

manifests_of(party, key) := {secret |
	nearest_ones := object.get(near_manifests, [key, party.ref], set())
	count(nearest_ones) == 1
	some ref in nearest_ones
	party.ref in object.get(near_tokens, [key, ref], set())
	some secret in object.get(claims, [[key, ref]], set())
} if {
	input.unit.kind == "plain"
}

tokens_of(secret, key) := {party | some party in candidates(key, secret.ref)} if input.unit.kind != "plain"

tokens_of(secret, key) := {party |
	some ref in object.get(near_tokens, [key, secret.ref], set())
	object.get(near_manifests, [key, ref], set()) == {secret.ref}
	some party in object.get(claims, [[key, ref]], set())
} if {
	input.unit.kind == "plain"
}

# claims are the parties by the Secret and their refs.
claims[[key, party.ref]] contains party if {
	some claimed in [tokens, manifests]
	some key, group in claimed
	manifests[key]
	some party in group
}

# near_manifests and near_tokens are for each Secret the nearest manifests of each token, and the nearest tokens of each
# manifest. object.get has the index worked out once, where a reference would have it searched for each key.
near_manifests[key] := nearest(refs(tokens[key]), refs(group)) if some key, group in manifests

near_tokens[key] := nearest(refs(group), refs(tokens[key])) if some key, group in manifests

refs(group) := {party.ref | some party in group}

# nearest has files at the root of the repository nearer to each other than to those in folders.
nearest(ones, others) := object.union(salint.nearest(ones, others), salint.nearest(at_root(ones), at_root(others)))

at_root(group) := {ref | some ref in group; lib.folder(lib.file(ref)) == "."}

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
	[lib.called(maker.resource), made(maker.resource), lib.listed([other.called | some other in others])],
) if {
	maker.resource.kind != "Secret"
}
