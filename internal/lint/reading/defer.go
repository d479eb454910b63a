package reading

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// deferral decides which units are built only when a rule or a fix needs them: those in which no rule judges an object, and those
// that have nothing to do with the paths of the command line. Their findings could not be reported. See docs/performance.md.
type deferral struct {
	scope *Scope
	// judges and connects are what rules judge in a unit that the paths select, and across in others.
	judges, connects, across *wordfilter.Filter
	// mayGenerate reports whether a generated object matters.
	mayGenerate func(kind string, text []byte) bool
	// holders are the kinds that hold manifests of other objects.
	holders map[string][]string
	// targetKnown is true if the user requests the target of every unit.
	targetKnown bool
	// applicationsAtOnce is true if no unit of an application is deferred.
	applicationsAtOnce bool
}

// deferral returns what decides which units are deferred; nil if all units are built at once. Verifying fixes needs most of them, and rules
// of users and bundles can ask about anything.
func (r *Reader) deferral() *deferral {
	o, decider, tree := r.options, r.decider, r.snapshot.Tree
	if o.Everything || o.Verifies || o.Bundles.Any() || slices.ContainsFunc(o.Enabled, o.isUsers) {
		return nil
	}
	return &deferral{
		scope:  NewScope(o.selected(tree), r.snapshot.Collection.Names),
		judges: decider.judgedKinds, connects: decider.connectedKinds, mayGenerate: decider.mayGenerate, holders: decider.holders,
		across:             wordfilter.New(o.Registry.Interest(o.across()).Judged).Inside(decider.holders),
		applicationsAtOnce: o.ApplicationsAtOnce,
		targetKnown:        o.Requested.Common() != nil && len(o.Config.Overrides) == 0,
	}
}

func (d *deferral) defers(u *objects.Unit, inputs [][]byte) bool {
	if u.Kind == objects.ApplicationUnit && (d.applicationsAtOnce || d.scope.SelectsPartOf(u)) {
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
	if slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool {
		return d.generates(k, texts) || slices.ContainsFunc(objects.AddedTexts(k.Doc), d.judges.MatchesAdded)
	}) {
		return false
	}
	if d.scope.SelectsPartOf(u) {
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

// generates reports whether a kustomization generates an object that a rule judges or asks about.
func (d *deferral) generates(k *objects.Kustomization, texts [][]byte) bool {
	for _, kind := range objects.Generated(k.Doc) {
		if slices.ContainsFunc(texts, func(text []byte) bool { return d.mayGenerate(kind, text) }) {
			return true
		}
	}
	return false
}

// concerns reports whether a unit may apply an object that a filter selects. A patch can make one of another object.
func concerns(filter *wordfilter.Filter, u *objects.Unit, texts [][]byte) bool {
	return slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return filter.Matches(o.Doc) }) ||
		slices.ContainsFunc(texts, filter.MatchesText)
}
