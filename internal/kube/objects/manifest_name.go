package objects

import "path"

// StandardInput is the name of standard input, which has manifests.
const StandardInput = "<stdin>"

// IsManifestName reports whether a file is a manifest by its name.
func IsManifestName(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return IsKustomizationFile(file)
}
