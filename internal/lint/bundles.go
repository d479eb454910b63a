package lint

import (
	"context"
	"errors"
	"strings"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/preflight/installer"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/world"
)

// installer tells who installs an extension of a unit.
func (j *judge) installer(unit *inventory.Unit, o *inventory.Object) (*installer.Installer, error) {
	extension, ok := olm.ReadExtension(o.Node)
	if !ok {
		return nil, errors.New("no extension")
	}
	return installer.Of(world.Extension{Extension: extension, Object: o, Unit: unit, Verdict: j.judgement.of(unit, o)})
}

// needs says what the bundle of an extension needs of an identity, for fixes.
func (r *run) needs(ctx context.Context, unit *inventory.Unit, o *inventory.Object, who rbac.Subject) (fixers.Needs, error) {
	refuse := func(err error) (fixers.Needs, error) {
		return fixers.Needs{}, &fixers.Refusal{Reason: strings.TrimSuffix(err.Error(), "\n")}
	}
	i, err := r.judging.installer(unit, o)
	if err != nil {
		return refuse(err)
	}
	i.Identity = who.Identity()
	loaded, err := r.Bundles.Load(ctx, i)
	if err != nil {
		return refuse(err)
	}
	result, err := r.Bundles.Preflight(ctx, i)
	if err != nil {
		return refuse(err)
	}
	if result == nil {
		return refuse(errors.New(i.NotActing))
	}
	return fixers.Needs{
		Bundle: r.Bundles.Sources[i.Extension].Dir, Package: loaded.Package, Version: loaded.Version,
		All: result.Needed, Missing: result.Missing,
	}, nil
}
