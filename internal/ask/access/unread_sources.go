package access

import (
	"fmt"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
)

// UnreadSources returns a doubt for each source of an application that was not read: of this repository at another revision, and if the question is
// strict, of other repositories, and for what else of applications was not read. What they apply can bind a role to anyone.
func (s Scene) UnreadSources() []Doubt {
	if s.Repository.Applications == nil {
		return nil
	}
	var doubts []Doubt
	said := map[objects.Position]bool{}
	for _, a := range s.Repository.Applications.Result.Applications {
		for _, source := range a.Sources {
			isOther := source.Repository.Is == sources.OtherRepository
			if why := source.WhyUnread(); why != "" && (s.Strict || !isOther) {
				said[source.Location.Position()] = true
				doubts = append(doubts, Doubt{Position: source.Location.Position(), Message: fmt.Sprintf("what %s applies of %s was not read: %s", a, nameOfSource(source), why)})
			}
		}
	}
	for _, p := range loader.OfApplications(s.Repository.Applications) {
		if s.selects(p) && !said[p.Position] {
			doubts = append(doubts, Doubt{Position: p.Position, Message: p.Message})
		}
	}
	return doubts
}

// Elsewhere returns a warning about the applications with objects from other repositories, if the question does not count them as unknown.
func (s Scene) Elsewhere() []string {
	n := len(s.Repository.Applications.Elsewhere())
	if s.Strict || n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not read: %s with objects from other repositories (--strict names them)", words.Count(n, "application"))}
}

func nameOfSource(s sources.Source) string {
	if s.Path.Value != "" {
		return s.Path.Value
	}
	return s.Repository.URL.Value
}
