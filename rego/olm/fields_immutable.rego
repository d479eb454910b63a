# METADATA
# title: A live extension rejects the obvious change of its account
# description: |
#   From operator-controller v0.12 on, `spec.serviceAccount.name` cannot be changed on a live ClusterExtension, and up
#   to v1.10 the field cannot be removed. v1.11 accepts the removal, but not a change. Do not recreate the extension:
#   deleting it deletes its CustomResourceDefinitions, and with them every custom resource of the operator. This rule
#   reports a note for the following cases, with the alternative:
#
#   * The configured target does not require the field, but the CRD of the same deployment unit does: the API server
#     rejects the removal of the field until the CRD is upgraded.
#   * An extension names `olm.synthetic-user` on a target where that is the name of an ordinary account, and no such
#     account exists: a change to another name is rejected. Create an account of that name.
#   * An extension names an account, and its synthetic user has a binding: on targets with the placeholder
#     `olm.synthetic-user`, only new extensions can use it.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/api/v1/clusterextension_types.go
#     description: The field in v1.10, "name is immutable"
#   - ref: https://operator-framework.github.io/operator-controller/tutorials/uninstall-extension/
#     description: What is deleted with an extension
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [field-immutable]
#   fix: none
package salint.rules.olm.fields_immutable

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	extension.account.state in {"named", "templated"}
	some obstacle in obstacles(extension)
	finding := pointing(lib.case(helpers.judged(extension.account.path, obstacle.message), obstacle.case), obstacle)
}

obstacles(extension) := {obstacle |
	some found in [required_by_crd(extension), lacking_account(extension), bound_user(extension)]
	some obstacle in found
}

# The CRD must be upgraded first.
required_by_crd(extension) := [{"case": "crd", "message": message, "related": [related]} |
	input.target.asked
	input.model != "required"
	some signal in salint.signs()
	signal.kind == "crd"
	signal.model == "required"
	message := sprintf(
		concat(" ", [
			"%s: %s does not require the field, but %s. Until the upgrade, the API server rejects an extension without it.",
			"Upgrade first, then remove the field in a separate commit.",
		]),
		[olm.called(extension), helpers.target, signal.description],
	)
	related := {"ref": signal.ref, "path": signal.path, "message": signal.description}
]

# The placeholder cannot be replaced by another name.
lacking_account(extension) := [{"case": "placeholder", "message": message, "related": []} |
	input.model == "required"
	extension.account.name == olm.placeholder
	olm.runtime.account
	no_placeholder
	helpers.whole
	not olm.placeholder_account_exists(extension)
	message := sprintf(
		concat(" ", [
			"%s names ServiceAccount %s; %s, and recreating the extension deletes %s.",
			"Create this account in %s, and bind a role to it.",
		]),
		[
			olm.called(extension), olm.placeholder, olm.immutable_name,
			olm.deleted_data, olm.install_namespace(extension),
		],
	)
]

no_placeholder if not olm.runtime.placeholder

no_placeholder if olm.gate == "off"

# The name of an account cannot be replaced by the placeholder.
bound_user(extension) := [{"case": "user", "message": message, "related": [related]} |
	olm.placeholder_works
	olm.named(extension)
	olm.name_known(extension)
	bindings := [binding | some binding in salint.bindings_of(olm.user_subject(extension)); binding.via == ""]
	binding := bindings[0]
	message := sprintf(
		concat(" ", [
			"User %s has a binding, but %s names %s, and %s.",
			"Keep the account until a release allows the removal of the field.",
		]),
		[olm.user(extension), olm.called(extension), olm.account(extension), olm.immutable_name],
	)
	related := {"ref": binding.ref, "path": ["subjects", binding.subject_index], "message": "has no effect yet"}
]

pointing(finding, obstacle) := object.union(finding, {"related": obstacle.related})
