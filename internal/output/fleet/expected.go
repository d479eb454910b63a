package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
)

// maxExpected is the size of the largest list of repositories.
const maxExpected = 16 << 20

// ReadExpected reads the names of repositories from a file, one in each line; empty lines and those that begin with # are ignored. The
// error begins with the shown name of the file, and has the line.
func ReadExpected(file, shown string) ([]string, error) {
	data, err := regular.ReadFile(file, maxExpected)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	names := []string{}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name := git.NameOf(line)
		if name == "" {
			return nil, fmt.Errorf("%s:%d: %q is neither the name nor the address of a repository", shown, i+1, line)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: the file names no repository", shown)
	}
	return names, nil
}
