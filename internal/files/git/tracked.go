package git

import (
	"context"
	"path"
	"sync"
)

// trackedIgnored are the files that git tracks although an ignore rule matches them. They belong to the repository: what applies it
// applies them.
type trackedIgnored struct {
	once    sync.Once
	files   map[string]bool
	folders map[string]bool // those that contain the files, directly or not
	err     error
}

// TracksIgnored returns whether git tracks an ignored file, or a file in an ignored folder. git is asked once for each repository, and only
// if a rule matches anything. If it fails, ok is false.
func (r *Repository) TracksIgnored(ctx context.Context, p string, isDir bool) (is, ok bool) {
	t := &r.ignored
	t.once.Do(func() {
		t.files, t.folders = map[string]bool{}, map[string]bool{}
		t.err = r.collect(ctx, t.files, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
		for file := range t.files {
			for dir := path.Dir(file); dir != "." && !t.folders[dir]; dir = path.Dir(dir) {
				t.folders[dir] = true
			}
		}
	})
	if isDir {
		return t.folders[p], t.err == nil
	}
	return t.files[p], t.err == nil
}

// Tracks reports whether git tracks a file, or a file in a folder. Without git, or if it fails, it is false.
func (r *Repository) Tracks(ctx context.Context, p string) bool {
	if !r.isWorkTree {
		return false
	}
	out, err := r.git(ctx, "ls-files", "-z", "--", p)
	return err == nil && len(out) > 0
}

// Tracked lists the files that git tracks.
func (r *Repository) Tracked(ctx context.Context) (map[string]bool, error) {
	tracked := map[string]bool{}
	return tracked, r.collect(ctx, tracked, "ls-files", "-z", "--cached")
}
