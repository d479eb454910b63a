package states

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render/reuse"
)

// Options are the settings of the command line.
type Options struct {
	// Dir is the working directory.
	Dir string
	// Config is a configuration file for both states, and ConfigFrom a revision whose configuration is that of both; "" for the one of
	// each state. At most one of them is set.
	Config, ConfigFrom string
	// Platform is a file that narrows the configurations of both states; "" for none.
	Platform    string
	Limits      settings.GivenLimits
	Target      string
	APIVersions string
	// Members is the file of a workspace; nil compares one repository. In a workspace, each repository is compared with its own commit.
	Members *members.File
}

// States are the two states.
type States struct {
	// Now is the working tree, and Then the same repository with the configuration of the revision.
	Now, Then *workspace.Workspace

	options Options
	// name is the revision as the user named it.
	name     string
	revision *repo.Revision
	paths    paths
	// notRead is what is not compared, and remarks what does not hold in a workspace.
	notRead, remarks []string
}

// paths are paths relative to the root of the repository.
type paths []string

func (p paths) selects(file string) bool {
	return slices.ContainsFunc(p, func(dir string) bool { return dir == "." || file == dir || strings.HasPrefix(file, dir+"/") })
}

// Open opens both states by the arguments of the command, [REV] [PATH…]. The result has to be closed.
func Open(ctx context.Context, args []string, o Options) (*States, error) {
	s := &States{options: o, Now: &workspace.Workspace{Dir: o.Dir, APIVersions: o.APIVersions, Builds: reuse.New(reuse.DefaultMemory)}}
	// A path can exist in the revision only.
	there := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !s.exists(arg) })
	var err error
	if s.Now.Members = o.Members; o.Members != nil {
		s.Now.Repo, err = workspace.OpenMembers(o.Dir, o.Members, there)
	} else {
		s.Now.Repo, err = repo.Open(o.Dir, there)
	}
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, args); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close closes both states.
func (s *States) Close() {
	if s.revision != nil {
		s.revision.Close()
	}
	s.Now.Repo.Close()
}

// Remarks returns what does not hold in a workspace.
func (s *States) Remarks() []string { return s.remarks }

func (s *States) exists(name string) bool {
	_, err := filepath.EvalSymlinks(s.Now.Abs(name))
	return err == nil
}

func (s *States) open(ctx context.Context, args []string) (err error) {
	if err := s.Now.Repo.Git.CheckWorkTree(ctx); err != nil {
		return err
	}
	if err := s.Now.Repo.CheckMerged(ctx); err != nil {
		return err
	}
	if s.name, args, err = s.splitArguments(ctx, args); err != nil {
		return err
	}
	if s.revision, err = s.Now.Repo.Revision(ctx, s.name); err != nil {
		return err
	}
	if err := s.readPaths(args); err != nil {
		return err
	}
	return s.readConfigs(ctx)
}

// splitArguments returns the revision and the paths. The first argument is the revision if git knows it.
func (s *States) splitArguments(ctx context.Context, args []string) (rev string, paths []string, err error) {
	if len(args) > 0 {
		if args[0] == "" { // an unset variable of a script is not the default branch
			return "", nil, errors.New("the first argument is empty: name a revision or a path, or pass no argument for the default branch")
		}
		known, err := s.Now.Repo.HasRevision(ctx, args[0])
		exists := s.exists(args[0])
		switch {
		case err != nil:
			return "", nil, err
		case known && exists:
			return "", nil, fmt.Errorf("%s is a revision and a path: write ./%[1]s for the path, or refs/heads/%[1]s for the branch", args[0])
		case known:
			return args[0], args[1:], nil
		case !exists && !s.wasPath(ctx, args[0]):
			return "", nil, s.unknownRevision(ctx, args[0])
		}
	}
	if s.Now.Repo.IsWorkspace() {
		return "", args, nil // the default branches of the repositories can have different names
	}
	rev, err = s.Now.Repo.Git.DefaultBranch(ctx)
	return rev, args, err
}

// wasPath reports whether an argument that does not exist is a path of the default branch, or has the form of one.
func (s *States) wasPath(ctx context.Context, name string) bool {
	if strings.HasPrefix(name, "./") || repo.IsManifest(name) || strings.HasSuffix(name, "/") {
		return true
	}
	inside, err := s.insidePath(name)
	if err != nil {
		return false
	}
	branch := ""
	if !s.Now.Repo.IsWorkspace() {
		if branch, err = s.Now.Repo.Git.DefaultBranch(ctx); err != nil {
			return false
		}
	}
	v, err := s.Now.Repo.Revision(ctx, branch)
	if err != nil {
		return false
	}
	defer v.Close()
	return v.Has(inside)
}

