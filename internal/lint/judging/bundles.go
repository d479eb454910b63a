package judging

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// installer returns the identity that installs an extension of a unit.
func (j *Judge) installer(unit *objects.Unit, o *objects.Object) (*installer.Installer, error) {
	extension, ok := olm.ReadExtension(o.Node)
	if !ok {
		return nil, errors.New("not an extension")
	}
	return installer.Of(j.Extension(unit, o, extension), j.units)
}

// Extension returns an extension of a unit with its target.
func (j *Judge) Extension(unit *objects.Unit, o *objects.Object, read olm.Extension) loader.Extension {
	return loader.Extension{Extension: read, Object: o, Unit: unit, Resolved: j.Targets.Of(unit, o)}
}

// note records what a rule could not determine about an object.
func (j *Judge) note(o *objects.Object, reason string, causes []finding.Place) {
	j.mu.Lock()
	defer j.mu.Unlock()
	file, span := o.Locate(manifest.Path{"metadata", "name"})
	f := finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, span), reason)
	f.Resource, f.Causes = finding.ResourceOf(o), causes
	if !slices.ContainsFunc(j.notChecked, func(other finding.Finding) bool { return other.Shown() == f.Shown() }) {
		j.notChecked = append(j.notChecked, f)
	}
}

// unusedBundles returns findings about bundles of extensions that do not exist: their names are misspelled, or are filled in later.
func (r *Report) unusedBundles() []finding.Finding {
	if !r.options.Bundles.Any() || !r.options.judgesExtensions() {
		return nil
	}
	var names []string
	for _, unit := range r.snapshot.Units {
		for _, o := range slices.Concat(unit.Objects, unit.Sources) {
			if o.Kind == olm.ClusterExtensionKind {
				names = append(names, o.Name)
			}
		}
	}
	var notes []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(r.options.Bundles.Sources)) {
		if slices.Contains(names, name) {
			continue
		}
		message := fmt.Sprintf("no ClusterExtension %s was read, so the bundle that is named for it is not used", name)
		if near := nearest.Name(name, names); near != "" {
			message += fmt.Sprintf("; did you mean %s?", near)
		}
		source := r.options.Bundles.Sources[name]
		if source.File == "" {
			r.result.Notes = append(r.result.Notes, source.Place+": "+message)
			continue
		}
		notes = append(notes, finding.AboutFile(finding.RuleNotChecked, source.File, finding.Range{Line: source.Line, Column: 1}, message))
	}
	return notes
}

func isKindOfExtensions(kind string) bool {
	return strings.HasPrefix(kind, olm.ClusterExtensionKind+".")
}
