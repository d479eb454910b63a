package flux

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
)

// pack copies the files of dir that are part of a GitRepository's artifact to root.
func pack(dir, root string, ignore *string, sparse []string) error {
	domain := strings.Split(dir, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(dir, domain)
	if err != nil {
		return err
	}
	if ignore != nil {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(*ignore), domain)...)
	}
	matcher := sourceignore.NewDefaultMatcher(nil, domain)
	if len(patterns) > 0 {
		matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(domain), patterns...))
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() || !checkedOut(filepath.ToSlash(relative), sparse) || matcher.Match(strings.Split(path, string(filepath.Separator)), false) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(root, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// checkedOut reports whether a sparse checkout of the folders contains the file. Files at the root are always part of it.
func checkedOut(file string, folders []string) bool {
	if len(folders) == 0 || !strings.Contains(file, "/") {
		return true
	}
	for _, folder := range folders {
		if strings.HasPrefix(file, strings.Trim(strings.TrimPrefix(folder, "./"), "/")+"/") {
			return true
		}
	}
	return false
}
