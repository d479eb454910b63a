# What input.resource, a ClusterRoleBinding, lets subjects who are no administrators write, and what admission makes of it.
package salint.lib.olm.extension_writers

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

# resources are those by which OLM is told what to install.
resources := {"clusterextensions", "clusterobjectsets", "clustercatalogs"}

# operations are what admission calls the verbs. Patching is an update.
operations := {"create": "CREATE", "update": "UPDATE", "patch": "UPDATE"}

# list are the subjects who are no administrators.
list := [subject |
	some subject in rbac.subjects(input.resource)
	not salint.is_administrator({"kind": subject.kind, "namespace": subject.namespace, "name": subject.name})
]

# opened are the resources and operations that the role opens, and the name where it is limited to one.
opened contains [resource, operation, name] if {
	some rule in rbac.granted(input.resource)
	rbac.has(rule.apiGroups, {olm.group})
	some resource in resources
	rbac.has(rule.resources, {resource})
	some verb, operation in operations
	rbac.has(rule.verbs, {verb})
	some name in names(rule, verb)
}

# names are those that a rule is limited to; "" stands for all. An object that is to be created has no name yet when RBAC
# looks, so a rule with names does not open that.
names(rule, _) := {""} if count(rule.resourceNames) == 0

names(rule, verb) := {name | some name in rule.resourceNames} if {
	count(rule.resourceNames) > 0
	verb != "create"
}

# open_to says what admission does not limit, by the index of the subject; unknown_to where that is not known. Policies are
# often applied apart from what they limit, so all of the repository counts.
open_to := accesses("open")

unknown_to := accesses("unknown")

# accesses is a comprehension: a binding may have thousands of subjects, and a rule that collects them compares each with each.
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

# reasons say why the policies that there are do not limit it.
reasons contains reason if {
	some subject in list
	some [resource, operation, name] in opened
	some reason in limits(subject, resource, operation, name).reasons
}

# having are the subjects, by their indexes, that have the same access.
having := {state: {access: indexes |
	some access in {access | some access in by_index}
	indexes := {index | some index, same in by_index; same == access}
} |
	some state, by_index in {"open": open_to, "unknown": unknown_to}
}

# access_to says what is open, resources with the same verbs together.
access_to(open) := lib.listed([text |
	some verbs in sort({verbs_on(open, resource) | some [resource, _] in open})
	same := sort({resource | some [resource, _] in open; verbs_on(open, resource) == verbs})
	text := sprintf("%s %s", [verbs, lib.listed(same)])
])

verbs_on(open, resource) := concat(" and ", sort({lower(operation) |
	some [opened_resource, operation] in open
	opened_resource == resource
}))
