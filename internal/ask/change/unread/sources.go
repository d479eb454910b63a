package unread

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/gitops/sources"
)

// appliedSource is a source of an application whose files are in the repository.
type appliedSource struct {
	application string
	sources.Source
}

// localSources returns the sources in the repository by application and position. Those of namesakes are left out: which of them is which
// is unknown.
func (s State) localSources() map[string]appliedSource {
	found, twice := map[string]appliedSource{}, map[string]bool{}
	if s.Repository.Applications == nil {
		return found
	}
	for _, a := range s.Repository.Applications.Result.Applications {
		name := a.Object.Kind + " " + a.Namespace.Value + "/" + a.Name.Value
		for i, source := range a.Sources {
			key := fmt.Sprint(name, " ", i)
			_, known := found[key]
			twice[key] = twice[key] || known
			if source.Here() && s.Selected(a.Object.File) {
				found[key] = appliedSource{name, source}
			}
		}
	}
	for key, is := range twice {
		if is {
			delete(found, key)
		}
	}
	return found
}

// otherSources returns the applications that take files of the repository from another revision, or from another address, than before. What
// is compared is the working tree, not the revision.
func otherSources(before, after State) []Part {
	var list []Part
	then := before.localSources()
	now := after.localSources()
	for _, key := range slices.Sorted(maps.Keys(now)) {
		old, known := then[key]
		if !known {
			continue
		}
		s := now[key]
		n := Part{Place: s.Location.Position(), Places: 1, Before: true, After: true}
		switch {
		case old.Repository.URL.Value != s.Repository.URL.Value && !sources.SameRepository(old.Repository.URL.Value, s.Repository.URL.Value):
			n.New = true
			n.Message = fmt.Sprintf("%s applies %s of %s, and no longer of %s: the working tree was compared", s.application, s.Path.Value, s.Repository.URL.Value, old.Repository.URL.Value)
		case old.Revision.Value != s.Revision.Value:
			n.Changed, n.From, n.To = true, revisionText(old.Source), revisionText(s.Source)
			n.Unreleased = origin.IsUnreleased(old.Revision.Value, s.Revision.Value)
			n.Message = fmt.Sprintf("%s applies %s at %s, and no longer at %s: the working tree was compared", s.application, s.Path.Value, revisionText(s.Source), revisionText(old.Source))
		default:
			continue
		}
		list = append(list, n)
	}
	return list
}

func revisionText(s sources.Source) string {
	if s.Revision.Value == "" {
		return "the default branch"
	}
	return s.Revision.Value
}
