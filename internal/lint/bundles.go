package lint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// installer returns the identity that installs an extension of a unit.
func (j *judge) installer(unit *objects.Unit, o *objects.Object) (*installer.Installer, error) {
	extension, ok := olm.ReadExtension(o.Node)
	if !ok {
		return nil, errors.New("not an extension")
	}
	return installer.Of(j.extension(unit, o, extension), j.units)
}

func (j *judge) extension(unit *objects.Unit, o *objects.Object, read olm.Extension) loader.Extension {
	return loader.Extension{Extension: read, Object: o, Unit: unit, Resolved: j.targets.of(unit, o)}
}

// note records what a rule could not determine about an object.
func (j *judge) note(o *objects.Object, reason string, causes []finding.Place) {
	j.mu.Lock()
	defer j.mu.Unlock()
	file, span := o.Locate(manifest.Path{"metadata", "name"})
	f := finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, span), reason)
	f.Resource, f.Causes = finding.ResourceOf(o), causes
	if !slices.ContainsFunc(j.notChecked, func(other finding.Finding) bool { return other.Shown() == f.Shown() }) {
		j.notChecked = append(j.notChecked, f)
	}
}

// needs returns the permissions that the bundle of an extension requires of an identity, for fixes. The error is a *engine.Refusal.
func (r *run) needs(ctx context.Context, unit *objects.Unit, o *objects.Object, who rbac.Subject) (engine.BundleNeeds, error) {
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
	i, err := installer.As(r.judging.extension(unit, o, extension), r.Units, who.Identity())
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
	return engine.BundleNeeds{
		Bundle: r.Bundles.Sources[i.Extension].Dir, Version: result.Content.Version,
		All: result.Needed, Missing: result.Missing,
	}, nil
}

// unusedBundles returns findings about bundles of extensions that do not exist: their names are misspelled, or are filled in later.
func (r *run) unusedBundles() []finding.Finding {
	if !r.Bundles.Any() || !slices.ContainsFunc(r.enabled, r.judgesExtensions) {
		return nil
	}
	var names []string
	for _, unit := range r.Units {
		for _, o := range slices.Concat(unit.Objects, unit.Sources) {
			if o.Kind == olm.ClusterExtensionKind {
				names = append(names, o.Name)
			}
		}
	}
	var notes []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(r.Bundles.Sources)) {
		if slices.Contains(names, name) {
			continue
		}
		message := fmt.Sprintf("no ClusterExtension %s was read, so the bundle that is named for it is not used", name)
		if near := nearest.Name(name, names); near != "" {
			message += fmt.Sprintf("; did you mean %s?", near)
		}
		source := r.Bundles.Sources[name]
		if source.File == "" {
			r.outcome.Notes = append(r.outcome.Notes, source.Place+": "+message)
			continue
		}
		notes = append(notes, finding.AboutFile(finding.RuleNotChecked, source.File, finding.Range{Line: source.Line, Column: 1}, message))
	}
	return notes
}

func (r *run) judgesExtensions(rule string) bool {
	found, _, ok := r.registry.Find(rule)
	return ok && slices.ContainsFunc(found.Kinds, func(kind string) bool { return strings.HasPrefix(kind, olm.ClusterExtensionKind+".") })
}
