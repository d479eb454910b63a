package report

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
)

// paths converts the files of a result to paths relative to its working directory.
type paths struct{ root, workDir string }

func pathsOf(r *finding.Result) paths { return paths{r.Root, r.WorkDir} }

// rel returns "" for "".
func (p paths) rel(file string) string {
	if file == "" {
		return ""
	}
	return repo.Rel(p.root, p.workDir, file)
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
