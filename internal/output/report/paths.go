package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// standardInput is the name of the standard input.
const standardInput = "-"

// Rel returns a file that is relative to the root of the repository as a path relative to the working directory, with
// slashes. Root and workDir are absolute, and symbolic links are resolved in both or in neither. If no relative path
// exists, as between two drives, it returns the file unchanged.
func Rel(root, workDir, file string) string {
	if root == workDir || root == "" || workDir == "" || file == standardInput {
		return file
	}
	rel, err := filepath.Rel(workDir, filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// paths converts the files of a result to paths relative to its working directory.
type paths struct{ root, workDir string }

func pathsOf(r *finding.Result) paths { return paths{r.Root, r.WorkDir} }

// rel returns "" for "".
func (p paths) rel(file string) string {
	if file == "" {
		return ""
	}
	return Rel(p.root, p.workDir, file)
}

// place does the same for file:line.
func (p paths) place(place string) string {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return p.rel(place)
	}
	if _, err := strconv.Atoi(place[i+1:]); err != nil {
		return p.rel(place)
	}
	return p.rel(place[:i]) + place[i:]
}
