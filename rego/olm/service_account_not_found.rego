# METADATA
# title: ClusterExtension names a service account that does not exist
# description: |
#   Where the field is honored, OLM requests a token of the account. If the account does not exist, this fails: the
#   extension is neither installed nor upgraded, and its status reports that the service account was not found. OLM does
#   not create it.
#
#   What counts are the accounts as applied. If the deployment unit of the extension itself contains the account, but
#   applies it under another name or in another namespace, then the extension names an account that does not exist:
#   kustomize changes the names of accounts, and not the fields of an extension.
#
#   Otherwise, an account exists if a manifest anywhere in the repository creates it in the namespace of the extension, or in a
#   namespace that is unknown until it is applied. Accounts have the names under which overlays, charts, Argo CD, and
#   Flux apply them; an account with a templated name can be the one that is meant. The accounts that every namespace
#   has (`default`, and `builder`, `deployer`, and `pipeline` of OpenShift) need no manifest. The objects of a kustomization
#   that cannot be built are not checked. Inside of an object that holds manifests, such as a ManifestWork, the finding is
#   a note: another object can bring the account. It is also a note if a string or script can create the account, such as a
#   heredoc of a script or a string of a ConfigMap, and if the extension names the account with a template that no account
#   of the repository has or can become.
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
#   evaluate_if: [account-not-applied]
#   fix: none
package salint.rules.olm.service_account_not_found

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.olm.account_candidates as candidates
import data.salint.helpers.rbac.missing
import data.salint.lib

report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	not extension.account.name in olm.accounts_everywhere
	olm.uses_account(extension)
	helpers.as_written
	count(salint.renamed({
		"kind": "ServiceAccount", "group": "",
		"namespace": extension.namespace, "name": extension.account.name,
	})) == 0
	namesakes := salint.anywhere({"kind": "ServiceAccount", "group": "", "name": extension.account.name})
	not candidates.may_be_meant(namesakes, extension.namespace)
	not candidates.may_be_meant(candidates.templated_like(extension.account.name, extension.namespace), extension.namespace)
	places := salint.created_in_texts({"namespace": extension.namespace, "name": extension.account.name})
	judged := helpers.judged(array.concat(extension.account.path, ["name"]), message(extension, namesakes, places))
	finding := pointing(graded(judged, places), namesakes)
}

# Another object can bring the account to the place where this one brings the extension, and so can a string or script.
graded(finding, places) := lib.with_severity(finding, "note") if {
	may_be_brought(places)
} else := finding

may_be_brought(_) if helpers.partial

may_be_brought(places) if count(places) > 0

# The deployment unit contains the account under a different name. An account of another unit that has the name is not
# meant: it is usually applied to another cluster.
report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	extension.account.state == "named"
	not extension.account.name in olm.accounts_everywhere
	olm.uses_account(extension)
	helpers.as_written
	account := {"kind": "ServiceAccount", "group": "", "namespace": extension.namespace, "name": extension.account.name}
	count(salint.find(account)) == 0
	renamed := salint.renamed(account)
	count(renamed) > 0
	finding := lib.related(
		lib.case(
			helpers.judged(array.concat(extension.account.path, ["name"]), renamed_message(extension, renamed[0].resource)),
			changed_field(extension, renamed[0].resource),
		),
		renamed[0].ref, ["metadata", "name"], "the account, as applied",
	)
}

# The name is known only when it is applied.
report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	extension.account.state == "templated"
	olm.uses_account(extension)
	count(candidates.reached_by(extension.account.name)) == 0
	finding := lib.with_severity(
		helpers.judged(array.concat(extension.account.path, ["name"]), templated_message(extension)),
		"note",
	)
}

templated_message(extension) := sprintf(
	"%s names its ServiceAccount with the template %q, and no manifest of the repository defines such an account. Check that it exists in %s.",
	[olm.called(extension), extension.account.name, olm.install_namespace(extension)],
)

message(extension, _, places) := sprintf(
	"%s names %s, which no manifest of the repository defines, but %s:%d can create it. Check that it is created in %s.",
	[olm.called(extension), olm.account(extension), places[0].file, places[0].line, olm.install_namespace(extension)],
)

message(extension, namesakes, []) := sprintf(
	concat(" ", [
		"%s names %s. The extension is neither installed nor upgraded.",
		"Create this account in %s, because %s.",
	]),
	[
		olm.called(extension), missing.object_called(olm.account(extension), nearby(namesakes)),
		olm.install_namespace(extension), olm.immutable_name,
	],
)

renamed_message(extension, applied) := sprintf(
	concat(" ", [
		"%s names %s, but its deployment unit applies this account as %s.",
		"The extension is neither installed nor upgraded. Change %s of the extension in a patch of this unit.",
	]),
	[olm.called(extension), olm.account(extension), helpers.called(applied), changed_field(extension, applied)],
)

changed_field(extension, applied) := sprintf("%s.name", [olm.field(extension)]) if {
	helpers.name(applied) != extension.account.name
} else := concat(".", extension.namespace_path)

nearby(namesakes) := "" if {
	count(namesakes) == 0
} else := sprintf(" (one of that name exists in %s)", [helpers.listed(namespaces)]) if {
	namespaces := sort({sprintf("namespace %s", [helpers.namespace(account.resource)]) | some account in namesakes})
}

pointing(finding, namesakes) := finding if {
	count(namesakes) == 0
} else := lib.related(
	finding, namesakes[0].ref, ["metadata", "namespace"],
	"an account of that name in another namespace",
)
