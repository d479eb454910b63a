package git

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Submodules are the submodules of a revision, and of the work tree, by what is known of their files at both times.
type Submodules struct {
	// Same have the same commit checked out, so that their files in the work tree are those of the revision.
	Same []string
	// Changed have another commit checked out: their files at the revision are not in this repository.
	Changed []string
	// Unread are not checked out, or no longer in the work tree.
	Unread []string
	// Then and Now are the commits at the revision, and in the index, by path.
	Then, Now map[string]string
}

// Submodules compares the submodules of a revision with the work tree. Git is not run in a submodule, because it would use
// the configuration there.
func (r *Repository) Submodules(ctx context.Context, then map[string]string) (Submodules, error) {
	now, err := r.submodulesOfIndex(ctx)
	if err != nil {
		return Submodules{}, err
	}
	s := Submodules{Then: then, Now: now}
	for _, p := range sortedKeys(then, now) {
		out := r.checkedOut(p)
		switch before, is := then[p]; {
		case out == "":
			s.Unread = append(s.Unread, p)
		case !is: // it is new
		case out == before:
			s.Same = append(s.Same, p)
		default:
			s.Changed = append(s.Changed, p)
		}
	}
	return s, nil
}

// submoduleMode is the mode of a submodule in the index.
const submoduleMode = "160000"

func (r *Repository) submodulesOfIndex(ctx context.Context) (map[string]string, error) {
	out, err := r.git(ctx, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	modules := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); ok && len(fields) == 3 && fields[0] == submoduleMode {
			modules[name] = fields[1]
		}
	}
	return modules, nil
}

// checkedOut returns the commit that is checked out in a submodule, or "".
func (r *Repository) checkedOut(p string) string {
	dir, ok := gitDir(filepath.Join(r.root, filepath.FromSlash(p)))
	if !ok {
		return ""
	}
	head, ok := readLink(filepath.Join(dir, "HEAD"), "")
	if !ok {
		return ""
	}
	ref, isRef := strings.CutPrefix(head, "ref: ")
	if !isRef {
		return head
	}
	if !filepath.IsLocal(ref) {
		return ""
	}
	commit, ok := readLink(filepath.Join(commonGitDir(dir), filepath.FromSlash(ref)), "")
	if !ok {
		return "unknown" // a branch in packed-refs: nothing is known of its commit
	}
	return commit
}

// UnreadSubmodules returns the submodules whose files are not in the work tree, because they are not checked out. Without .gitmodules, there
// are none to check out.
func (r *Repository) UnreadSubmodules(ctx context.Context) ([]string, error) {
	if !r.isWorkTree {
		return nil, nil
	}
	if _, err := fs.Stat(r.files, ".gitmodules"); err != nil {
		return nil, nil //nolint:nilerr // a missing or unreadable file names no submodule
	}
	modules, err := r.submodulesOfIndex(ctx)
	var unread []string
	for _, p := range sortedKeys(modules, nil) {
		if r.checkedOut(p) == "" {
			unread = append(unread, p)
		}
	}
	return unread, err
}

// sortedKeys returns the keys of two maps, each once.
func sortedKeys[V any](a, b map[string]V) []string {
	keys := slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b)))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// AddressOfSubmodule returns the address of a submodule in the text of .gitmodules; "" if there is none.
//
// Source: https://git-scm.com/docs/gitmodules.
func AddressOfSubmodule(settings []byte, dir string) string {
	address, found := "", ""
	for line := range strings.Lines(string(settings)) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "path":
			found = value
		case "url":
			address = value
		}
		if strings.HasPrefix(line, "[") {
			address, found = "", ""
		}
		if found == dir && address != "" {
			return address
		}
	}
	return ""
}
