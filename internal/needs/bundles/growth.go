package bundles

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// Growth is what the bundle of an extension requires in addition to the one at the base revision.
type Growth struct {
	Old, New *content.Content
	Changes  []bundlediff.Change
	// NotCompared are permissions about which nothing is known; see bundlediff.Diff.
	NotCompared []string
}

// Growth compares the bundle with that of the configuration at the base revision, both with the current settings of the
// extension. It is nil without a base revision, and if there was no bundle then. The errors are those of Load, and of
// reading the base revision.
func (l *Library) Growth(ctx context.Context, i *installer.Installer) (*Growth, error) {
	if l.Base == nil {
		return nil, nil
	}
	fresh, err := l.LoadAnyway(ctx, i)
	if err != nil {
		return nil, err
	}
	return l.growths.get(keyOf(i, l.Sources[i.Extension], false), func() (*Growth, error) {
		old, err := l.loadBase(ctx, i)
		if old == nil || err != nil {
			return nil, err
		}
		resources, err := l.resources(ctx, &objects.Unit{}, old.Objects, fresh.Objects)
		if err != nil {
			return nil, err
		}
		diff, err := bundlediff.Compare(old.Objects, fresh.Objects, bundlediff.Options{
			Namespace: i.Namespace, Resources: resources, CollectionVerbs: preflight.CollectionVerbs(i.Runtime),
			Kubernetes: i.Resolved.Target.Kubernetes,
		})
		return &Growth{Old: old, New: fresh, Changes: diff.Growth, NotCompared: diff.NotCompared}, err
	})
}

// loadBase is Load at the base revision. It is nil if the folder did not exist. If that configuration sets no bundle, the
// current folder is used.
func (l *Library) loadBase(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	base, err := l.base.get(struct{}{}, func() (Revision, error) { return l.Base(ctx) })
	if err != nil {
		return nil, fmt.Errorf("the base revision: %w", err)
	}
	source, known := base.Sources[i.Extension]
	if !known {
		source = l.Sources[i.Extension]
	}
	if dir := path.Clean(source.Dir); fs.ValidPath(dir) {
		if _, err := fs.Stat(base.Files, dir); err != nil {
			return nil, nil
		}
	}
	source.Place += " at the base revision"
	return l.load(ctx, i, base, source, keyOf(i, source, true))
}
