# METADATA
# title: ClusterExtension names the placeholder olm.synthetic-user
# description: |
#   In operator-controller v1.3 to v1.10 the field `spec.serviceAccount` was required, so a name had to stand for the
#   synthetic identity: `olm.synthetic-user`. It has that meaning only with the gate `SyntheticPermissions`, which is off
#   by default, and only in the Helm runtime. Everywhere else it is the name of a ServiceAccount like any other.
#
#   * `required`, gate on: as intended, no finding. But v1.9 and v1.10 also want a ServiceAccount of that name to exist in
#     the extension's namespace.
#   * `required`, nothing said about the gate: a note.
#   * `required`, release or runtime without the gate: an error, unless there is such an account. A gate that is off has a
#     rule of its own, `olm/synthetic-gate-off`.
#   * `synthetic`: a warning. Here leaving the field out means the synthetic identity, and a name is taken for an account.
#   * `ignored`: a warning, the field has no effect. `removed`: an error, the field is gone.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/internal/operator-controller/action/restconfig.go
#     description: What operator-controller v1.10 does with the name
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

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	extension.account.name == olm.placeholder
	verdict := judge(extension)
	message := sprintf("%s names %s. %s", [olm.called(extension), olm.placeholder, verdict.message])
	finding := offered(lib.with_severity(lib.judged(extension.account.path, message), verdict.severity))
}

# offered withholds the fix where the field has to stay.
offered(finding) := finding if {
	input.model != "required"
} else := object.union(finding, {"fix": null})

judge(_) := {"severity": "error", "message": sprintf(
	concat(" ", [
		"%s has no such field: kubectl and server-side apply reject the manifest, other clients drop the field.",
		"Remove the field.",
	]),
	[lib.sentence(lib.target)],
)} if {
	input.model == "removed"
}

judge(extension) := {"severity": "warning", "message": sprintf(
	"It has no effect %s: OLM acts as its own cluster-admin account, and warns: %s Remove the field.",
	[lib.on_target, salint.deprecation(input.target.name, extension.name)],
)} if {
	input.model == "ignored"
}

judge(extension) := {"severity": "warning", "message": sprintf(
	concat(" ", [
		"%s a name is taken for a ServiceAccount in %s, and leaving the field out means the synthetic identity.",
		"Remove the field: OLM then impersonates %s<name as applied>, as it did before by this name.",
	]),
	[lib.sentence(lib.on_target), olm.install_namespace(extension), olm.user_prefix],
)} if {
	input.model == "synthetic"
}

# The releases that know the placeholder.
judge(extension) := {"severity": "error", "message": sprintf(
	concat(" ", [
		"%s that means the synthetic identity, but only where a ServiceAccount of this name exists as well,",
		"and no manifest creates it in %s: the extension is not installed. Create it; it needs no permissions.",
	]),
	[lib.sentence(lib.on_target), olm.install_namespace(extension)],
)} if {
	olm.placeholder_works
	wants_account
	lib.as_written
	not olm.placeholder_account_exists(extension)
}

judge(extension) := {"severity": "note", "message": sprintf(
	concat(" ", [
		"%s that means the synthetic identity only with the gate %s, which is off by default, and nothing here says",
		"that it is on. Without it OLM looks for a ServiceAccount of this name in %s.",
	]),
	[lib.sentence(lib.on_target), olm.synthetic_gate, olm.install_namespace(extension)],
)} if {
	olm.placeholder_works
	olm.gate == "unsaid"
	not lacks_account(extension)
}

# The others.
judge(extension) := {"severity": "error", "message": sprintf(
	concat(" ", [
		"%s does not know this placeholder and takes it for a ServiceAccount in %s, which no manifest creates:",
		"the extension is neither installed nor upgraded. Create an account of this name and bind a role to it.",
	]),
	[lib.sentence(lib.target), olm.install_namespace(extension)],
)} if {
	input.model == "required"
	olm.runtime.account
	not olm.runtime.placeholder
	lib.as_written
	not olm.placeholder_account_exists(extension)
}

# From v1.9 on, operator-controller looks for the account before it asks who is meant.
wants_account if input.target.name in {"olm-1.9", "olm-1.10"}

lacks_account(extension) if {
	wants_account
	lib.as_written
	not olm.placeholder_account_exists(extension)
}
