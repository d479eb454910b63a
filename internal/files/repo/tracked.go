package repo

import (
	"context"
	"path"
	"sync"
)

// Tracks reports whether git tracks a file, given by its absolute path. Without git, or if it fails, it is false.
func (r *Repo) Tracks(ctx context.Context, file string) bool {
	inside, ok := r.inside(file)
	return ok && r.tracks(ctx, inside)
}

// trackedIgnored are the files that git tracks although an ignore rule matches them. They belong to the repository: what applies it
// applies them.
type trackedIgnored struct {
	once    sync.Once
	files   map[string]bool
	folders map[string]bool // those that contain the files, directly or not
	err     error
}

// tracked returns whether git tracks an ignored file, or a file in an ignored folder. git is asked once for each repository, and only
// if a rule matches anything. If it fails, ok is false.
func (r *Repo) tracked(ctx context.Context, p string, isDir bool) (is, ok bool) {
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

// Hidden counts what ignore rules hide from a walk.
type Hidden struct {
	// Ignored are the manifests that .gitignore, or another ignore file of git, matches and git does not track. The folders that
	// these files match are not read, so manifests in them do not count.
	Ignored int
	// Unknown is true if git could not say which of them it tracks.
	Unknown bool
	// Excluded and ExcludedFolders are the manifests and folders that the configuration excludes.
	Excluded, ExcludedFolders int
	// Matched are the patterns of WalkOptions.Exclude that match anything, and Hiding those that match a manifest or a folder, which can
	// contain manifests.
	Matched, Hiding map[string]bool
}

// countExcluded counts an entry that patterns of the configuration exclude.
func (h *Hidden) countExcluded(exclude patterns, p string, isDir, isManifest bool) {
	if h.Matched == nil {
		h.Matched, h.Hiding = map[string]bool{}, map[string]bool{}
	}
	hides := isDir || isManifest
	for _, pattern := range exclude {
		if known := h.Matched[pattern.text] && (!hides || h.Hiding[pattern.text]); !known && pattern.Match(p) {
			h.Matched[pattern.text] = true
			if hides {
				h.Hiding[pattern.text] = true
			}
		}
	}
	switch {
	case isDir:
		h.ExcludedFolders++
	case isManifest:
		h.Excluded++
	}
}
