package contents

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// ReadRepository reads the objects of some kinds of the repository without its bundles, whose roles are not granted yet.
func (r *Reader) ReadRepository(ctx context.Context, kinds map[string][]string) (*loader.Repository, error) {
	w, config := *r.Workspace, *r.Config
	w.Config = &config
	config.Exclude = slices.Clone(config.Exclude)
	dirs := slices.Clone(r.Folders)
	for _, dir := range config.Bundles {
		dirs = append(dirs, r.BundlePath(dir))
	}
	for _, dir := range dirs {
		inside, err := r.Inside(dir)
		if err != nil || dir == "" || inside == "." {
			continue
		}
		everything, err := glob.ParsePath("**")
		if err != nil {
			return nil, err
		}
		config.Exclude = append(config.Exclude, everything.Below(inside))
	}
	return w.Read(ctx, kinds)
}

// BundlePath converts a folder of the configuration to a path relative to the working directory.
func (r *Reader) BundlePath(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	full := filepath.Join(r.Root(), filepath.FromSlash(dir))
	if rel, err := filepath.Rel(r.Repo.WorkDir, full); err == nil {
		return rel
	}
	return full
}

// Define adds the definitions of kinds of objects that a map does not have, from the repository. It skips the reading if all are
// known, because definitions are long.
func (r *Reader) Define(ctx context.Context, resources *restmap.Map, objs ...rendered.Object) error {
	var unknown []string
	for _, o := range objs {
		if _, known := resources.Kind(o.Group(), o.Kind()); !known && o.Kind() != "" {
			unknown = append(unknown, o.Kind())
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	definitions, err := r.ReadRepository(ctx, map[string][]string{"CustomResourceDefinition": unknown})
	if err != nil {
		return err
	}
	for _, o := range definitions.Objects {
		resources.AddCRD(o.JSON())
	}
	return nil
}
