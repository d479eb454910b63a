# METADATA
# title: The identity that installs an extension may do less than its bundle needs
# description: |
#   Installing a bundle needs permissions: to read, create, change and delete each of its objects, to list and watch their
#   types, to update the finalizers of their owner, and to hold everything that the roles among them grant. This rule
#   compares that with what the repository grants the identity that OLM acts as, its groups included. Where something is
#   missing, the installation or the next upgrade fails half way.
#
#   It looks at extensions whose bundle is named by `bundles:` in the configuration or by `--bundle EXTENSION=DIR`. Where the
#   identity is bound to roles whose rules are not all in the repository, what is missing may be there: then it is a note,
#   and nothing is fixed. `salint preflight` lists what is missing, and for what it is needed.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find out what an extension needs
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   needs: bundle
#   fix:
#     name: grant-bundle
#     kind: unsafe
#     description: Grant the identity what is missing, by roles and bindings of its own.
package salint.rules.olm.insufficient_permissions

import data.salint.lib
import data.salint.lib.bundles
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	lib.as_written
	bundle := salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	answer := salint.preflight(input.resource)
	count(answer.missing) > 0
	not unbound(extension)
	judged := lib.judged(olm.identity_path(extension), message(extension, bundle, answer))
	finding := as_known(bundles.pointing(judged, answer.identity, bundle), answer)
}

# Of a synthetic identity that nothing is bound to, olm/synthetic-identity-unbound tells.
unbound(extension) if {
	olm.uses_synthetic(extension)
	every subject in olm.subjects_of(extension) { count(salint.bindings_of(subject)) == 0 }
}

# doubtful are roles of the identity that may grant what is missing.
doubtful(answer) := [lib.titled(role.kind, role.namespace, role.name) |
	some roles in [answer.unknown, answer.partial]
	some role in roles
]

as_known(finding, answer) := finding if {
	count(doubtful(answer)) == 0
} else := lib.without_fix(
	lib.with_severity(finding, "note"),
	sprintf("the rules of %s are not all known here, and may allow it", [lib.listed(doubtful(answer))]),
)

message(extension, bundle, answer) := sprintf("%s, as which OLM installs %s, %s what %s needs: %s. %s", [
	lib.sentence(rbac.subject_called(answer.identity)), olm.called(extension), lacks(answer),
	bundles.called(bundle), bundles.rules_text(answer.missing), consequence(answer),
])

lacks(answer) := "lacks" if {
	count(doubtful(answer)) == 0
} else := "may lack"

consequence(answer) := "Without it, the installation fails. Grant it; `salint preflight` says what each is for." if {
	count(doubtful(answer)) == 0
} else := concat(" ", [
	"It is bound to roles whose rules are not all in the repository, so this cannot be told for certain;",
	"`salint preflight` says more.",
])
