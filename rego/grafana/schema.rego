# METADATA
# title: GrafanaServiceAccount is not what its CRD takes
# description: |
#   Judged by the CRD of `grafana.integreatly.org/v1beta1` that grafana-operator releases:
#
#   * `spec.instanceName` and `spec.role` are required; the role is `Viewer`, `Editor` or `Admin`;
#   * `spec.name`, `spec.instanceName` and the names of tokens and Secrets are texts that are not empty; a name such as `123`
#     needs quotes;
#   * `isDisabled` and `suspend` are `true` or `false`, without quotes;
#   * `resyncPeriod` is a duration above 0, as in `10m0s` or `1.5h`;
#   * `tokens` is a list in which every `name` occurs once;
#   * `expires` is a time in RFC 3339, with seconds and a time zone, as in `2026-12-31T14:00:00+02:00`. A date alone is none.
#
#   An object that breaks one of these is refused by the API server. A field that the CRD does not know is not: the API
#   server drops it, and kubectl refuses it unless it is told `--validate=false`. What the author wanted does not happen.
#   So it is with `permissions`, which the proposal for this resource had and no release has: who may edit a service account
#   in Grafana cannot be said here.
#
#   A field that is `null` counts as left out: the API server drops it. So `expires: null` is a token that never expires, and
#   `tokens: null` none at all. Up to v5.21 of the operator `spec.name` was required; since v5.22 it is `metadata.name`
#   unless it is set.
#
#   Later changes are limited, too: on a live object `spec.instanceName` and `spec.name` are immutable, and `spec.name` can
#   neither be added nor removed. Renaming means a new object, with new tokens. A comparison with the live object is beyond
#   this rule.
#
#   Some things pass the schema, and the operator fails over them:
#
#   * an object without `spec`;
#   * a time such as `2026-12-31t14:00:00z`, which it cannot decode. It reads all accounts as one list, so a single one of
#     these keeps it from every account of the cluster;
#   * an `instanceName` that no object can have, such as `My Grafana`;
#   * a `secretName` that no Secret can have, such as `my_token`. Without `secretName` the name is made of the Grafana's, the
#     resource's and the token's, so a token called `My token` needs one. The token is created in Grafana, storing it is
#     refused, and each further attempt creates another;
#   * a name of the resource or of its Grafana with more than 63 characters, where there are tokens: the operator writes both
#     into labels of the Secrets.
#
#   Values that are filled in later (`${ROLE}`) are not judged.
# related_resources:
#   - ref: https://grafana.github.io/grafana-operator/docs/api/
#     description: API reference of grafana-operator
#   - ref: https://github.com/grafana/grafana-operator/blob/master/docs/docs/planning/proposals/003-grafanaserviceaccount-crd.md
#     description: The proposal, with the field permissions
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.schema

import data.salint.lib
import data.salint.lib.grafana.schema_operator as operator
import data.salint.lib.grafana.schema_tokens as tokens
import data.salint.lib.grafana.schema_values as values

report contains lib.finding(problem[0], sprintf("%s %s", [problem[1], refused])) if some problem in refusals

report contains lib.finding(problem[0], sprintf("%s %s", [problem[1], dropped])) if some problem in unknown

report contains lib.finding(problem[0], problem[1]) if some problem in operator.failures

refused := "The API server refuses the object."

dropped := "The API server drops it without an error, and kubectl refuses it."

spec := input.resource.spec

refusals contains problem if some problem in tokens.refusals

unknown contains problem if some problem in tokens.unknown

refusals contains [["apiVersion"], message] if {
	input.resource.apiVersion != "grafana.integreatly.org/v1beta1"
	message := "GrafanaServiceAccounts are released as grafana.integreatly.org/v1beta1 only."
}

refusals contains [["spec"], sprintf("spec is %s and must be a mapping.", [values.kind_of(spec)])] if values.wrong_type(spec, "object")

# Where a patch that is not seen may add a field, it may be there.
refusals contains [["spec", field], sprintf("spec.%s is missing: %s.", [field, purpose])] if {
	is_object(spec)
	some field, purpose in {
		"instanceName": "the name of a Grafana in the same namespace",
		"role": "Viewer, Editor or Admin",
	}
	not values.given(spec, field)
	lib.as_written
}

refusals contains [["spec", field], message] if {
	some field in {"instanceName", "name"}
	message := values.wrong_text(sprintf("spec.%s", [field]), spec[field])
}

refusals contains [["spec", "role"], message] if {
	spec.role != null
	not spec.role in {"Viewer", "Editor", "Admin"}
	not values.filled_in(spec.role)
	message := sprintf("spec.role is %s; Grafana has the roles Viewer, Editor and Admin.", [values.shown(spec.role)])
}

refusals contains [["spec", field], sprintf("spec.%s is %s and must be true or false.", [field, values.shown(spec[field])])] if {
	some field in {"isDisabled", "suspend"}
	values.wrong_type(spec[field], "boolean")
}

refusals contains [["spec", "resyncPeriod"], sprintf("spec.resyncPeriod is %s and must be %s.", [values.shown(period), durations])] if {
	period := spec.resyncPeriod
	period != null
	not values.filled_in(period)
	not values.good_duration(period)
}

durations := "a duration above 0, as in 10m0s"

refusals contains [["spec", "tokens"], sprintf("spec.tokens is %s and must be a list.", [values.kind_of(spec.tokens)])] if {
	values.wrong_type(spec.tokens, "array")
}

unknown contains [[field], sprintf("The CRD has no field %s.", [field])] if {
	some field, _ in input.resource
	not field in {"apiVersion", "kind", "metadata", "spec", "status"}
}

unknown contains [["spec", field], message] if {
	is_object(spec)
	some field, _ in spec
	not field in {"instanceName", "isDisabled", "name", "resyncPeriod", "role", "suspend", "tokens"}
	message := sprintf("The CRD has no field spec.%s%s.", [field, object.get(proposed, field, "")])
}

proposed := {"permissions": ": it was proposed and not released, so who may edit the account in Grafana cannot be said here"}
