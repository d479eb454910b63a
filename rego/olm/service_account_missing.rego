# METADATA
# title: ClusterExtension has no service account where one is required
# description: |
#   Up to operator-controller v1.10, and on every OpenShift release so far, `spec.serviceAccount` is a required field. An
#   extension without it is rejected by the API server. Repositories come here by a downgrade, or by a copy of a manifest
#   that was written for a newer release: every extension needs an account with equivalent permissions first.
#
#   The way back from a release that ignores the field is the fix, as long as the accounts have not been pruned: where the
#   account `<extension>-installer` is still there in the namespace of the extension, is still bound, and nothing else uses
#   it, the fix names it, and creates nothing. Nobody is granted anything by that. The extension is limited again to what
#   the account may do, where OLM acted for it as a cluster-admin: that is what a required account is for. Where bindings
#   of the synthetic identity tell what the extension may do, the account must come to that, and to no more: what it lacks
#   is bound to it, and where it holds more, only `--unsafe-fixes` names it. Without either, the fix needs `--grant`.
#
#   Layouts from before operator-controller v0.12, which knew no account, are left to `olm/layout-outdated`. In a
#   kustomization that patches its resources the field may come from a patch, so nothing is said there.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: What the account of an extension must be allowed to do
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: add-service-account
#     kind: safe
#     description: >-
#       Name the account that is left from before, or else create one, bind to it what the synthetic identity holds, and name
#       that.
package salint.rules.olm.service_account_missing

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	input.model == "required"
	lib.as_written
	extension := salint.extension(input.resource)
	extension.account.state == "absent"
	not extension.layout in olm.layouts_without_account
	finding := lib.judged(extension.account.path, message(extension))
}

message(extension) := sprintf(
	concat(" ", [
		"%s has no %s. %s requires it, so the API server rejects the manifest.",
		"Create a ServiceAccount in %s, bind to it what the extension needs, and name it here.",
	]),
	[olm.called(extension), olm.field(extension), lib.sentence(lib.target), olm.install_namespace(extension)],
)
