# The parties that claim a Secret and belong to one cluster, as far as that is known from the files.
package salint.helpers.grafana.secret_neighbors

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.secret_parties as parties

# in_folder are the tokens of each Secret, by the folder of their file as well.
in_folder[array.concat(key, [helpers.folder(helpers.file(party.ref))])] contains party if {
	some key, group in parties.tokens
	some party in group
}

# firsts are the first members of each group; the keys of tokens and in_folder differ in length.
firsts[key] := grafana.first(group) if some key, group in parties.tokens

firsts[key] := grafana.first(group) if some key, group in in_folder

# candidates are the tokens of a Secret that an object in the file of a ref is compared with.
candidates(key, ref) := array.concat(
	object.get(firsts, [key], []),
	object.get(firsts, [array.concat(key, [helpers.folder(helpers.file(ref))])], []),
)

# manifests_of are the manifests of the Secret of a token, and tokens_of the tokens in the Secret of a manifest. Plain files can
# belong to several clusters, so among them each must be the nearest to the other.
manifests_of(party, key) := {secret |
	nearest_ones := object.get(near_manifests, [key, party.ref], set())
	count(nearest_ones) == 1
	some ref in nearest_ones
	party.ref in object.get(near_tokens, [key, ref], set())
	some secret in object.get(claims, [[key, ref]], set())
} if {
	input.unit.kind == "plain"
} else := object.get(parties.manifests, [key], set())

tokens_of(secret, key) := {party |
	some ref in object.get(near_tokens, [key, secret.ref], set())
	object.get(near_manifests, [key, ref], set()) == {secret.ref}
	some party in object.get(claims, [[key, ref]], set())
} if {
	input.unit.kind == "plain"
} else := {party | some party in candidates(key, secret.ref)}

# claims are the parties by the Secret and their refs.
claims[[key, party.ref]] contains party if {
	some claimed in [parties.tokens, parties.manifests]
	some key, group in claimed
	parties.manifests[key]
	some party in group
}

# near_manifests and near_tokens are for each Secret the nearest manifests of each token, and the nearest tokens of each
# manifest. object.get computes the index once; a reference would search it for each key.
near_manifests[key] := nearest(refs(parties.tokens[key]), refs(group)) if some key, group in parties.manifests

near_tokens[key] := nearest(refs(group), refs(parties.tokens[key])) if some key, group in parties.manifests

refs(group) := {party.ref | some party in group}

# nearest treats files at the root of the repository as nearer to each other than to files in folders.
nearest(ones, others) := object.union(salint.nearest(ones, others), salint.nearest(at_root(ones), at_root(others)))

at_root(group) := {ref | some ref in group; helpers.folder(helpers.file(ref)) == "."}
