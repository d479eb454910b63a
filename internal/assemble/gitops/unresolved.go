package gitops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/generators"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/base/lazyregexp"
)

// UnresolvedSource is a source of this repository whose resulting objects cannot be determined: its applications are known
// only to a cluster or a service, a program generates its objects, or its path is filled in later.
type UnresolvedSource struct {
	// Reason is what is unknown, and where.
	Reason
	// Path is the folder, from the root of the repository. Each * stands for any text that is filled in later.
	Path string
	// Plugin is set if a program generates the objects from the folder.
	Plugin bool
	// Changes is set if the application may change the objects of the folder. Otherwise only the target and the number of
	// its applications are unknown.
	Changes bool
	// Source is the source. AsRead is set if what it applies are certainly the files that were read: of this repository, at the revision that is checked
	// out.
	Source view.Location
	AsRead bool
}

// Literal reports whether the path is that of one folder.
func (u UnresolvedSource) Literal() bool { return !strings.Contains(u.Path, "*") }

// Covers reports whether a folder may be the one that is applied.
func (u UnresolvedSource) Covers(dir string) bool {
	before, rest, filled := strings.Cut(u.Path, "*")
	if !filled {
		return dir == u.Path
	}
	dir, ok := strings.CutPrefix(dir, before)
	for ok && filled {
		before, rest, filled = strings.Cut(rest, "*")
		if !filled {
			return strings.HasSuffix(dir, before)
		}
		_, dir, ok = strings.Cut(dir, before)
	}
	return false
}

// placeholder is a text that is filled in later, and statement one that controls the texts around it.
var (
	placeholder = lazyregexp.New(`(?s)\{\{.*?\}\}|\$\{[^}]*\}|\$\([^)]*\)`)
	statement   = lazyregexp.New(`\{\{-?\s*(if|else|end|range|with|define|block|template|break|continue)\b`)
)

// addUnresolved records a source that is only partly known, of the repository in a folder.
func (r *reader) addUnresolved(u UnresolvedSource, dir, name string) {
	if statement().MatchString(name) {
		name = "*"
	}
	name = placeholder().ReplaceAllString(name, "*")
	if filledInLater(name) || name == "" {
		name = "*"
	}
	clean, inside := inRepository(dir, name)
	if !inside {
		return
	}
	u.Path = clean
	key := unresolvedKey{u.Path, u.Location.Position().String(), u.Source.Position().String(), u.Changes}
	if !r.seen[key] {
		r.seen[key] = true
		r.result.Unresolved = append(r.result.Unresolved, u)
	}
}

// unresolvedKey identifies what is recorded once.
type unresolvedKey struct {
	path, location, source string
	changes                bool
}

// addUnresolvedSources records the sources of an application that could not be generated from its template; fill fills in
// the known parameters.
func (r *reader) addUnresolvedSources(why Reason, f appTemplate, fill func(string) string) {
	spec := view.View{Value: f.value, Locate: f.locate(nil)}.Get("spec")
	written := spec.Get("sources").Items()
	if dry := spec.Get("sourceHydrator", "drySource"); dry.There() {
		written = []view.View{dry}
	}
	if source := spec.Get("source"); len(written) == 0 && source.There() {
		written = []view.View{source}
	}
	patched := f.spec.Get("templatePatch").String() != ""
	for _, v := range written {
		address := v.Get("repoURL").Text()
		address.Value = fill(address.Value)
		repository := r.repositoryOf(address, f.object)
		if v.Get("chart").There() || !filledInLater(address.Value) && repository.Is == sources.OtherRepository {
			continue
		}
		name := fill(v.Get("path").String())
		if name == "" && !patched {
			continue
		}
		plugin := v.Get("plugin").There()
		revision := v.Get("targetRevision").Text()
		other := filledInLater(revision.Value) || r.isOtherRevision(sources.Source{Repository: repository, Revision: revision}, false)
		r.addUnresolved(UnresolvedSource{
			Reason: why, Plugin: plugin, Changes: patched || plugin || r.changes(v), Source: v.At(), AsRead: repository.Is != sources.OtherRepository && !other,
		}, repository.Dir, name)
	}
}

// changes reports whether a source of Argo CD sets anything that changes the objects of its folder.
func (r *reader) changes(v view.View) bool {
	return changesObjects(argoKustomize(v.Get("kustomize"))) || !empty(v.Get("helm").Value)
}

// changesObjects reports whether anything is changed that a proof compares: labels, annotations, replicas, and images other than
// operator-controller's are not.
func changesObjects(k sources.Kustomization) bool {
	return k.NamePrefix.Value+k.NameSuffix.Value+k.Namespace.Value != "" || len(k.Patches)+len(k.Components) > 0 ||
		slices.ContainsFunc(k.Images, func(i sources.Image) bool { return changesController(i.Name, i.NewName) })
}

// changesController reports whether an image change of a kustomization may apply to operator-controller's image, or make an image
// operator-controller's. Vendors put words around the name, and kustomize reads the old name as a regular expression.
func changesController(name, newName string) bool {
	const controller = "operator-controller"
	return strings.Contains(name, controller) || strings.Contains(newName, controller) || strings.ContainsAny(name, `*+?[]()|\^$`)
}

// fillKnown returns a function that fills in a text as far as the parameters are known, and otherwise returns the text
// unchanged.
func fillKnown(engine template.Engine, set generators.Params) func(string) string {
	return func(text string) string {
		filled, err := engine.Fill(text, set)
		if set == nil || err != nil || strings.Contains(filled, "<no value>") {
			return text
		}
		return filled
	}
}

// addUnresolvedOf records a source of an application whose resulting objects are unknown. Its path is relative to a folder.
func (r *reader) addUnresolvedOf(a *Application, s sources.Source, dir string, changes bool) {
	if len(a.NotChecked) == 0 {
		return
	}
	why := a.NotChecked[len(a.NotChecked)-1] // the last reason is that of this source
	r.addUnresolved(UnresolvedSource{
		Reason: why, Plugin: s.Kind == sources.Plugin, Changes: changes, Source: s.Location, AsRead: s.Repository.Is != sources.OtherRepository && !s.OtherRevision,
	}, dir, cmp.Or(s.Path.Value, "*"))
}
