# ClusterExtensions and the identities that OLM acts as for them.
package salint.helpers.olm

import data.salint.helpers

# group is the API group of OLM v1.
group := "olm.operatorframework.io"

# extension_query finds all ClusterExtensions; with a name added, those of that name.
extension_query := {"kind": "ClusterExtension", "group": group}

# identities_group is the group of all synthetic identities; user_prefix precedes the name of the extension.
identities_group := "olm:clusterextensions"

user_prefix := "olm:clusterextension:"

# placeholder is the account name that means the synthetic identity if the gate of operator-controller is on.
placeholder := "olm.synthetic-user"

# accounts_everywhere lists the accounts that a controller creates in every namespace.
accounts_everywhere := {"default", "builder", "deployer", "pipeline"}

# synthetic_gate is that gate.
synthetic_gate := "SyntheticPermissions"

# named(extension) is true if the extension names an account other than the placeholder.
named(extension) if {
	extension.account.state in {"named", "templated"}
	extension.account.name != placeholder
}

# accountless is true if the API server sees no account in an extension: it drops a null.
accountless(extension) if extension.account.state in {"absent", "null"}

# layouts_without_account lists the layouts of releases that require no account. A manifest of v0.12 that lacks its account
# looks like one of v0.10; layout-outdated reports both.
layouts_without_account := {"v0.9", "v0.10"}

# name_known is true if the manifest contains the name of the extension without templates. Its identity is then known as
# well.
name_known(extension) if {
	extension.name != ""
	not extension.name_templated
}

# called returns the name of an extension in messages.
called(extension) := helpers.titled("ClusterExtension", "", extension.name)

# account returns the name of the account of an extension in messages.
account(extension) := helpers.titled("ServiceAccount", extension.namespace, extension.account.name) if {
	extension.account.name != ""
} else := "a ServiceAccount with a templated name"

# install_namespace returns the namespace of the account of an extension, for messages.
install_namespace(extension) := sprintf("namespace %s", [extension.namespace]) if {
	extension.namespace != ""
} else := "the extension's namespace"

# field returns the field of the account, for messages: spec.serviceAccount in most layouts.
field(extension) := concat(".", extension.account.path)

# account_subject returns the account of an extension as a subject of bindings.
account_subject(extension) := {
	"kind": "ServiceAccount",
	"namespace": extension.namespace,
	"name": extension.account.name,
}

# user returns the name of the synthetic user of an extension.
user(extension) := salint.identity(extension.name).user

user_subject(extension) := {"kind": "User", "name": user(extension)}

group_subject := {"kind": "Group", "name": identities_group}

# uses_account is true if OLM acts as the account that the extension names.
uses_account(extension) if {
	helpers.identities_count
	runtime.account
	named(extension)
}

# uses_synthetic is true if OLM impersonates the synthetic identity of the extension.
uses_synthetic(extension) if {
	input.model == "synthetic"
	accountless(extension)
	not extension.layout in layouts_without_account
}

uses_synthetic(extension) if {
	extension.account.name == placeholder
	placeholder_works
}

# placeholder_works is true if the placeholder can mean the synthetic identity: the release has the gate, and no signal
# turns it off.
placeholder_works if {
	input.model == "required"
	runtime.placeholder
	gate != "off"
}

# placeholder_account_exists is true if a manifest creates an account of that name in the namespace of the extension.
placeholder_account_exists(extension) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": placeholder})
	helpers.namespace(account.resource) == extension.namespace
}

placeholder_account_exists(_) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": placeholder})
	helpers.namespace(account.resource) == ""
}

# placeholder_account_bound is true if a binding names an account with the name of the placeholder.
placeholder_account_bound(extension) if {
	extension.account.name == placeholder
	some binding in salint.bindings_of(account_subject(extension))
	binding.via == ""
}

# subjects_of returns the subjects through which the identity of an extension gets permissions, the most specific one first.
subjects_of(extension) := [account_subject(extension)] if uses_account(extension)

subjects_of(extension) := [user_subject(extension), group_subject] if uses_synthetic(extension)

# identity_path returns the path to the field that determines the identity of an extension: its account, or its name.
identity_path(extension) := extension.account.path if {
	uses_account(extension)
} else := ["metadata", "name"]
