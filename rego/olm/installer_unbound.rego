# METADATA
# title: Nothing is bound to the service account that installs a ClusterExtension
# description: |
#   Where the field is honored, OLM acts as the account that the extension names. An account without any binding can
#   do nothing that an installation needs: OLM is refused, and retries until a role is bound to the account.
#
#   This rule checks extensions whose account is in the same deployment unit, with its name and namespace as applied.
#   Bindings anywhere in the repository count, to the account and to its groups, except for another form of a binding whose
#   subjects this unit changes. `olm/service-account-not-found` reports an
#   account that does not exist.
#
#   The finding is a note if a binding can exist that salint does not see: a binding has a templated subject, a chart that is
#   not in the repository installs objects into the namespace, a part of the unit was not read, or something else in the
#   repository can bind a role to the account, such as a script or a module of Terraform.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: The permissions that the account of an extension needs
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac, opaque_installers]
#   evaluate_if: [account-unbound]
#   fix: none
package salint.rules.olm.installer_unbound

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.olm
import data.salint.lib

# bound_elsewhere is last, because it reads every binding of the repository.
report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	not extension.account.name in olm.accounts_everywhere
	olm.uses_account(extension)
	subject := olm.account_subject(extension)
	count(salint.bindings_of(subject)) == 0
	count(salint.renamed(object.union({"group": ""}, subject))) == 0
	defined := [account |
		some account in salint.anywhere(object.union({"group": ""}, subject))
		helpers.namespace(account.resource) in {subject.namespace, ""}
	]
	count(defined) > 0
	not bound_elsewhere(subject)
	finding := lib.related(
		as_known(array.concat(extension.account.path, ["name"]), extension),
		defined[0].ref, ["metadata", "name"], "the account",
	)
}

# A separate deployment unit can apply the bindings, but not those that this one applies in another form.
bound_elsewhere(subject) if {
	some name in ({subject.name, user(subject)} | groups(subject))
	some binding in salint.bindings_naming(name)
	not binding.other_form
	some written in binding.resource.subjects
	names(written, subject)
}

names(written, subject) if {
	written.kind == "ServiceAccount"
	written.name == subject.name
	may_be_namespace(object.get(written, "namespace", ""), subject.namespace)
}

names(written, subject) if {
	written.kind == "User"
	written.name == user(subject)
}

names(written, subject) if {
	written.kind == "Group"
	written.name in groups(subject)
}

user(subject) := sprintf("system:serviceaccount:%s:%s", [subject.namespace, subject.name])

groups(subject) := {
	"system:authenticated", "system:serviceaccounts",
	sprintf("system:serviceaccounts:%s", [subject.namespace]),
}

# A RoleBinding without a namespace for its subject, and any namespace that is known only on the cluster. The bodies are
# separate because OPA 1.22 does not find a rule whose first expression is `argument in {other_argument}`.
may_be_namespace(namespace, namespace)

may_be_namespace("", _)

may_be_namespace(namespace, _) if helpers.templated(namespace)

as_known(path, extension) := helpers.judged(path, message(extension)) if {
	doubt(extension) == ""
} else := lib.with_severity(
	helpers.judged(path, sprintf(
		"No binding of %s, which installs %s, is in the repository, and %s. Check the bindings of the account.",
		[olm.account(extension), olm.called(extension), doubt(extension)],
	)),
	"note",
)

# doubt is the reason why a binding can exist that is not in the repository.
doubt(extension) := "not all objects of its deployment unit are known" if {
	not accounts.whole
} else := "a binding has a templated subject" if {
	count(salint.templated_bindings()) > 0
} else := sprintf("%s:%d can bind a role to it", [place.file, place.line]) if {
	# scripts, templates, and other objects that bind roles
	place := salint.granted_elsewhere({"namespace": extension.namespace, "name": extension.account.name})[0]
} else := "charts from outside the repository are installed into its namespace" if {
	# Extensions install operators, which do not bind roles to the account that installs them.
	some ref in salint.bringers(extension.namespace)
	not ref in salint.refs_anywhere(olm.extension_query)
} else := ""

# instead is a binding of the synthetic user of the extension, which is not used as long as the account is named.
instead(extension) := binding if {
	input.model == "synthetic"
	binding := salint.bindings_naming(olm.user(extension))[0]
}

message(extension) := sprintf(
	concat(" ", [
		"Nothing is bound to %s, which installs %s: %s binds User %s instead. OLM is refused, so it is not installed.",
		"Bind a role to the account, or remove the field.",
	]),
	[olm.account(extension), olm.called(extension), helpers.called(instead(extension).resource), olm.user(extension)],
) if {
	instead(extension)
} else := sprintf(
	concat(" ", [
		"Nothing is bound to %s, which installs %s. OLM is refused, so the extension is neither installed nor upgraded.",
		"Bind a role with the permissions that its bundle needs (see `salint preflight`).",
	]),
	[olm.account(extension), olm.called(extension)],
)
