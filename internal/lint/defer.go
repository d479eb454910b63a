package lint

import (
	"bytes"
	"context"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// deferral decides which units are built only when a rule or a fix needs them: those in which no rule judges an object, and those
// that have nothing to do with the paths of the command line. Their findings could not be reported. See docs/performance.md.
type deferral struct {
	scope *scope
	// judges and connects are what rules judge in a unit that the paths select, and across in others; context is what they ask about.
	judges, connects, across, context *manifest.Filter
	// holders are the kinds that hold manifests of other objects.
	holders map[string][]string
	// targetKnown is true if the user requests the target of every unit.
	targetKnown bool
	// applicationsAtOnce is true if no unit of an application is deferred.
	applicationsAtOnce bool
}

// defers returns the function that reports which units are deferred; nil if all units are built at once. Verifying fixes needs most
// of them, and rules of users and bundles can ask about anything.
func (s *Session) defers(r *reader) func(*objects.Unit, [][]byte) bool {
	if s.everything || s.Fixes.Apply || s.Fixes.Prove || s.Bundles.Any() || slices.ContainsFunc(s.enabled, s.isUsers) {
		return nil
	}
	var across []string
	for _, name := range s.enabled {
		if rule, _, _ := s.registry.Find(name); rule.Across {
			across = append(across, name)
		}
	}
	d := &deferral{
		scope: newScope(s.selectedFor(r.tree), r.contents.Names), judges: r.judgedKinds, connects: r.connectedKinds, context: r.contextKinds, holders: r.holders,
		across:             manifest.NewFilter(s.registry.Interest(across).Judged).Inside(r.holders),
		applicationsAtOnce: s.applicationsAtOnce,
		targetKnown:        s.requested.Common() != nil && len(s.Config.Overrides) == 0,
	}
	return d.defers
}

func (s *Session) isUsers(name string) bool {
	rule, _, _ := s.registry.Find(name)
	return rule.User
}

// selectedFor returns which files limit the findings. A finding about a changed cause can be in any file.
func (s *Session) selectedFor(tree Tree) func(string) bool {
	if s.Changed != nil {
		return func(string) bool { return true }
	}
	return tree.Selected
}

func (d *deferral) defers(u *objects.Unit, inputs [][]byte) bool {
	if u.Kind == objects.ApplicationUnit && (d.applicationsAtOnce || d.scope.selectsPartOf(u)) {
		return false // a build can have a note about the application
	}
	texts := slices.Clone(inputs)
	for _, k := range u.Kustomizations {
		texts = append(texts, k.Doc.File.Data)
	}
	for _, o := range u.Objects {
		if d.holds(o, texts) || !d.targetKnown && len(olm.ReadSignals(o.Node)) > 0 {
			return false
		}
	}
	if slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return d.generates(k, texts) }) {
		return false
	}
	if d.scope.selectsPartOf(u) {
		silences := slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(text, ignoreWord) })
		return !silences && !concerns(d.judges, u, texts) && !concerns(d.connects, u, texts)
	}
	return !concerns(d.across, u, texts)
}

// holds reports whether an object can hold manifests of others. That of a release can be decided by the names of its fields, and the texts of
// its unit.
func (d *deferral) holds(o *objects.Object, texts [][]byte) bool {
	words, holds := d.holders[o.Kind]
	if o.Kind != "HelmRelease" {
		return holds
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return hasField(o.JSON(), word) || slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(text, []byte(word)) })
	})
}

// hasField reports whether a value, or one inside of it, has a field of a name.
func hasField(value any, name string) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return hasField(item, name) })
	case map[string]any:
		for key, field := range value {
			if key == name || hasField(field, name) {
				return true
			}
		}
	}
	return false
}

// generated are the kinds of the objects that fields of a kustomization generate.
var generated = map[string]string{"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}

// generates reports whether a kustomization generates an object that a rule judges or asks about.
func (d *deferral) generates(k *objects.Kustomization, texts [][]byte) bool {
	for field, kind := range generated {
		if k.Doc.Root.Get(field) == nil {
			continue
		}
		for _, filter := range []*manifest.Filter{d.judges, d.connects, d.context} {
			if slices.ContainsFunc(texts, func(text []byte) bool { return filter.MatchesGenerated(kind, text) }) {
				return true
			}
		}
	}
	return false
}

// concerns reports whether a unit may apply an object that a filter selects. A patch can make one of another object.
func concerns(filter *manifest.Filter, u *objects.Unit, texts [][]byte) bool {
	return slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return filter.Matches(o.Doc) }) ||
		slices.ContainsFunc(texts, filter.MatchesText)
}

// deferredUnits returns the units that are deferred.
func deferredUnits(units []*objects.Unit) []*objects.Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *objects.Unit) bool { return !u.Deferred() })
}

// buildFor builds the deferred units that fixes of findings need. Most fixes ask about all units.
func (r *run) buildFor(ctx context.Context, found []judgedFinding) error {
	var needed []*objects.Unit
	fixed := slices.DeleteFunc(slices.Clone(found), func(f judgedFinding) bool { return f.report.Fix == nil })
	pending := slices.DeleteFunc(slices.Clone(r.units), func(u *objects.Unit) bool { return !u.Pending() })
	isLocal := r.judging.scope.selectsAll() && !slices.ContainsFunc(fixed, func(f judgedFinding) bool { return !fixers.IsLocal(f.report.Fix.Name) })
	switch {
	case len(fixed) == 0 || len(pending) == 0:
	case isLocal:
		files := r.filesAround(fixed)
		needed = slices.DeleteFunc(pending, func(u *objects.Unit) bool { return !readsAny(u, files) })
	default:
		needed = pending
	}
	if err := parallel.Do(ctx, len(needed), func(i int) { needed[i].Applied() }); err != nil {
		return err
	}
	r.units = slices.Clone(r.units)
	for i, u := range r.units {
		if !u.Pending() {
			r.units[i] = u.Applied()
		}
	}
	return nil
}

// filesAround returns the kustomizations and the patches of the units that apply the objects of findings.
func (r *run) filesAround(found []judgedFinding) map[string]bool {
	files := map[string]bool{}
	for _, u := range r.units {
		if u.Deferred() || !slices.ContainsFunc(found, func(f judgedFinding) bool { return u.Reads(f.report.Object.File) }) {
			continue
		}
		for _, k := range u.Kustomizations {
			files[k.Path] = true
		}
		for _, input := range u.NonObjectInputs {
			files[input.File] = true
		}
	}
	return files
}

func readsAny(u *objects.Unit, files map[string]bool) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return files[k.Path] }) ||
		slices.ContainsFunc(u.NonObjectInputs, func(input objects.NonObjectInput) bool { return files[input.File] })
}