// unknownRevision returns the error about a revision, which for a shallow clone says so.
func (s *States) unknownRevision(ctx context.Context, rev string) error {
	v, err := s.Now.Repo.Revision(ctx, rev)
	if err == nil {
		v.Close()
		err = &git.RevisionError{Revision: rev}
	}
	return err
}

// readPaths converts the paths. Each has to exist in one of the states.
func (s *States) readPaths(args []string) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		inside, err := s.insidePath(arg)
		if err != nil {
			return err
		}
		if !s.exists(arg) && !s.revision.Has(inside) {
			return fmt.Errorf("%s: no such file or folder, neither in the working tree nor at %s", arg, s.name)
		}
		s.paths = append(s.paths, inside)
	}
	return nil
}

// insidePath returns a path relative to the root of the repository.
func (s *States) insidePath(arg string) (string, error) {
	abs := s.Now.Abs(arg)
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	} else if rel, err := filepath.Rel(s.options.Dir, abs); err == nil {
		abs = filepath.Join(s.Now.Repo.WorkDir, rel)
	}
	inside, err := filepath.Rel(s.Now.Repo.Root, abs)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is outside the repository %s", arg, s.Now.Repo.Root)
	}
	return path.Clean(filepath.ToSlash(inside)), nil
}

// readConfigs reads the configuration of each state. One that changed can hide what the other state shows.
func (s *States) readConfigs(ctx context.Context) (err error) {
	o := s.options
	then := *s.Now
	if s.Now.Repo.IsWorkspace() {
		if s.Now.Config, s.remarks, err = s.Now.ReadMembersConfig(o.Limits, nil); err == nil {
			s.Now.Config = s.Now.Config.WithLimits(o.Limits)
			then.Config, err = s.configThen()
		}
	} else if o.ConfigFrom != "" {
		s.Now.Config, _, err = s.Now.ConfigFrom(ctx, o.ConfigFrom, o.Limits)
		then.Config = s.Now.Config
	} else if s.Now.Config, err = s.Now.ReadConfig(o.Config, o.Limits, nil); err == nil {
		s.Now.Config = s.Now.Config.WithLimits(o.Limits)
		then.Config, err = s.configThen()
	}
	if err != nil {
		return err
	}
	if s.Now.Requested, err = loader.ReadRequestedTargets(o.Target, s.Now.Config); err != nil {
		return err
	}
	then.Requested, err = loader.ReadRequestedTargets(o.Target, then.Config)
	s.Then = &then
	return err
}

// configThen returns the configuration of the revision, or that of the command line.
func (s *States) configThen() (*settings.Config, error) {
	if s.options.Config != "" {
		return s.Now.Config, nil
	}
	base, err := s.readThen()
	if err != nil {
		return nil, err
	}
	base = base.WithLimits(s.options.Limits)
	if !readsAlike(base, s.Now.Config) {
		s.notRead = append(s.notRead, settings.FileName+" sets exclude, tests, limits, helm, embedded, or clusters differently from the one of the revision; "+
			"pass --config-from REV to read both states with one configuration")
	}
	return base, nil
}

// readThen reads the configuration of the revision.
func (s *States) readThen() (base *settings.Config, err error) {
	if s.Now.Repo.IsWorkspace() {
		base, _, err = s.Now.ReadMembersConfig(s.options.Limits, s.revision)
		return base, err
	}
	return s.Now.ConfigAt(fs.FS(s.revision), s.options.Limits)
}

// readsAlike reports whether two configurations read and build the same of a repository.
func readsAlike(a, b *settings.Config) bool {
	return slices.Equal(a.ExcludePatterns(), b.ExcludePatterns()) && a.Limits == b.Limits && reflect.DeepEqual(a.Helm, b.Helm) &&
		reflect.DeepEqual(a.Embedded, b.Embedded) && slices.Equal(a.Tests, b.Tests) && sameClusters(a.Clusters, b.Clusters)
}

// sameClusters reports whether two configurations name the same clusters.
func sameClusters(a, b map[string][]string) bool {
	return maps.EqualFunc(a, b, func(a, b []string) bool { return slices.Equal(a, b) })
}
