package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// standardInput is the name of the file that is no file.
const standardInput = "-"

// Rel gives a file that is relative to the root of the repository as it is called from the working directory, with
// slashes. Root and workDir are absolute, and both with or both without symbolic links resolved. Where there is no way
// from one to the other, as between two drives, the file is given as it is.
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

// paths gives the files of one result as they are called from its working directory.
type paths struct{ root, workDir string }

func pathsOf(r *finding.Result) paths { return paths{r.Root, r.WorkDir} }

// rel leaves "" alone, which is no file.
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
