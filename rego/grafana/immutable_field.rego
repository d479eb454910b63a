# METADATA
# title: An immutable field of a GrafanaServiceAccount changes
# description: |
#   The API server rejects a change of `spec.name` or `spec.instanceName` of a GrafanaServiceAccount that exists, and `spec.name` can be neither
#   added nor removed: the rules of the CRD compare it with the object on the cluster. So nothing of the manifest is applied, and
#   Argo CD and Flux report the object as failed.
#
#   To change one of them, create a GrafanaServiceAccount with another `metadata.name` and other Secrets, change what reads the Secrets, and then
#   delete the first one, which deletes its account and tokens.
#
#   This rule compares each GrafanaServiceAccount with its manifest in the same file at the revision of `--changed-since`, or with what its chart or
#   kustomization made of it then. Without a revision it reports nothing. Whether the object exists is not known: where it does not yet, ignore the finding.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/blob/v5.22.0/api/v1beta1/grafanaserviceaccount_types.go
#     description: The rules of the CRD (XValidation)
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.immutable_field

import data.salint.helpers
import data.salint.lib

report contains finding if {
	manifest := salint.former(input.resource)
	some field in ["name", "instanceName"]
	now := value(manifest.now, field)
	before := value(manifest.before, field)
	now != before
	value(input.resource, field) == now # no overlay sets another value
	finding := lib.case(
		lib.finding(path(field), sprintf(
			"%s changes spec.%s from %s to %s. The field is immutable, and the API server rejects the object. Create another one, and delete this one.",
			[helpers.sentence(helpers.called(input.resource)), field, shown(before), shown(now)],
		)),
		field,
	)
}

# value is that of a field, or "" if it is not set. It is undefined if a template makes it.
value(account, field) := text if {
	text := account.spec[field]
	is_string(text)
	not helpers.templated(text)
}

value(account, field) := "" if object.get(account.spec, field, null) == null

path(field) := ["spec", field] if {
	input.resource.spec[field]
} else := ["spec"]

shown("") := "none"

shown(text) := text if text != ""
