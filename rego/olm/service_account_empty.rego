# METADATA
# title: ClusterExtension has a serviceAccount without a name
# description: |
#   The API server of every release rejects `serviceAccount: {}`, an empty name, and a value that is not a mapping:
#   where the field is honored, its name is required; where it is ignored, the mapping must not be empty; where it is
#   gone, it is unknown. These values often remain after only the name of an account is deleted. Remove the whole key.
#
#   The API server drops a null on an object, so it has no effect, but it misleads readers. In a kustomize patch, a null
#   deletes the field; patches are not objects, and are not checked.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
#     description: The handling of a null by the API server
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [account-empty]
#   fix:
#     name: remove-service-account
#     kind: safe
#     description: Remove the whole key, or create an account and name it if the target requires one.
package salint.rules.olm.service_account_empty

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	extension := salint.extension(input.resource)
	state := extension.account.state
	state in {"null", "empty", "empty-name", "malformed"}
	message := sprintf("%s sets %s. %s. %s.", [olm.called(extension), problem(state, olm.field(extension)), consequence(state), remedy])
	finding := fixed(lib.case(helpers.judged(extension.account.path, message), [state, input.model]), state)
}

problem("null", field) := sprintf("%s to null", [field])

problem("empty", field) := sprintf("%s without a name", [field])

problem("empty-name", field) := sprintf("%s.name to an empty string", [field])

problem("malformed", field) := sprintf("%s to a value that is not a mapping", [field])

consequence("null") := sprintf("The API server drops it, and %s", [without_account[input.model]])

consequence(state) := "The API server rejects the manifest" if {
	state != "null"
	input.model != "removed"
}

consequence(state) := sprintf("%s does not have the field: %s", [helpers.sentence(helpers.target), olm.rejected_unknown("the field")]) if {
	state != "null"
	input.model == "removed"
}

# without_account holds the effect of an extension without an account, by model.
without_account := {
	"required": olm.rejected_without_field,
	"synthetic": "OLM impersonates the synthetic identity of the extension",
	"ignored": olm.own_account,
	"removed": olm.own_account,
	"unknown": sprintf("then rejects the manifest, or %s, depending on the release", [olm.own_account]),
}

default remedy := "Remove the whole key"

remedy := "Name a ServiceAccount" if input.model == "required"

remedy := "Name a ServiceAccount if the release requires one, otherwise remove the whole key" if helpers.release_unknown

# fixed selects the fix. A required field needs an account instead of its removal. The meaning of a bare word or a list is
# unknown, so it is not fixed unless the target ignores or lacks the field.
fixed(finding, state) := finding if {
	not helpers.identities_count
} else := lib.without_fix(finding, "it is unknown which account was meant") if {
	state == "malformed"
} else := lib.with_fix(finding, "add-service-account", "safe", {}) if {
	input.model == "required"
} else := finding
