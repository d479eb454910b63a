# METADATA
# title: ClusterExtension has a serviceAccount that names no account
# description: |
#   `serviceAccount: {}`, an empty name, or something else than a mapping is rejected by the API server of every release:
#   where the field is honoured its name is required, where it is ignored the mapping must not be empty, and where it is
#   gone it is unknown. These are what is left behind when only the name of an account is deleted. Delete the whole key.
#
#   A null on an object is dropped by the API server, so it says nothing, and the next reader takes it for something. In a
#   kustomize patch a null deletes the field; patches are no objects, and are not judged.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
#     description: What the API server does with a null
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: remove-service-account
#     kind: safe
#     description: Delete the whole key; where an account is required, create one and name it.
package salint.rules.olm.service_account_empty

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	extension := salint.extension(input.resource)
	state := extension.account.state
	state in {"null", "empty", "empty-name", "malformed"}
	message := sprintf("%s: %s. %s.", [olm.called(extension), consequence(state, olm.field(extension)), remedy])
	finding := fixed(lib.judged(extension.account.path, message), state)
}

consequence("null", field) := sprintf(
	"%s is null, which the API server drops as if the key were not there; %s",
	[field, without_account[input.model]],
)

consequence("empty", field) := sprintf("%s names no account, and %s", [field, rejected("name is missing")])

consequence("empty-name", field) := sprintf("%s.name is empty, and %s", [field, rejected("an empty name is no valid name")])

consequence("malformed", field) := sprintf(
	"%s is no mapping with a name, and %s",
	[field, rejected("it has the wrong type")],
)

rejected(why) := sprintf("the API server rejects the manifest, for %s", [why]) if {
	input.model != "removed"
} else := sprintf("strict clients reject the manifest, for %s has no such field", [lib.target])

# What OLM does with an extension that has no account, or what keeps the extension from it.
without_account := {
	"required": sprintf("%s requires the field, so the manifest is rejected", [lib.target]),
	"synthetic": "OLM impersonates the synthetic identity of the extension",
	"ignored": "OLM acts as its own cluster-admin account, as for every extension",
	"removed": "OLM acts as its own cluster-admin account, as for every extension",
}

default remedy := "Delete the whole key"

remedy := "Name a ServiceAccount" if input.model == "required"

# The right fix of a required field is the opposite of the usual one. What somebody meant with a bare word or a list is
# for them to say, unless nobody reads the field any more.
fixed(finding, state) := finding if {
	not lib.identities_count
} else := lib.without_fix(finding, "which account was meant cannot be told") if {
	state == "malformed"
} else := lib.with_fix(finding, "add-service-account", "safe", {}) if {
	input.model == "required"
} else := finding
