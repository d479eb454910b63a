# ClusterExtensions and the identities that OLM acts as for them.
package salint.lib.olm

import data.salint.lib

# group is the API group of OLM v1.
group := "olm.operatorframework.io"

# extension_query asks for all ClusterExtensions; with a name, for those of that name.
extension_query := {"kind": "ClusterExtension", "group": group}

# identities_group is the group that every synthetic identity is in; user_prefix is followed by the extension's name.
identities_group := "olm:clusterextensions"

user_prefix := "olm:clusterextension:"

# placeholder is the account name that means the synthetic identity where the gate of operator-controller is on.
placeholder := "olm.synthetic-user"

# accounts_everywhere are the accounts that a controller creates in every namespace.
accounts_everywhere := {"default", "builder", "deployer", "pipeline"}

# synthetic_gate is that gate.
synthetic_gate := "SyntheticPermissions"

# named tells that an extension names an account that is meant as one.
named(extension) if {
	extension.account.state in {"named", "templated"}
	extension.account.name != placeholder
}

# accountless tells that an extension has no account as far as the API server is concerned: it drops a null.
accountless(extension) if extension.account.state in {"absent", "null"}

# layouts_without_account are those in which no release asked for one. A manifest of v0.12 that leaves its account out
# looks like one of v0.10; layout-outdated says what is wrong with both.
layouts_without_account := {"v0.9", "v0.10"}

# name_known tells that the extension's name stands in the manifest, so that its identity is known as well.
name_known(extension) if {
	extension.name != ""
	not extension.name_templated
}

# called is how messages call an extension.
called(extension) := lib.titled("ClusterExtension", "", extension.name)

# account is how messages call the account of an extension.
account(extension) := lib.titled("ServiceAccount", extension.namespace, extension.account.name) if {
	extension.account.name != ""
} else := "a ServiceAccount whose name is filled in later"

# install_namespace is how messages call the namespace in which the account of an extension lives.
install_namespace(extension) := sprintf("namespace %s", [extension.namespace]) if {
	extension.namespace != ""
} else := "the extension's namespace"

# field is the field with the account, as users write it: spec.serviceAccount in most layouts.
field(extension) := concat(".", extension.account.path)

# account_subject is the account of an extension as a subject of bindings.
account_subject(extension) := {
	"kind": "ServiceAccount",
	"namespace": extension.namespace,
	"name": extension.account.name,
}

# user is the synthetic user of an extension.
user(extension) := salint.identity(extension.name).user

user_subject(extension) := {"kind": "User", "name": user(extension)}

group_subject := {"kind": "Group", "name": identities_group}

# uses_account tells that OLM acts as the account that the extension names.
uses_account(extension) if {
	lib.identities_count
	runtime.account
	named(extension)
}

# uses_synthetic tells that OLM impersonates the synthetic identity of the extension.
uses_synthetic(extension) if {
	input.model == "synthetic"
	accountless(extension)
	not extension.layout in layouts_without_account
}

uses_synthetic(extension) if {
	extension.account.name == placeholder
	placeholder_works
}

# placeholder_works tells that the placeholder may mean the synthetic identity: the release can have the gate, and no
# sign says that it is off.
placeholder_works if {
	input.model == "required"
	runtime.placeholder
	gate != "off"
}

# placeholder_account_exists tells that a manifest creates an account of that name in the extension's namespace.
placeholder_account_exists(extension) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": placeholder})
	lib.namespace(account.resource) == extension.namespace
}

placeholder_account_exists(_) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": placeholder})
	lib.namespace(account.resource) == ""
}

# subjects_of are the subjects by which an extension's identity can be granted something.
subjects_of(extension) := [account_subject(extension)] if uses_account(extension)

subjects_of(extension) := [user_subject(extension), group_subject] if uses_synthetic(extension)

# identity_path leads to what decides about the identity of an extension: its account, or its name.
identity_path(extension) := extension.account.path if {
	uses_account(extension)
} else := ["metadata", "name"]
