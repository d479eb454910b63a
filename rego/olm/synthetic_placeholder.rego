# METADATA
# title: ClusterExtension names the placeholder olm.synthetic-user
# description: |
#   In operator-controller v1.3 to v1.10, the field `spec.serviceAccount` was required, so the name `olm.synthetic-user`
#   represented the synthetic identity. It has this meaning only with the gate `SyntheticPermissions`, which is off by
#   default, and only in the Helm runtime. Otherwise, it is the name of an ordinary ServiceAccount.
#
#   The controller impersonates the identity. No release's manifests allow that: grant its account `impersonate` on
#   `users` and `groups`. Without it, the extension fails with `Kubernetes cluster unreachable: unknown`.
#
#   * `required`, gate on: as intended, not reported. However, v1.9 and v1.10 also require a ServiceAccount of that name
#     in the namespace of the extension.
#   * `required`, state of the gate unknown: a note.
#   * `required`, release or runtime without the gate: an error, unless such an account exists. `olm/synthetic-gate-off`
#     reports a gate that is off.
#   * `synthetic`: a warning. An extension without the field uses the synthetic identity, and a name is the name of an
#     account.
#   * `ignored`: a warning, the field has no effect. `removed`: an error, the field is gone.
#   * An unknown target: a warning, because releases ignore the field from olm-1.11 and OpenShift 5.0 on.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/internal/operator-controller/action/restconfig.go
#     description: The handling of the name in operator-controller v1.10
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/draft/howto/use-synthetic-permissions.md
#     description: Synthetic permissions in operator-controller v1.10 (it misspells the user)
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [olm.synthetic-user]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: remove-service-account
#     kind: safe
#     description: Remove the field where the target does not require it.
package salint.rules.olm.synthetic_placeholder

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	extension.account.name == olm.placeholder
	verdict := judge(extension)
	message := sprintf("%s names %s in %s%s", [olm.called(extension), olm.placeholder, olm.field(extension), verdict.message])
	judged := lib.case(helpers.judged(extension.account.path, message), verdict.case)
	finding := offered(lib.with_severity(judged, verdict.severity))
}

# offered withholds the fix if the field is required.
offered(finding) := finding if {
	input.model != "required"
} else := object.union(finding, {"fix": null})

# judge returns the case, the severity, and the continuation of the message.
judge(_) := {"case": "removed", "severity": "error", "message": sprintf(
	", which %s does not have. %s. Remove the field.",
	[helpers.target, olm.rejected_unknown("the field")],
)} if {
	input.model == "removed"
}

judge(_) := {"case": "ignored", "severity": "warning", "message": sprintf(", which %s. Remove the field.", [olm.no_effect])} if {
	input.model == "ignored"
}

judge(_) := {"case": "unknown", "severity": "warning", "message": sprintf(
	". The field is %s, and %s. %s.",
	[olm.required_through, olm.ignored_from, olm.remove_when_ignored],
)} if {
	helpers.release_unknown
}

judge(extension) := {"case": "account", "severity": "warning", "message": sprintf(
	concat(" ", [
		". %s, this is the name of a ServiceAccount in %s; only an extension without the field uses the synthetic identity.",
		"Remove the field, so that OLM impersonates %s<name as applied> again.",
	]),
	[helpers.sentence(helpers.on_target), olm.install_namespace(extension), olm.user_prefix],
)} if {
	input.model == "synthetic"
}

# The releases that have the placeholder.
judge(extension) := {"case": "both", "severity": "error", "message": sprintf(
	concat(" ", [
		". This name means the synthetic identity. The installation fails: %s also requires a ServiceAccount of this name.",
		"Create the account in %s, where no manifest creates it; it needs no permissions.",
	]),
	[helpers.target, olm.install_namespace(extension)],
)} if {
	olm.placeholder_works
	requires_account
	helpers.whole
	not olm.placeholder_account_exists(extension)
}

judge(extension) := {"case": "gate", "severity": "note", "message": sprintf(
	concat(" ", [
		", but the state of the gate %s is unknown. It is off by default %s: OLM then looks for a ServiceAccount of this",
		"name in %s. Turn the gate on, or create the account and bind a role to it.",
	]),
	[olm.synthetic_gate, helpers.on_target, olm.install_namespace(extension)],
)} if {
	olm.placeholder_works
	olm.gate == "unknown"
	not lacks_account(extension)
}

# The other releases that require the field.
judge(extension) := {"case": "missing", "severity": "error", "message": sprintf(
	concat(" ", [
		". %s treats this as the name of a ServiceAccount in %s, and no manifest creates it:",
		"the extension is neither installed nor upgraded. Create an account of this name, and bind a role to it.",
	]),
	[helpers.sentence(helpers.target), olm.install_namespace(extension)],
)} if {
	input.model == "required"
	olm.runtime.account
	not olm.runtime.placeholder
	helpers.whole
	not olm.placeholder_account_exists(extension)
}

# From v1.9 on, operator-controller looks for the account before it reads the name as the placeholder.
requires_account if input.target.name in {"olm-1.9", "olm-1.10"}

lacks_account(extension) if {
	requires_account
	helpers.whole
	not olm.placeholder_account_exists(extension)
}
