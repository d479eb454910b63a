package access

import (
	"fmt"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
)

// unreadSources returns a doubt for each source of an application that was not read: of this repository at another revision, and if the question is
// strict, of other repositories, and for what else of applications was not read. What they apply can bind a role to anyone.
func (s Scene) unreadSources() []Doubt {
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

func nameOfSource(s sources.Source) string {
	if s.Path.Value != "" {
		return s.Path.Value
	}
	return s.Repository.URL.Value
}
