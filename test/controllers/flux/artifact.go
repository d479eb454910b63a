package flux

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
)

// checkout is a repository, with the artifacts that were packed of it.
type checkout struct {
	dir string
	// packed are the folders of the artifacts, by the settings of their sources.
	packed map[string]string
}

func newCheckout(dir string) *checkout { return &checkout{dir: dir, packed: map[string]string{}} }

// artifact returns the folder with what source-controller packs for such a source, packed at the first use.
func (c *checkout) artifact(ignore *string, sparse []string) (root string, err error) {
	settings, err := json.Marshal([]any{ignore, sparse})
	if err != nil {
		return "", err
	}
	if root, known := c.packed[string(settings)]; known {
		return root, nil
	}
	root, err = os.MkdirTemp("", "artifact")
	if err != nil {
		return "", err
	}
	c.packed[string(settings)] = root
	return root, pack(c.dir, root, ignore, sparse)
}

func (c *checkout) remove() {
	for _, root := range c.packed {
		os.RemoveAll(root)
	}
}

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
