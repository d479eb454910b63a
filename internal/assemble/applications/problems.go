package applications

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// notChecked is something that was not read. Those of one topic are reported once, at the first position.
type notChecked struct {
	objects.Problem
	topic string
	// values is set if values of a chart are unknown.
	values bool
	// program is set if a program makes objects that are unknown.
	program bool
	// elsewhere is set if the content of a source in another repository was not read.
	elsewhere bool
}

// otherRepository is the topic of sources in other repositories, of which there can be hundreds.
const otherRepository = "elsewhere"

// reasonsOf returns what is unknown about an application.
func reasonsOf(a *gitops.Application) []notChecked {
	var all []notChecked
	for _, reason := range a.NotChecked {
		found := notChecked{Problem: problemAt(reason.Location, reason.Message), topic: reason.Message, values: reason.Values, program: reason.Program}
		for _, s := range a.Sources {
			if isInOtherRepository(s) && isAt(s, reason.Location) {
				found.topic, found.elsewhere = otherRepository, s.WhyUnread() != ""
			}
		}
		all = append(all, found)
	}
	return all
}

func isInOtherRepository(s sources.Source) bool { return s.Repository.Is == sources.OtherRepository }

func isAt(s sources.Source, place view.Location) bool {
	return s.Location.Object == place.Object && slices.Equal(s.Location.Path, place.Path)
}

// relevantWords are words that suggest that a source in another repository concerns the rules. All other sources there are
// left to a run in that repository: a note for each of them would hide everything that matters.
var relevantWords = []string{"olm", "operator", "extension", "catalog"}

// MayConcernRules reports whether the name, path or address of an application or source suggests that it concerns the
// rules.
func MayConcernRules(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(relevantWords, func(word string) bool { return strings.Contains(text, word) })
}

// relevant returns the reasons that may concern the rules, for an application that applies nothing from this repository.
func relevant(a *gitops.Application, reasons []notChecked) []notChecked {
	texts := []string{a.Name.Value}
	for _, s := range a.Sources {
		texts = append(texts, s.Path.Value, s.Repository.URL.Value, s.Reference)
	}
	if MayConcernRules(strings.Join(texts, "\n")) {
		return reasons
	}
	allElsewhere := !slices.ContainsFunc(a.Sources, func(s sources.Source) bool { return !isInOtherRepository(s) })
	return slices.DeleteFunc(reasons, func(n notChecked) bool { return allElsewhere || n.topic == otherRepository })
}

// maxRelated is the number of positions that are listed for one topic.
const maxRelated = 10

// problems returns the problems that belong to no unit.
func (p *plan) problems() []Problem {
	all := p.notChecked
	for _, reason := range p.result.NotChecked {
		isUnits := func(d *plannedUnit) bool { return d.app.NotMade != nil && d.app.NotMade.Message == reason.Message }
		if slices.ContainsFunc(p.planned, isUnits) {
			continue // a problem of their units
		}
		all = append(all, notChecked{Problem: problemAt(reason.Location, reason.Message), topic: reason.Message})
	}
	slices.SortStableFunc(all, func(a, b notChecked) int { return comparePositions(a.Position, b.Position) })
	all = slices.CompactFunc(all, func(a, b notChecked) bool { return a.Problem == b.Problem })
	var topics []string
	byTopic := map[string][]notChecked{}
	for _, n := range all {
		topic := cmp.Or(n.topic, n.Message)
		if byTopic[topic] == nil {
			topics = append(topics, topic)
		}
		byTopic[topic] = append(byTopic[topic], n)
	}
	var problems []Problem
	for _, topic := range topics {
		problems = append(problems, summarize(topic, byTopic[topic]))
	}
	return problems
}

// summarize returns one problem for all notes of one topic.
func summarize(topic string, all []notChecked) Problem {
	p := Problem{Problem: all[0].Problem, Elsewhere: !slices.ContainsFunc(all, func(n notChecked) bool { return !n.elsewhere })}
	if topic == otherRepository && len(all) > 1 {
		p.Message = fmt.Sprintf("%d sources of applications are in other repositories, so their objects were not checked. "+
			"Run salint in these repositories. The first source: %s", len(all), p.Message)
	}
	for _, n := range all[1:min(len(all), maxRelated)] {
		p.Related = append(p.Related, Place{n.Position, n.Message})
	}
	return p
}

func comparePositions(a, b objects.Position) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
