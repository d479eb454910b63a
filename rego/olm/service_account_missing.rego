# METADATA
# title: ClusterExtension has no service account, although the target requires one
# description: |
#   Up to operator-controller v1.10, and on every OpenShift release so far, `spec.serviceAccount` is a required field,
#   and the API server rejects an extension without it. This follows from a downgrade, or from copying a manifest that
#   was written for a newer release: every extension first needs an account with equivalent permissions.
#
#   After a downgrade, an extension without the field stays with its objects, and its unchanged manifest is accepted. But
#   OLM no longer reconciles it, and the API server rejects any change of its `spec`, until it has an account.
#
#   The fix is the way back from a release that ignores the field, if the accounts have not been pruned. If the account
#   `<extension>-installer` still exists in the namespace of the extension, is still bound, and is not used otherwise,
#   the fix names it and creates nothing, so it grants nothing. Otherwise it names the only account of the namespace
#   that is not used and has the permissions of an installer, whatever its name. Under a prefix or suffix, the field
#   gets the name as applied: in the file if all units agree, otherwise with a patch for each. The extension is limited
#   again to the permissions of the account, where OLM acted as a cluster-admin: this is the purpose of a required
#   account. If bindings of the synthetic identity show the permissions of the extension, the account must have the
#   same: missing permissions are bound to it, and an account with more permissions is named only with `--unsafe-fixes`.
#   Without either, the fix needs `--grant`.
#
#   `olm/layout-outdated` covers the layouts from before operator-controller v0.12, which had no account. If a
#   kustomization patches its resources, a patch can set the field, so its extensions are not reported.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: The permissions that the account of an extension needs
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: add-service-account
#     kind: safe
#     description: >-
#       Set the account that remains from before, or create one, bind the permissions of the synthetic identity
#       to it, and name it.
package salint.rules.olm.service_account_missing

import data.salint.helpers
import data.salint.helpers.olm

report contains finding if {
	input.model == "required"
	helpers.fields_as_written
	extension := salint.extension(input.resource)
	extension.account.state == "absent"
	not extension.layout in olm.layouts_without_account
	left := installers(extension)
	finding := helpers.judged(extension.account.path, message(extension, left))
}

message(extension, left) := sprintf(
	"%s has no %s. %s. %s",
	[olm.called(extension), olm.field(extension), helpers.sentence(olm.rejected_without_field), remedy(extension, left)],
)

remedy(extension, left) := sprintf(
	"Create a ServiceAccount in %s, bind to it the permissions that the extension needs, and name it here.",
	[olm.install_namespace(extension)],
) if {
	count(left) == 0
} else := sprintf(
	"Name %s here, which has the permissions of an installer.",
	[helpers.titled("ServiceAccount", extension.namespace, left[0])],
) if {
	count(left) == 1
} else := sprintf(
	"Name the account of this extension here: %s in %s have the permissions of an installer.",
	[helpers.listed(left), olm.install_namespace(extension)],
)

# installers lists the accounts of the deployment unit in the namespace of an extension that have the permissions of an installer and
# that no other extension names.
installers(extension) := sort({name |
	some account in salint.find({"kind": "ServiceAccount", "group": "", "namespace": extension.namespace})
	helpers.namespace(account.resource) == extension.namespace
	name := helpers.name(account.resource)
	not helpers.templated(name)
	not [extension.namespace, name] in named
	subject := {"kind": "ServiceAccount", "namespace": extension.namespace, "name": name}
	some binding in salint.bindings_of(subject)
	binding.via == ""
	held := salint.effective_rules(subject).cluster
	every rule in installer_rules { salint.covers(held, rule) }
})

# named lists the accounts that other extensions name.
named := {[other.namespace, other.account.name] |
	some entry in salint.find(olm.extension_query)
	other := salint.extension(entry.resource)
	other.account.name != ""
}

# installer_rules are the permissions that every installer has, and that no other account has together.
installer_rules := [
	{"apiGroups": [olm.group], "resources": ["clusterextensions/finalizers"], "verbs": ["update"]},
	{"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["create"]},
]
