# What a rule answers with. lib.finding(path, message) is a finding about a field of input.resource; the other functions
# take one and give it back with more said. A path is an array of keys and indexes, as in ["subjects", 0, "name"]; a ref
# names an object and comes from salint.find and its like.
package salint.lib

# finding is about the field at a path. The message says what is wrong, what happens on the cluster, and what to do.
finding(path, message) := {"path": path, "message": message}

# with_severity reports a finding as worse or less bad than the rule's METADATA says.
with_severity(f, severity) := object.union(f, {"severity": severity})

# at reports a finding at another object than input.resource: the one that has to be edited.
at(f, ref) := object.union(f, {"ref": ref})

# related adds a further place that explains a finding. They are shown in the order in which they were added.
related(f, ref, path, message) := object.union(f, {"related": array.concat(
	object.get(f, "related", []),
	[{"ref": ref, "path": path, "message": message}],
)})

# with_fix asks for another fix than METADATA names, or passes it arguments.
with_fix(f, name, kind, args) := object.union(f, {"fix": {"name": name, "kind": kind, "args": args}})

# without_fix withholds the fix of METADATA, and says why.
without_fix(f, reason) := object.union(f, {"unfixable": reason})

# related_file adds a further place that is no object of the repository, such as a line of a bundle.
related_file(f, file, line, message) := object.union(f, {"related": array.concat(
	object.get(f, "related", []),
	[{"file": file, "line": line, "message": message}],
)})

# caused_by names files and folders that are no objects and that a finding comes from as well: {file, line}. A run that
# reports only what changed reports it where one of them changed, too.
caused_by(f, places) := object.union(f, {"causes": places})
