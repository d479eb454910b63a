package repo

import "path/filepath"

// StandardInput is the name of the standard input.
const StandardInput = "-"

// Rel returns a file that is relative to the root of the repository as a path relative to the working directory, with
// slashes. Root and workDir are absolute, and symbolic links are resolved in both or in neither. If no relative path
// exists, as between two drives, it returns the file unchanged.
func Rel(root, workDir, file string) string {
	if root == workDir || root == "" || workDir == "" || file == StandardInput {
		return file
	}
	rel, err := filepath.Rel(workDir, filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
