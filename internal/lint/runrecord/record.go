package runrecord

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/sandbox"
)

// maxFile is the size of the largest file that is hashed.
const maxFile = 32 << 20

// unread is the hash of what cannot be read. A run with such settings or policies ends with an error before its report.
const unread = "unread"

// Commit returns the commit from which the program was built; "" if it is unknown.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}

// paths returns the selected paths relative to the root of the repository; nil if one of them selects all of it.
func paths(w *workspace.Workspace, paths []string) []string {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var selected []string
	for _, p := range paths {
		p = w.PathInRepository(p)
		if p == "." {
			return nil
		}
		selected = append(selected, p)
	}
	slices.Sort(selected)
	return slices.Compact(selected)
}

// AddOutcome adds to the record of a run what it did not report, and makes its paths relative to the root of the repository.
func AddOutcome(r *finding.Run, w *workspace.Workspace, out *session.Outcome) {
	if w.Repo != nil {
		r.Paths = paths(w, r.Paths)
	}
	r.RulesOff, r.Exclude, r.Implied, r.Tests = out.RulesOff, w.Config.ExcludePatterns(), out.LeftOut, w.Config.TestPatterns()
	for _, f := range out.Baseline.Known {
		if f.Rule != finding.RuleUnfixable.Name {
			r.Known++
		}
	}
	r.Ignored = max(len(out.Suppressed)-r.Known, 0)
}

// Settings returns the hash of the file of the configuration, which is read from the files of a revision if base is not nil; "" if there
// is none.
func Settings(w *workspace.Workspace, base fs.FS) string {
	if w.Config.Path == "" {
		return ""
	}
	return hashOf(w, base, w.Config.Path)
}

// Platform returns the files that narrow the settings, in the order in which they count. A file outside of the repository has only its
// name, because its folder is that of a machine.
func Platform(w *workspace.Workspace, base fs.FS) []finding.Narrowing {
	var all []finding.Narrowing
	for _, by := range w.Config.NarrowedBy() {
		n := finding.Narrowing{File: filepath.Base(by.Path), Origin: finding.OfRepository, SHA256: hashOf(w, base, by.Path)}
		if by.OfCommand() {
			n.Origin = finding.OfCommand
		}
		if inside := w.ConfigFile(by); fs.ValidPath(inside) {
			n.File = inside
		}
		all = append(all, n)
	}
	return all
}

// hashOf returns the hash of a file of settings.
func hashOf(w *workspace.Workspace, base fs.FS, file string) string {
	sum := sha256.New()
	if addSettings(sum, w, base, file) != nil {
		return unread
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// addSettings adds the bytes of a file, which is that of a revision if base is not nil and it is in the repository.
func addSettings(sum hash.Hash, w *workspace.Workspace, base fs.FS, file string) (err error) {
	var data []byte
	if inside := w.ConfigFile(&settings.Config{Path: file}); base != nil && fs.ValidPath(inside) {
		data, err = fs.ReadFile(base, inside)
	} else {
		data, err = regular.ReadFile(file, maxFile)
	}
	sum.Write(data)
	return err
}

// Policies returns the hash of the files of the user's policies and their data; "" if there are none.
func Policies(dirs []string, open sandbox.OpenDir) string {
	if len(dirs) == 0 {
		return ""
	}
	sum := sha256.New()
	for i, dir := range dirs {
		fmt.Fprintf(sum, "%d\x00", i)
		if addFolder(sum, dir, open) != nil {
			return unread
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func addFolder(sum hash.Hash, dir string, open sandbox.OpenDir) error {
	folder, closeFolder, err := sandbox.OpenPolicies(dir, open, maxFile)
	if err != nil {
		return err
	}
	defer closeFolder()
	add := func(name string, data []byte) { fmt.Fprintf(sum, "%s\x00%d\x00%s", name, len(data), data) }
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".rego" {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		add(name, data)
		return err
	})
	if err != nil {
		return err
	}
	documents, err := metadata.ReadDocuments(folder, "", metadata.IsBundle(dir))
	for _, d := range documents {
		add(d.Name, d.Source)
	}
	return err
}

// WorkTree compares the work tree with the commit that is checked out. Files that the run itself can have made do not count: reports, and
// empty files, such as one to which a shell redirects a report.
func WorkTree(ctx context.Context, r *repo.Repo) finding.WorkTree {
	changed, err := r.Git.Changed(ctx, "HEAD")
	if err != nil {
		return finding.WorkTree{}
	}
	deleted, err := r.Git.Deleted(ctx, "HEAD")
	if err != nil {
		return finding.WorkTree{}
	}
	tracked, err := r.Git.Tracked(ctx)
	if err != nil {
		return finding.WorkTree{}
	}
	tree := finding.WorkTree{Compared: true, Changed: len(deleted), LeftOut: r.LeftOut()}
	for file, is := range changed {
		if is && (tracked[file] || !isReport(r, file)) {
			tree.Changed++
		}
	}
	return tree
}

// Repositories returns the repositories of a workspace; nil if there is one.
func Repositories(ctx context.Context, w *workspace.Workspace) []finding.RunRepository {
	var all []finding.RunRepository
	for _, m := range w.Repo.Members {
		r := finding.RunRepository{Name: m.Name, Folder: w.Rel(m.Dir), WorkTree: WorkTree(ctx, m.Repo)}
		if m.IsWhole() {
			r.Repository, r.Revision = m.Repo.Git.Origin(), m.Repo.Git.Head()
		}
		file := path.Join(m.Dir, settings.FileName)
		if data, err := w.Repo.Read(file); err == nil {
			sum := sha256.Sum256(data)
			r.Settings = hex.EncodeToString(sum[:])
		}
		all = append(all, r)
	}
	return all
}

// isReport reports whether a file is a report, or empty.
func isReport(r *repo.Repo, file string) bool {
	data, err := r.Read(file)
	if err != nil {
		return false
	}
	start := data[:min(len(data), 512)]
	return len(data) == 0 || bytes.Contains(start, []byte(`"salint"`)) || bytes.Contains(start, []byte("salint lint"))
}
