package gitops

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/template"
)

// Unseen is a source of this repository of which it cannot be told how it is applied: that of applications which only a
// cluster or a service knows, one that a program makes objects of, or one whose path is filled in later.
type UnresolvedSource struct {
	// Reason says what is not known, and where.
	Reason
	// Path is the folder, from the root of the repository. Each * in it stands for any text that is filled in later.
	Path string
	// Plugin tells that the objects are whatever a program makes of the folder.
	Plugin bool
	// Changes tells that the application may apply something else than what the folder has by itself. Without, only where and
	// how often it is applied is not known.
	Changes bool

	pattern *regexp.Regexp
}

// Literal tells whether the path is that of one folder.
func (u UnresolvedSource) Literal() bool { return u.pattern == nil }

// Covers tells whether a folder may be the one that is applied.
func (u UnresolvedSource) Covers(dir string) bool {
	if u.pattern == nil {
		return dir == u.Path
	}
	return u.pattern.MatchString(dir)
}

// placeholder is a text that is filled in later, and statement one that decides about the texts around it.
var (
	placeholder = regexp.MustCompile(`(?s)\{\{.*?\}\}|\$\{[^}]*\}|\$\([^)]*\)`)
	statement   = regexp.MustCompile(`\{\{-?\s*(if|else|end|range|with|define|block|template|break|continue)\b`)
)

// unseen notes a source of which not all is known.
func (r *reader) addUnresolved(u UnresolvedSource, name string) {
	if statement.MatchString(name) {
		name = "*"
	}
	name = placeholder.ReplaceAllString(name, "*")
	if filledInLater(name) || name == "" {
		name = "*"
	}
	clean, inside := inRepository(name)
	if !inside {
		return
	}
	u.Path = clean
	if strings.Contains(clean, "*") {
		parts := strings.Split(clean, "*")
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		u.pattern = regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
	}
	key := unresolvedKey{u.Path, u.Place.Position().String(), u.Changes}
	if !r.seen[key] {
		r.seen[key] = true
		r.result.Unresolved = append(r.result.Unresolved, u)
	}
}

// unseenKey tells apart what has to be noted once.
type unresolvedKey struct {
	path, place string
	changes     bool
}

// unseenSources notes the sources of an application that could not be made of its template; fill fills in what is known.
func (r *reader) addUnresolvedSources(why Reason, f appTemplate, fill func(string) string) {
	spec := view{f.value, nil, f.locate(nil)}.get("spec")
	sources := spec.get("sources").items()
	if dry := spec.get("sourceHydrator", "drySource"); dry.there() {
		sources = []view{dry}
	}
	if source := spec.get("source"); len(sources) == 0 && source.there() {
		sources = []view{source}
	}
	patched := f.spec.get("templatePatch").string() != ""
	for _, v := range sources {
		address := v.get("repoURL").text()
		address.Value = fill(address.Value)
		if v.get("chart").there() || !filledInLater(address.Value) && r.judge.of(address).Is == OtherRepository {
			continue
		}
		name := fill(v.get("path").string())
		if name == "" && !patched {
			continue
		}
		plugin := v.get("plugin").there()
		r.addUnresolved(UnresolvedSource{Reason: why, Plugin: plugin, Changes: patched || plugin || r.changes(v)}, name)
	}
}

// changes tells whether a source of Argo CD says anything by which its folder may become other objects than it has.
func (r *reader) changes(v view) bool {
	return changesObjects(argoKustomize(v.get("kustomize"))) || !empty(v.get("helm").value)
}

// alters tells whether anything is changed that is looked at: labels, annotations, images and replicas are not.
func changesObjects(k Kustomization) bool {
	return k.NamePrefix.Value+k.NameSuffix.Value+k.Namespace.Value != "" || len(k.Patches)+len(k.Components) > 0
}

// partly gives what is known of the parameters of a generator that cannot be run: those that the others in it give. There is
// at least one set, an empty one where nothing is known.
func (g *generator) knownParameters(item view, kind string) []params {
	var sets []params
	if kind == generatorMatrix || kind == generatorMerge {
		for _, child := range item.get(kind, "generators").items() {
			text, err := json.Marshal(child.value)
			if err != nil || template.HasTag(string(text)) {
				continue // it is filled in by another one
			}
			for _, kind := range generatorKinds(child) {
				if found, err := g.run(child, kind, nil, maxNested); err == nil {
					sets = append(sets, found...)
				}
			}
		}
	}
	if len(sets) == 0 {
		return []params{nil}
	}
	return sets
}

// lenient fills in a text as far as the parameters are known: else it stays as it is written.
func fillKnown(engine template.Engine, set params) func(string) string {
	return func(text string) string {
		filled, err := engine.Fill(text, set)
		if set == nil || err != nil || strings.Contains(filled, "<no value>") {
			return text
		}
		return filled
	}
}

// unseenOf notes a source of an application of which nobody knows what becomes of it.
func (r *reader) addUnresolvedOf(a *Application, s Source, changes bool) {
	if len(a.NotChecked) == 0 {
		return
	}
	why := a.NotChecked[len(a.NotChecked)-1] // that was said of this source last
	r.addUnresolved(UnresolvedSource{Reason: why, Plugin: s.Kind == Plugin, Changes: changes}, cmp.Or(s.Path.Value, "*"))
}
