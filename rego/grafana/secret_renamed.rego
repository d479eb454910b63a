# METADATA
# title: The Secret of a Grafana token changes its name
# description: |
#   If `secretName` of a token changes, grafana-operator does not rename the Secret: it deletes the former Secret and the
#   token, and creates another token in a new Secret. The former token is invalid at once, so everything that reads the
#   former Secret fails, and pods that start later do not find it. The same happens if `secretName` is added to a token or
#   removed from it, because the operator generates a name for a token without one.
#
#   This rule compares each GrafanaServiceAccount with its manifest in the same file at the revision of `--changed-since`, or with
#   what its chart or kustomization made of it then. Without a revision it reports nothing.
#
#   To avoid an interruption, add a second token with the new Secret, change everything that reads the Secret, and then
#   remove the first token.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/blob/60d3ebd2/controllers/serviceaccount_controller.go
#     description: pruneAndIndexSecrets deletes Secrets with another name, validateAndRestoreTokenSecrets tokens without a Secret
# custom:
#   severity: warning
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.secret_renamed

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.lib

report contains finding if {
	not grafana.suspended(input.resource)
	manifest := salint.former(input.resource)
	some entry in grafana.tokens(input.resource)
	applied := secret(entry.token)
	applied == secret_of(manifest.now, entry.token.name)
	former := secret_of(manifest.before, entry.token.name)
	former != applied
	finding := lib.case(
		lib.finding(path(entry), sprintf(
			concat(" ", [
				"The %s of %s moves from %s to %s. The operator deletes the former Secret and the token, and creates another token.",
				"Change everything that reads the former Secret, or add a second token first.",
			]),
			[grafana.token_called(entry), helpers.called(input.resource), titled(former), titled(applied)],
		)),
		"renamed",
	)
}

# secret_of is the Secret of a token in a manifest: its name, or "" if the operator generates one. It is undefined if the manifest
# does not have the token, or has several of the name.
secret_of(account, name) := secret(named[0]) if {
	named := [entry.token | some entry in grafana.tokens(account); entry.token.name == name]
	count(named) == 1
}

secret(token) := grafana.text(token.secretName)

secret(token) := "" if object.get(token, "secretName", null) in [null, ""]

titled("") := "a generated Secret"

titled(name) := sprintf("Secret %s", [name]) if name != ""

path(entry) := ["spec", "tokens", entry.index, "secretName"] if {
	"secretName" in object.keys(entry.token)
} else := ["spec", "tokens", entry.index]
