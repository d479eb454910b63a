# The findings of a rule. lib.finding(path, message) returns a finding about a field of input.resource; the other
# functions return a changed copy of a finding. A path is an array of keys and indexes, as in ["subjects", 0, "name"]; a
# ref identifies an object and comes from built-in functions such as salint.find.
package salint.lib

# finding returns a finding about the field at a path. The message is the problem, the consequence on the cluster, and
# the remedy.
finding(path, message) := {"path": path, "message": message}

# case names what a finding says, where a rule says several things about one field: a string, or a list that
# describes it. A string in the list stands for itself; a path, as in ["roleRef", "name"], for the value of that
# field of the object of the finding as it is written, without what a kustomization adds to it; {"ref", "path"} is the
# same for a field of another object. Findings of several deployment units about one field are one finding if their
# cases are equal. Parts are added to those that the finding has.
case(f, parts) := object.union(f, {"case": array.concat(object.get(f, "case", []), [parts])}) if {
	is_string(parts)
} else := object.union(f, {"case": array.concat(object.get(f, "case", []), [part | some part in parts])})

# held_by names the subject that a finding is about, as a list of strings and paths of fields of the object of the
# finding. It is part of the fingerprint, so that a baseline with one holder of a role does not hide another.
held_by(f, parts) := object.union(f, {"holder": parts})

# with_severity replaces the severity of the rule's METADATA.
with_severity(f, severity) := object.union(f, {"severity": severity})

# at reports a finding at another object than input.resource: the one to edit.
at(f, ref) := object.union(f, {"ref": ref})

# related adds a place that explains a finding. Related places are printed in the order in which they were added.
related(f, ref, path, message) := object.union(f, {"related": array.concat(
	object.get(f, "related", []),
	[{"ref": ref, "path": path, "message": message}],
)})

# with_fix replaces the fix of METADATA. The arguments are {} for a fixer without any.
with_fix(f, name, kind, args) := object.union(f, {"fix": {"name": name, "kind": kind, "args": args}})

# without_fix withholds the fix of METADATA. The reason is printed with the finding.
without_fix(f, reason) := object.union(f, {"unfixable": reason})

# related_file adds a place outside of the objects of the repository, such as a line of a bundle.
related_file(f, file, line, message) := object.union(f, {"related": array.concat(
	object.get(f, "related", []),
	[{"file": file, "line": line, "message": message}],
)})

# caused_by adds files and folders, as {file, line}, that also cause a finding and that contain no objects. A run that
# reports only what changed reports the finding if one of them changed.
caused_by(f, places) := object.union(f, {"causes": places})
