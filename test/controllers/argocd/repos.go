package argocd

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	argo "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"

	"github.com/salint/salint/test/controllers/repository"
)

// repos answers the git generators from the repository in dir, as the repo-server does.
type repos struct{ dir string }

// GetFiles returns the files that match a pathspec of Git.
func (r repos) GetFiles(_ context.Context, _, _, _, pattern string, _ bool, _ *argo.SourceIntegrity) (map[string][]byte, error) {
	output, err := repository.Git(r.dir, "ls-files", "--full-name", "-z", "--", pattern)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(output, "\x00") {
		if name == "" {
			continue
		}
		if files[name], err = os.ReadFile(filepath.Join(r.dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// GetDirectories returns all folders but those whose names begin with a dot.
func (r repos) GetDirectories(context.Context, string, string, string, bool, *argo.SourceIntegrity) ([]string, error) {
	output, err := repository.Git(r.dir, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{}
	for name := range strings.SplitSeq(output, "\x00") {
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			if !strings.HasPrefix(folder, ".") && !strings.Contains(folder, "/.") {
				folders[folder] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(folders)), nil
}

// GetOciFiles fails.
func (repos) GetOciFiles(context.Context, string, string, string, string, bool) (map[string][]byte, error) {
	return nil, errNoOCI
}

// GetOciDirectories fails.
func (repos) GetOciDirectories(context.Context, string, string, string, bool) ([]string, error) {
	return nil, errNoOCI
}
