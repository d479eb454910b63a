# The recurring facts of messages about extensions. Each fact has one wording, here.
package salint.helpers.olm

import data.salint.helpers
import data.salint.helpers.rbac

# own_account is the identity of every extension on targets that ignore or lack the field. As OLM ships it, it is a
# cluster-admin; a repository can show that it is not.
own_account := "OLM acts as its own account" if {
	salint.own_account_restricted()
} else := "OLM acts as its own cluster-admin account"

# required_through and ignored_from end clauses about the field where the release is unknown. They are the two sides of the
# table of targets; a test compares them with it.
required_through := "required through olm-1.10 and OpenShift 4.23"

ignored_from := "ignored from olm-1.11 and OpenShift 5.0"

# remove_when_ignored is the remedy for a field that is set where the release is unknown.
remove_when_ignored := "Remove the field once the release of the cluster ignores it"

# no_effect continues a clause about the field, or about a binding of a synthetic identity.
no_effect := sprintf("has no effect %s: %s", [helpers.on_target, own_account])

# rejected_without_field is a clause about the field on a target that requires it.
rejected_without_field := sprintf("%s requires the field, so the API server rejects the manifest", [helpers.target])

# rejected_unknown is a clause about fields that the API does not have: "the field", or "these fields".
rejected_unknown(fields) := sprintf("kubectl and server-side apply reject the manifest; other clients drop %s", [fields])

# immutable_name is a clause that follows the name of an account.
immutable_name := "this name cannot be changed on a live extension"

# deleted_data is what a deleted extension deletes.
deleted_data := "its CustomResourceDefinitions and all custom resources"

# installing names a subject through which OLM installs extensions.
installing(subject, extensions) := sprintf("%s, which %s %s,", [rbac.subject_called(subject), verb(subject), extensions])

# installer names a subject at the end of a clause.
installer(subject, extensions) := sprintf("%s, %s %s", [rbac.subject_called(subject), role(subject), extensions])

role(subject) := "which includes the installer of" if {
	subject.kind == "Group"
} else := "the installer of"

verb(subject) := "includes the identity that installs" if {
	subject.kind == "Group"
} else := "installs"
