package unread

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

const kindApplications = "ApplicationSet"

// undetermined returns what is unknown of applications in the repository: those of generators that cannot be run, and those whose objects a program makes
// or whose path is filled in later. Each reason has what the repository sets for them.
func (s State) undetermined() (all []reason) {
	result := s.Repository.Applications.Result
	if len(result.Unresolved)+len(result.NotChecked) == 0 {
		return nil // most repositories
	}
	u := undetermined{judge: newFolders(s), sets: map[*objects.Object]settings{}, sources: map[*objects.Object][]gitops.UnresolvedSource{}}
	for _, source := range result.Unresolved {
		u.sources[source.Location.Object] = append(u.sources[source.Location.Object], source)
	}
	generators := map[*objects.Object][]gitops.Reason{}
	var sets []*objects.Object
	for _, why := range result.NotChecked {
		if o := why.Location.Object; o != nil && o.Kind == kindApplications && s.Selected(o.File) {
			if generators[o] == nil {
				sets = append(sets, o)
			}
			generators[o] = append(generators[o], why)
		}
	}
	for _, o := range sets {
		set := u.set(o, generators[o])
		for i, why := range generators[o] {
			r := newReason(why, applicationName(o, o.Namespace, o.Name))
			if r.quiet = set.quiet; i == 0 { // once for each set
				r.revision, r.settings, r.source = set.revision, set.all, r.of+" applies "+set.first
			}
			all = append(all, r)
		}
	}
	for _, a := range result.Applications {
		if !s.Selected(a.Object.File) {
			continue
		}
		for _, why := range a.NotChecked {
			if of := u.because(why); len(of) > 0 {
				all = append(all, u.application(a, why, of))
			}
		}
	}
	return all
}

func newReason(why gitops.Reason, of string) reason {
	return reason{key: of + ": " + keyOf(why.Message), message: why.Message, place: why.Location.Position(), of: of, isOne: true}
}

// applicationName returns the name of an application, or of the set of several.
func applicationName(o *objects.Object, namespace, name string) string {
	return o.Kind + " " + strings.TrimPrefix(namespace+"/"+name, "/")
}

// undetermined are the sources that are only partly known, by the object that has them.
type undetermined struct {
	judge   *folders
	sources map[*objects.Object][]gitops.UnresolvedSource
	sets    map[*objects.Object]settings
}

// because returns the sources that are unknown for a reason.
func (u undetermined) because(why gitops.Reason) (found []gitops.UnresolvedSource) {
	for _, source := range u.sources[why.Location.Object] {
		if source.Message == why.Message && slices.Equal(source.Location.Path, why.Location.Path) {
			found = append(found, source)
		}
	}
	return found
}

// application returns the reason of an application, with sources that are unknown for it.
func (u undetermined) application(a *gitops.Application, why gitops.Reason, of []gitops.UnresolvedSource) reason {
	r := newReason(why, applicationName(a.Object, a.Namespace.Value, a.Name.Value))
	if a.Object.Kind == kindApplications {
		set := u.set(a.Object, nil)
		r.revision, r.settings = set.revision, slices.Clone(set.all)
	} else {
		spec, _ := a.Object.JSON()["spec"].(map[string]any)
		r.settings = origin.Application(spec)
	}
	r.quiet = len(a.Sources) == 1
	for _, source := range of {
		r.settings = append(r.settings, u.judge.pathOf(source))
		r.quiet = r.quiet && u.judge.isQuiet(source)
	}
	return r
}

// set returns the settings of a set, of which some generators cannot be run; without reasons, all generators count.
func (u undetermined) set(o *objects.Object, why []gitops.Reason) settings {
	if found, known := u.sets[o]; known {
		return found
	}
	u.sets[o] = settingsOf(o, why, u.sources[o], u.judge)
	return u.sets[o]
}
