# METADATA
# title: A GrafanaServiceAccount does not match its CRD
# description: |
#   This rule checks the CRD of `grafana.integreatly.org/v1beta1` that grafana-operator releases:
#
#   * `spec.instanceName` and `spec.role` are required; the role is `Viewer`, `Editor`, or `Admin`;
#   * `spec.name`, `spec.instanceName`, and the names of tokens and Secrets are non-empty strings; a name such as `123`
#     needs quotes;
#   * `isDisabled` and `suspend` are `true` or `false`, without quotes;
#   * `resyncPeriod` is a duration above 0, such as `10m0s` or `1.5h`;
#   * `tokens` is a list in which every `name` occurs once;
#   * `expires` is a time in RFC 3339, with seconds and a time zone, such as `2026-12-31T14:00:00+02:00`. A date alone
#     is invalid.
#
#   The API server rejects an object that violates one of these. It drops a field that the CRD does not have, and
#   kubectl rejects the field unless it runs with `--validate=false`. The field has no effect. An example is
#   `permissions`, which the proposal for this resource had, and which was never released: access to a service account
#   in Grafana cannot be configured here.
#
#   A field that is `null` counts as missing, because the API server drops it. So `expires: null` is a token that never
#   expires, and `tokens: null` means no tokens. Up to v5.21 of the operator, `spec.name` was required; since v5.22 the
#   default is `metadata.name`.
#
#   Later changes are limited, too: on an existing object `spec.instanceName` and `spec.name` are immutable, and
#   `spec.name` can be neither added nor removed. Renaming means a new object with new tokens. This rule does not
#   compare the manifest with the existing object.
#
#   The schema allows some values that the operator fails on:
#
#   * an object without `spec`;
#   * a time such as `2026-12-31t14:00:00z`, which it cannot decode. The operator reads all accounts as one list, so one
#     such time blocks every account of the cluster;
#   * an `instanceName` that is not a valid name of an object, such as `My Grafana`;
#   * a `secretName` that is not a valid name of a Secret, such as `my_token`. Without `secretName` the name is composed
#     of the names of the Grafana, the resource, and the token, so a token called `My token` needs one. The token is
#     created in Grafana, storing it fails, and each further attempt creates another one;
#   * a name of the resource or of its Grafana with more than 63 characters, if there are tokens: the operator writes
#     both into labels of the Secrets.
#
#   Placeholders (`${ROLE}`) are not checked.
# related_resources:
#   - ref: https://grafana.github.io/grafana-operator/docs/api/
#     description: API reference of grafana-operator
#   - ref: https://github.com/grafana/grafana-operator/blob/master/docs/docs/planning/proposals/003-grafanaserviceaccount-crd.md
#     description: Proposal of the CRD, with the field permissions
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.schema

import data.salint.helpers
import data.salint.helpers.grafana.schema_operator as operator
import data.salint.helpers.grafana.schema_tokens as tokens
import data.salint.helpers.grafana.schema_values as values
import data.salint.lib

# Each problem has its path, its case, a sentence about it, and the remedy.

report contains finding(problem, "The API server rejects the object.") if some problem in refusals

report contains fixable(finding(problem, "The API server drops it without an error, and kubectl rejects it."), problem) if some problem in unknown

report contains finding(failure, failure.effect) if some failure in operator.failures

report contains lib.finding([], sprintf(
	"%s has no spec. The API server accepts it, but the operator finds no Grafana for it. Set spec.instanceName and spec.role.",
	[helpers.sentence(helpers.called(input.resource))],
)) if {
	operator.without_spec
}

# fixable has a fix for the field of the proposal. Another unknown field can be a misspelled one, and what was meant is unknown.
fixable(found, problem) := lib.with_fix(found, "remove-permissions", "safe", {}) if {
	problem.path == ["spec", "permissions"]
} else := found

finding(failure, effect) := lib.case(lib.finding(failure.path, message(failure, effect)), failure.case)

# message names the object without its namespace, so it is the same in all overlays.
message(failure, effect) := sprintf("In %s, %s %s %s", [
	helpers.titled(input.resource.kind, "", helpers.name(input.resource)),
	failure.problem, effect, failure.remedy,
])

spec := input.resource.spec

refusals contains problem if some problem in tokens.refusals

unknown contains problem if some problem in tokens.unknown

refusals contains {"path": ["apiVersion"], "case": "version", "problem": "apiVersion is not a released version.", "remedy": "Set grafana.integreatly.org/v1beta1."} if {
	input.resource.apiVersion != "grafana.integreatly.org/v1beta1"
}

refusals contains {"path": ["spec"], "case": "type", "problem": sprintf("spec is %s.", [values.kind_of(spec)]), "remedy": "Set a mapping."} if values.wrong_type(spec, "object")

# A patch that could not be built can set a missing field.
refusals contains {"path": ["spec", field], "case": "missing", "problem": sprintf("spec.%s is missing.", [field]), "remedy": remedy} if {
	is_object(spec)
	some field, remedy in {"instanceName": "Set the name of a Grafana in the same namespace.", "role": set_role}
	not values.given(spec, field)
	helpers.as_written
}

set_role := "Set Viewer, Editor, or Admin."

refusals contains {"path": ["spec", field], "case": "text", "problem": sprintf("spec.%s is %s.", [field, values.shown(spec[field])]), "remedy": remedy} if {
	some field in {"instanceName", "name"}
	remedy := values.correct_string(spec[field])
}

refusals contains {"path": ["spec", "role"], "case": "role", "problem": sprintf("spec.role is %s.", [values.shown(spec.role)]), "remedy": set_role} if {
	spec.role != null
	not spec.role in {"Viewer", "Editor", "Admin"}
	not values.filled_in(spec.role)
}

refusals contains {"path": ["spec", field], "case": "type", "problem": problem, "remedy": "Set true or false, without quotes."} if {
	some field in {"isDisabled", "suspend"}
	values.wrong_type(spec[field], "boolean")
	problem := sprintf("spec.%s is %s.", [field, values.shown(spec[field])])
}

refusals contains {"path": ["spec", "resyncPeriod"], "case": "duration", "problem": problem, "remedy": "Set a duration above 0, such as 10m0s."} if {
	period := spec.resyncPeriod
	period != null
	not values.filled_in(period)
	not values.good_duration(period)
	problem := sprintf("spec.resyncPeriod is %s.", [values.shown(period)])
}

refusals contains {"path": ["spec", "tokens"], "case": "type", "problem": sprintf("spec.tokens is %s.", [values.kind_of(spec.tokens)]), "remedy": "Set a list."} if {
	values.wrong_type(spec.tokens, "array")
}

unknown contains {"path": [field], "case": "unknown", "problem": sprintf("%s is not a field of the CRD.", [field]), "remedy": "Remove it."} if {
	some field, _ in input.resource
	not field in {"apiVersion", "kind", "metadata", "spec", "status"}
}

unknown contains {"path": ["spec", field], "case": "unknown", "problem": problem, "remedy": "Remove it."} if {
	is_object(spec)
	some field, _ in spec
	not field in {"instanceName", "isDisabled", "name", "resyncPeriod", "role", "suspend", "tokens"}
	problem := sprintf("spec.%s is not a field of the CRD%s.", [field, object.get(proposed, field, "")])
}

proposed := {"permissions": " (it was proposed, and not released)"}
