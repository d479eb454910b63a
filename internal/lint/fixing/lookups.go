package fixing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// lookups answers the questions of fixers about the repository.
func (r *Round) lookups(ctx context.Context) engine.Lookups {
	index := r.judge.Uses
	return engine.Lookups{
		Target:          func(u *objects.Unit, o *objects.Object) olm.Target { return r.judge.Targets.Of(u, o).Target },
		References:      refusing(ctx, index.Named),
		GroupReferences: refusing(ctx, index.InObjects),
		Unread:          func(words []string) (place, why string) { return index.UnreadWith(ctx, words) },
		WriteProtected:  func(file string) (why string) { return index.WriteProtected(ctx, file) },
		BundleNeeds: func(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (engine.BundleNeeds, error) {
			return r.needs(ctx, u, extension, identity)
		},
		Rebuild: func(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
			units, err := loader.Rebuild(ctx, r.snapshot.Assembly(), r.snapshot.Units, loader.Change{Contents: contents, Parsed: parsed, Built: also})
			r.options.Parsed.Add(r.snapshot, units, contents)
			return units, err
		},
		Earlier:      r.snapshot.Delivery.Earlier,
		Unrenderable: r.unproven, Excluded: r.leftOutOnce(),
		AppliedByName: func(target string) (uses.FileReference, bool) { return index.NameOfFile(ctx, target) }, FilesIn: index.FilesIn,
	}
}

// refusing returns a search whose answer is refused, instead of an error, if files were not read.
func refusing(ctx context.Context, search func(context.Context, []string) (map[string][]objects.Mention, error)) func([]string) (map[string][]objects.Mention, error) {
	return func(names []string) (map[string][]objects.Mention, error) {
		found, err := search(ctx, names)
		if unread := (*uses.UnreadError)(nil); errors.As(err, &unread) {
			err = engine.AsRefusal(err)
		}
		return found, err
	}
}

// needs returns the permissions that the bundle of an extension requires of an identity, for fixes. The error is a *engine.Refusal.
func (r *Round) needs(ctx context.Context, unit *objects.Unit, o *objects.Object, who rbac.Subject) (engine.BundleNeeds, error) {
	refuse := func(err error) (engine.BundleNeeds, error) {
		var unknown *installer.UnknownError
		if errors.As(err, &unknown) {
			return engine.BundleNeeds{}, &engine.Refusal{Reason: unknown.Reason + ", so the permissions that its bundle needs are unknown: write the value in the manifest"}
		}
		return engine.BundleNeeds{}, &engine.Refusal{Reason: strings.TrimSpace(err.Error())}
	}
	extension, ok := olm.ReadExtension(o.Node)
	if !ok {
		return refuse(fmt.Errorf("%s is not an extension", o.Name))
	}
	i, err := installer.As(r.judge.Extension(unit, o, extension), r.snapshot.Units, who.Identity())
	if err != nil {
		return refuse(err)
	}
	result, err := r.options.Bundles.Preflight(ctx, i)
	if err != nil {
		return refuse(err)
	}
	if result == nil {
		return refuse(errors.New(i.NotActing))
	}
	return engine.BundleNeeds{
		Bundle: r.options.Bundles.Sources[i.Extension].Dir, Version: result.Content.Version,
		All: result.Needed, Missing: result.Missing,
	}, nil
}
