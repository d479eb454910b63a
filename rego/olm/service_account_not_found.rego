# METADATA
# title: ClusterExtension names a service account that does not exist
# description: |
#   Where the field is honoured, OLM asks for a token of the account. Without the account there is none: the extension is
#   neither installed nor upgraded, and its status says that the service account was not found. OLM does not create it.
#
#   An account counts as existing when a manifest anywhere in the repository creates it in the namespace of the extension,
#   or in a namespace that is only known once it is applied. Accounts have the names under which overlays, charts, Argo CD and
#   Flux apply them; one whose name is filled in later may be the one that is meant. The accounts that every namespace has
#   (`default`, and OpenShift's `builder`, `deployer` and `pipeline`) need no manifest. Names of accounts that are filled in
#   later are not judged, and neither is what a kustomization applies that cannot be built.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/service-accounts/
#     description: Service accounts
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: The account of an extension and its permissions
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount]
#   fix: none
package salint.rules.olm.service_account_not_found

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	lib.identities_count
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	not extension.account.name in olm.accounts_everywhere
	olm.uses_account(extension)
	lib.as_written
	namesakes := salint.anywhere({"kind": "ServiceAccount", "group": "", "name": extension.account.name})
	not may_be_meant(namesakes, extension.namespace)
	not may_be_meant(templated_like(extension.account.name, extension.namespace), extension.namespace)
	finding := pointing(lib.judged(array.concat(extension.account.path, ["name"]), message(extension, namesakes)), namesakes)
}

may_be_meant(namesakes, _) if {
	some account in namesakes
	unknown(lib.namespace(account.resource))
}

may_be_meant(namesakes, namespace) if {
	count(namesakes) > 0
	unknown(namespace)
}

may_be_meant(namesakes, namespace) if {
	some account in namesakes
	lib.namespace(account.resource) == namespace
}

# templated_like are the accounts whose names are filled in later, and may come to this one: what stands before and behind
# what is filled in agrees. Where nothing does, it could be any account, and counts in the extension's own namespace only.
templated_like(name, namespace) := [account |
	some account in salint.anywhere({"kind": "ServiceAccount", "group": ""})
	written := lib.name(account.resource)
	lib.templated(written)
	before := regex.replace(written, `(?s)(\$[{(]|\{\{).*`, "")
	behind := regex.replace(written, `(?s).*[)}]`, "")
	startswith(name, before)
	endswith(name, behind)
	tells(concat("", [before, behind]), lib.namespace(account.resource), namespace)
]

tells(literal, _, _) if literal != ""

tells(_, namespace, wanted) if namespace == wanted

unknown(namespace) if lib.open_namespace(namespace)

unknown(namespace) if lib.templated(namespace)

message(extension, namesakes) := sprintf(
	concat(" ", [
		"%s is to be installed as %s, which no manifest of the repository creates%s.",
		"OLM gets no token for an account that does not exist, so the extension is neither installed nor upgraded.",
		"Create the account in %s under this name: on a live extension the name cannot be changed.",
	]),
	[olm.called(extension), olm.account(extension), nearby(namesakes), olm.install_namespace(extension)],
)

nearby(namesakes) := "" if {
	count(namesakes) == 0
} else := sprintf(" (there is one of that name in %s)", [lib.listed(namespaces)]) if {
	namespaces := sort({sprintf("namespace %s", [lib.namespace(account.resource)]) | some account in namesakes})
}

pointing(finding, namesakes) := finding if {
	count(namesakes) == 0
} else := lib.related(
	finding, namesakes[0].ref, ["metadata", "namespace"],
	"the account of that name lives in another namespace",
)
