package repo

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
