# The subjects of a binding.
package salint.helpers.rbac

import data.salint.helpers
import data.salint.lib

# subjects lists the valid subjects of a binding, each with its index. The API server rejects an account without a
# namespace, in a RoleBinding as in a ClusterRoleBinding.
subjects(binding) := [subject |
	some i, written in binding.subjects
	is_string(written.kind)
	is_string(written.name)
	subject := {
		"index": i,
		"kind": written.kind,
		"name": written.name,
		"namespace": text_or_later(written, "namespace"),
		"apiGroup": text_or_later(written, "apiGroup"),
	}
]

# text_or_later returns a field that is a string, or "" if it is missing. Another type, such as {{ x }} without quotes,
# becomes a string once the template is filled in.
text_or_later(written, key) := "" if {
	object.get(written, key, null) == null
} else := written[key] if {
	is_string(written[key])
} else := "{{ }}"

# subject_called returns the name of a subject in messages.
subject_called(subject) := sprintf("%s in a namespace that a template sets", [helpers.titled(subject.kind, "", subject.name)]) if {
	subject.kind == "ServiceAccount"
	subject.namespace == "{{ }}"
} else := helpers.titled(subject.kind, subject.namespace, subject.name) if {
	subject.kind == "ServiceAccount"
} else := helpers.titled(subject.kind, "", subject.name)

# holder returns the subject of a binding for lib.held_by.
holder(subject) := [subject.kind, ["subjects", subject.index, "namespace"], ["subjects", subject.index, "name"]]

# by_role makes the role of input.resource, a binding, part of what a finding about one of its subjects says, and of its
# fingerprint: a baseline with the finding does not hide a grant of another role. The powers are strings, and count like the role.
by_role(finding, subject, powers) := lib.held_by(
	lib.case(finding, parts),
	array.concat(holder(subject), array.concat([["roleRef", "kind"]], parts)),
) if {
	parts := array.concat([["roleRef", "name"]], powers)
}

# listed_before is true for a subject of input.resource, a binding, that an earlier entry names, too.
listed_before(subject) if min(entries[entry(subject)]) < subject.index

# entries holds the indexes of the entries that name the same subject.
entries[entry(subject)] contains subject.index if some subject in subjects(input.resource)

entry(subject) := [subject.kind, subject.namespace, subject.name]
