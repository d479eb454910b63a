# METADATA
# title: A change of a GrafanaServiceAccount invalidates a token
# description: |
#   grafana-operator makes the tokens of the list and deletes all others. A token that is removed or renamed is deleted with its Secret, and what reads
#   the Secret fails, or does not start. A token whose `expires` changes is deleted and created again: its Secret gets another value, and a
#   program that read it at its start keeps an invalid one.
#
#   This is a warning if a pod of the deployment unit reads the Secret, and a note otherwise: programs outside of the repository can have the token.
#
#   This rule compares each GrafanaServiceAccount with its manifest in the same file at the revision of `--changed-since`, or with what its chart or
#   kustomization made of it then. Without a revision it reports nothing. `grafana/secret-renamed` reports another `secretName`, and
#   `grafana/token-read` pods that read a Secret of a GrafanaServiceAccount that is removed.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/blob/60d3ebd2/controllers/serviceaccount_controller.go
#     description: Tokens that are not in the list, or have another expiry, are deleted (removeOutdatedTokens)
# custom:
#   severity: warning
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   skip_unless: [word-found]
#   reads: [workloads]
#   fix: none
package salint.rules.grafana.token_removed

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.secret_readers as secrets
import data.salint.lib

report contains finding if {
	not grafana.suspended(input.resource)
	manifest := salint.former(input.resource)
	manifest.now.spec.tokens == object.get(input.resource.spec, "tokens", null)
	some change in changes(manifest)
	readers := secrets.of(helpers.namespace(input.resource), change.secret)
	found := lib.case(
		lib.finding(change.path, sprintf("%s %s Secret %s. %s %s", [
			helpers.sentence(helpers.called(input.resource)), change.text, change.secret, change.effect, remedy(readers),
		])),
		["token", change.name],
	)
	finding := graded(found, readers)
}

graded(found, []) := lib.with_severity(found, "note")

graded(found, readers) := lib.related(found, readers[0].ref, readers[0].path, "the Secret is read here") if count(readers) > 0

remedy([]) := "Change what reads it."

remedy(readers) := "Change what reads it before, or restart it after." if count(readers) > 0

changes(manifest) := array.concat(
	[change |
		some former in grafana.tokens(manifest.before)
		count(of_name(manifest.now, former.token.name)) == 0
		change := {
			"path": ["spec"], "name": former.token.name, "secret": grafana.text(former.token.secretName),
			"text": sprintf("no longer has the token %s of", [former.token.name]), "effect": lost(manifest.now, former.token),
		}
	],
	[change |
		some entry in grafana.tokens(manifest.now)
		some former in of_name(manifest.before, entry.token.name)
		not same_time(object.get(former, "expires", ""), object.get(entry.token, "expires", ""))
		not helpers.templated(sprintf("%v", [object.get(entry.token, "expires", "")]))
		change := {
			"path": ["spec", "tokens", entry.index], "name": entry.token.name, "secret": grafana.text(entry.token.secretName),
			"text": sprintf("changes the date of the token %s of", [entry.token.name]), "effect": "The operator replaces the token, and the former one is invalid at once.",
		}
	],
)

# same_time holds for one time in two zones, too: the operator compares times.
same_time(a, b) if a == b

same_time(a, b) if salint.seconds(a) == salint.seconds(b)

# lost is what becomes of the Secret of a token that is not in the list: another token can have it now.
lost(account, former) := "The operator creates another token in it, and the former one is invalid at once." if {
	some entry in grafana.tokens(account)
	entry.token.secretName == former.secretName
} else := "The operator deletes the token, and what reads the Secret fails."

of_name(account, name) := [entry.token | some entry in grafana.tokens(account); entry.token.name == name]
