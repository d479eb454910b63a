package bundles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/settings"
)

// flagOfBundle begins the place of a bundle that the command line sets.
const flagOfBundle = "--bundle "

// named are the bundles of a configuration, and those of --bundle, which take precedence.
type named struct {
	*workspace.Workspace

	flags map[string]Source
}

// New returns the bundles of a configuration and of the values of --bundle. If since is not "", growth is computed from that revision.
func New(w *workspace.Workspace, flags []string, since string) (*Library, error) {
	n := named{w, map[string]Source{}}
	for _, flag := range flags {
		if err := n.add(flag); err != nil {
			return nil, fmt.Errorf("--bundle %s: %w", flag, err)
		}
	}
	library := &Library{Revision: Revision{Files: w.Repo.FS(), Sources: n.over(w.Config)}, Limits: w.RenderLimits()}
	if since != "" && library.Any() {
		library.Base = func(ctx context.Context) (Revision, error) { return n.at(ctx, since) }
	}
	return library, nil
}

func (n named) add(flag string) error {
	name, dir, found := strings.Cut(flag, "=")
	if !found || name == "" || dir == "" {
		return errors.New("use EXTENSION=DIR, for example --bundle argocd=bundles/argocd-operator")
	}
	inside, err := n.Inside(dir)
	if err != nil {
		return err
	}
	if other, twice := n.flags[name]; twice && other.Dir != inside {
		return fmt.Errorf("%s is also given as the bundle of %s: give only one", other.Dir, name)
	}
	n.flags[name] = Source{Dir: inside, Place: flagOfBundle + flag}
	return nil
}

// over returns the bundles of a configuration, replaced by those of the flags.
func (n named) over(c *settings.Config) map[string]Source {
	sources := map[string]Source{}
	file := n.ConfigFile(c)
	for name, dir := range c.Bundles {
		at := Source{Dir: filepath.ToSlash(dir), Line: c.BundleAt(name)}
		at.Place = fmt.Sprintf("%s:%d", n.Rel(file), at.Line)
		if filepath.IsLocal(file) {
			at.File = file
		}
		sources[name] = at
	}
	maps.Copy(sources, n.flags)
	for name, source := range sources {
		chart := c.Helm[source.Dir]
		source.KubeVersion, source.APIVersions = chart.KubeVersion, chart.APIVersions
		if len(chart.Values) > 0 {
			source.Values = chart.Values[0]
		}
		sources[name] = source
	}
	return sources
}

// at returns the bundles at a revision, by the configuration that the repository had there.
func (n named) at(ctx context.Context, rev string) (Revision, error) {
	files, err := n.Repo.Git.BaseFS(ctx, rev)
	if err != nil {
		return Revision{}, err
	}
	was := settings.Default()
	if file := n.ConfigFile(n.Config); n.Config.Path != "" && fs.ValidPath(file) {
		data, err := fs.ReadFile(files, file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Revision{}, err
		}
		if was, err = settings.Parse(n.Config.Path, data); err != nil {
			return Revision{}, err
		}
	}
	return Revision{Files: files, Sources: n.over(was.RelativeTo(n.Root()))}, nil
}

// Flags returns the extensions with bundles, and for each the value of --bundle, or "" if the configuration sets it. A nil library has
// none.
func (l *Library) Flags() map[string]string {
	flags := map[string]string{}
	if l == nil {
		return flags
	}
	for extension, source := range l.Sources {
		flag, ok := strings.CutPrefix(source.Place, flagOfBundle)
		if !ok {
			flag = ""
		}
		flags[extension] = flag
	}
	return flags
}
