# The resources of OLM that input.resource, a ClusterRoleBinding, allows non-administrators to write, and the limits by
# admission.
package salint.helpers.olm.extension_writers

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac

# resources lists the resources that determine what OLM installs.
resources := {"clusterextensions", "clusterobjectsets", "clustercatalogs"}

# operations holds the admission operation of each verb. Patching is an update.
operations := {"create": "CREATE", "update": "UPDATE", "patch": "UPDATE"}

# list holds the subjects that are not administrators.
list := [subject |
	some subject in rbac.subjects(input.resource)
	not salint.is_administrator({"kind": subject.kind, "namespace": subject.namespace, "name": subject.name})
]

# opened holds the resources and operations that the role allows, each with a name if the rule has resourceNames.
opened contains [resource, operation, name] if {
	some ref in rbac.granting(input.resource)
	some rule in salint.granted_about(ref, olm.group, resources)
	some resource in resources
	rbac.has(rule.resources, {resource})
	some verb, operation in operations
	rbac.has(rule.verbs, {verb})
	some name in names(rule, verb)
}

# concerns_olm is true if the role names the resources of OLM, or if the repository shows that its cluster has OLM v1: a role for all groups
# is not about extensions where there are none.
concerns_olm if not helpers.release_unknown

concerns_olm if {
	some ref in rbac.granting(input.resource)
	some rule in salint.granted_about(ref, olm.group, resources)
	olm.group in rule.apiGroups
}

concerns_olm if {
	some kind in ["ClusterExtension", "ClusterCatalog"]
	count(salint.refs_anywhere({"kind": kind, "group": olm.group})) > 0
}

# only_names lists the names to which all access is limited; none if some of it is not limited. They are part of the fingerprint: a baseline
# does not hide that a limit is removed.
only_names := [] if {
	some [_, _, ""] in opened
} else := sort({name | some [_, _, name] in opened})

# names returns the names that a rule is limited to; "" means all. During the RBAC check of a create, an object has no
# name, so a rule with names does not allow create.
names(rule, _) := {""} if count(rule.resourceNames) == 0

names(rule, verb) := {name | some name in rule.resourceNames} if {
	count(rule.resourceNames) > 0
	verb != "create"
}

# open_to holds the access that admission does not limit, by the index of the subject; unknown_to the access for which
# that is unknown. Policies of the whole repository count, because they are often applied separately from the resources
# they limit.
open_to := accesses("open")

unknown_to := accesses("unknown")

# accesses is a comprehension, because a binding can have thousands of subjects, and a partial rule would compare each
# with each.
accesses(state) := {subject.index: access |
	some subject in list
	access := {[resource, operation] |
		some [resource, operation, name] in opened
		limits(subject, resource, operation, name).state == state
	}
	count(access) > 0
}

limits(subject, resource, operation, name) := salint.limits(
	{"kind": subject.kind, "namespace": subject.namespace, "name": subject.name},
	{"operation": operation, "group": olm.group, "resource": resource, "name": name},
)

# reasons lists why the existing policies do not limit the access of a subject.
reasons(subject) := {reason |
	some [resource, operation, name] in opened
	some reason in limits(subject, resource, operation, name).reasons
}

# access_to returns the open access as text. Resources with the same verbs are grouped.
access_to(open) := helpers.listed([access |
	some verbs in sort({verbs_on(open, resource) | some [resource, _] in open})
	same := sort({resource | some [resource, _] in open; verbs_on(open, resource) == verbs})
	access := sprintf("%s %s", [verbs, helpers.listed(same)])
])

verbs_on(open, resource) := concat(" and ", sort({lower(operation) |
	some [opened_resource, operation] in open
	opened_resource == resource
}))
