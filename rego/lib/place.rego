# Files and folders of the repository.
package salint.lib

# file is the file of a ref, which is made of the file, the document and the path inside it.
file(ref) := substring(ref, 0, last_hash) if {
	hashes := indexof_n(ref, "#")
	last_hash := hashes[count(hashes) - 1]
}

# folder is the folder of a file, "." for one at the root of the repository.
folder(path) := "." if {
	not contains(path, "/")
} else := substring(path, 0, last_slash) if {
	slashes := indexof_n(path, "/")
	last_slash := slashes[count(slashes) - 1]
}

# below tells that a file or folder is another folder, or lies in it, however deep.
below(_, top) if top == "."

below(path, top) if {
	top != "."
	startswith(sprintf("%s/", [path]), sprintf("%s/", [top]))
}
