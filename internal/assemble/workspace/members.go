package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
)

// OpenMembers opens the repositories of a workspace file as one, and selects the paths of the command line; without any, all. Two repositories with one
// address are an error.
func OpenMembers(dir string, file *members.File, paths []string) (*repo.Repo, error) {
	folders := make([]repo.NamedFolder, len(file.Repositories))
	for i, r := range file.Repositories {
		folders[i] = repo.NamedFolder{Name: r.Name, Dir: r.Dir, Addresses: r.Addresses}
	}
	r, err := repo.OpenMembers(dir, folders, paths)
	if err != nil {
		return nil, err
	}
	owners := map[string]string{}
	for _, m := range r.Members {
		if err := m.Repo.Git.CheckWorkTree(context.Background()); err != nil {
			r.Close()
			return nil, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		for _, address := range m.Addresses {
			key := gitops.AddressKey(address)
			if other, known := owners[key]; key != "" && known && other != m.Name {
				r.Close()
				return nil, fmt.Errorf("%s and %s are checkouts of one repository, %s: name one checkout of each repository", other, m.Name, key)
			}
			owners[key] = m.Name
		}
	}
	return r, nil
}

// ReadMembersConfig reads the settings of the repositories of a workspace: those of each hold for its own files, and the file adds clusters. The files are
// those of base, if that is not nil. The remarks say what does not hold in a workspace.
func (w *Workspace) ReadMembersConfig(given settings.GivenLimits, base fs.FS) (*settings.Config, []string, error) {
	var parts []settings.Part
	dirs := map[string]string{}
	for _, m := range w.Repo.Members {
		config, err := w.configOfMember(m, given, base)
		if err != nil {
			return nil, nil, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		parts = append(parts, settings.Part{Name: m.Name, Dir: m.Dir, Config: config})
		dirs[m.Name] = m.Dir
	}
	joined, remarks := settings.Join(parts)
	for cluster, roots := range w.Members.Clusters {
		for _, root := range roots {
			joined.Clusters[cluster] = append(joined.Clusters[cluster], path.Join(dirs[root.Repository], root.Dir))
		}
	}
	return joined, remarks, nil
}

// configOfMember reads the settings of one repository, as a run in its folder does.
func (w *Workspace) configOfMember(m *repo.Member, given settings.GivenLimits, base fs.FS) (*settings.Config, error) {
	dir := filepath.Join(w.Repo.Root, filepath.FromSlash(m.Dir))
	alone := &Workspace{Dir: dir, Platform: w.Platform}
	read := m.Repo.ReadNamed
	file := settings.Find(dir, dir)
	if base != nil {
		read = func(file string, limit int64) ([]byte, error) {
			if rel, err := filepath.Rel(w.Repo.Root, file); err == nil && filepath.IsLocal(rel) && m.Repo.Contains(file) {
				return ReadBase(base, filepath.ToSlash(rel), limit)
			}
			return regular.ReadFile(file, limit)
		}
		if file = filepath.Join(dir, settings.FileName); !hasFile(base, path.Join(m.Dir, settings.FileName)) {
			file = ""
		}
	}
	if file == "" {
		return alone.narrow(settings.Default(), read)
	}
	loaded, err := settings.Load(file, read)
	if err != nil {
		return nil, err
	}
	loaded = loaded.RelativeTo(dir)
	if err := errors.Join(loaded.CheckInside(), loaded.CheckLimits(given)); err != nil {
		return nil, err
	}
	return alone.narrow(loaded, read)
}

func hasFile(base fs.FS, name string) bool {
	_, err := fs.Stat(base, name)
	return err == nil
}
