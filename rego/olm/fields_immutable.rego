# METADATA
# title: A live extension refuses the change that suggests itself
# description: |
#   From operator-controller v0.12 on `spec.serviceAccount.name` cannot be changed on a live ClusterExtension, and up to
#   v1.10 the field cannot be removed. v1.11 takes the removal, not a change. Recreating the extension is no way out:
#   deleting it deletes its CustomResourceDefinitions, and with them every custom resource of the operator. A note says
#   where that stands in the way, and what to do instead:
#
#   * The target asked for does without the field, and the CRD in the same deployment unit still requires it: removing the
#     field is refused until the CRD is upgraded.
#   * An extension names `olm.synthetic-user` where that is an account like any other, and there is none of that name:
#     another name is refused. An account of that very name does it.
#   * An extension names an account, and something is bound to its synthetic user: on targets with the placeholder
#     `olm.synthetic-user` only new extensions can be moved to it.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/api/v1/clusterextension_types.go
#     description: The field in v1.10, "name is immutable"
#   - ref: https://operator-framework.github.io/operator-controller/tutorials/uninstall-extension/
#     description: What goes with an extension
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   fix: none
package salint.rules.olm.fields_immutable

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	extension := salint.extension(input.resource)
	extension.account.state in {"named", "templated"}
	some obstacle in obstacles(extension)
	finding := pointing(lib.judged(extension.account.path, sprintf("%s: %s", [olm.called(extension), obstacle.message])), obstacle)
}

obstacles(extension) := {obstacle |
	some found in [required_by_crd, lacking_account(extension), bound_user(extension)]
	some obstacle in found
}

# The CRD comes first.
required_by_crd := [{"message": message, "related": [related]} |
	input.target.asked
	input.model != "required"
	some sign in salint.signs()
	sign.kind == "crd"
	sign.model == "required"
	message := sprintf(
		concat(" ", [
			"%s does without the field, but %s. Until that is upgraded the API server refuses an extension without it.",
			"Upgrade first, and remove the field in a commit of its own.",
		]),
		[lib.target, sign.description],
	)
	related := {"ref": sign.ref, "path": sign.path, "message": sign.description}
]

# Another name than the placeholder.
lacking_account(extension) := [{"message": message, "related": []} |
	input.model == "required"
	extension.account.name == olm.placeholder
	olm.runtime.account
	no_placeholder
	lib.as_written
	not olm.placeholder_account_exists(extension)
	message := sprintf(
		concat(" ", [
			"a live extension refuses another name than %s, and recreating it deletes its CustomResourceDefinitions with every",
			"custom resource. Create a ServiceAccount named %s in %s instead, and bind a role to it.",
		]),
		[olm.placeholder, olm.placeholder, olm.install_namespace(extension)],
	)
]

no_placeholder if not olm.runtime.placeholder

no_placeholder if olm.gate == "off"

# The placeholder instead of another name.
bound_user(extension) := [{"message": message, "related": [related]} |
	olm.placeholder_works
	olm.named(extension)
	olm.name_known(extension)
	bindings := [binding | some binding in salint.bindings_of(olm.user_subject(extension)); binding.via == ""]
	binding := bindings[0]
	message := sprintf(
		concat(" ", [
			"User %s has a binding, which has no effect as long as the extension names %s. A live extension refuses the",
			"name %s in its place, and recreating it deletes its CustomResourceDefinitions with every custom resource.",
			"Keep the account until the release lets the field be removed.",
		]),
		[olm.user(extension), olm.account(extension), olm.placeholder],
	)
	related := {"ref": binding.ref, "path": ["subjects", binding.subject_index], "message": "has no effect yet"}
]

pointing(finding, obstacle) := object.union(finding, {"related": obstacle.related})
