# Files and folders of the repository.
package salint.helpers

# file returns the file of a ref. A ref consists of the file, the document, and the path inside it.
file(ref) := substring(ref, 0, last_hash) if {
	hashes := indexof_n(ref, "#")
	last_hash := hashes[count(hashes) - 1]
}

# folder returns the folder of a file, "." at the root of the repository.
folder(path) := "." if {
	not contains(path, "/")
} else := substring(path, 0, last_slash) if {
	slashes := indexof_n(path, "/")
	last_slash := slashes[count(slashes) - 1]
}

# below is true if a file or folder is another folder, or is inside it at any depth.
below(_, ".")

below(path, top) if {
	top != "."
	startswith(sprintf("%s/", [path]), sprintf("%s/", [top]))
}

# nested is true if the folder of the file of a ref is that of another ref, or contains it, or lies in it.
nested(a, b) if below(folder(file(a)), folder(file(b)))

nested(a, b) if below(folder(file(b)), folder(file(a)))

# in_tests is true for a file in a folder for data of tests. `test` is none: it is also the name of an environment.
in_tests(path) if regex.match(`(^|/)(testdata|test-data|tests|__tests__|fixtures)/`, path)
