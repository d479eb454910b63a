# METADATA
# title: Account with permissions in two clusters
# description: A name that means an account in each cluster hides which of them a change is about.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#bound-in-two-clusters
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.bakery.bound_in_two_clusters

import data.salint.lib

report contains finding if {
	some i, subject in input.resource.subjects
	subject.kind == "ServiceAccount"
	elsewhere := [other | some other in bindings_of(subject); other.ref != salint.ref(input.resource)]
	count(elsewhere) > 0
	message := sprintf("The account %s is bound in another cluster, too. Give it a name for each cluster.", [subject.name])
	problem := lib.finding(["subjects", i, "name"], message)
	finding := lib.related(problem, elsewhere[0].ref, ["subjects"], "the other binding")
}

# bindings_of returns the bindings of an account in all deployment units, which are the clusters here.
bindings_of(account) := [binding |
	kind := {"kind": "ClusterRoleBinding", "group": "rbac.authorization.k8s.io", "subject": account.name}
	some binding in salint.anywhere(kind)
	some subject in binding.resource.subjects
	subject.kind == "ServiceAccount"
	subject.name == account.name
	subject.namespace == account.namespace
]
