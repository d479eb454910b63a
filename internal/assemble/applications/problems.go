package applications

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// notChecked is something that was not looked at. Those of one topic are said once, at the first place.
type notChecked struct {
	objects.Problem
	topic string
}

// elsewhere is the topic of sources in other repositories, of which there may be hundreds.
const elsewhere = "elsewhere"

// reasonsOf says what is not known of an application.
func reasonsOf(a *gitops.Application) []notChecked {
	var all []notChecked
	for _, reason := range a.NotChecked {
		found := notChecked{Problem: problemAt(reason.Place, reason.Message), topic: reason.Message}
		if slices.ContainsFunc(a.Sources, func(s gitops.Source) bool { return isElsewhere(s) && isAt(s, reason.Place) }) {
			found.topic = elsewhere
		}
		all = append(all, found)
	}
	return all
}

func isElsewhere(s gitops.Source) bool { return s.Repository.Is == gitops.Elsewhere }

func isAt(s gitops.Source, place gitops.Place) bool {
	return s.Place.Object == place.Object && slices.Equal(s.Place.Path, place.Path)
}

// concerning are words by which one can tell that a source in another repository is about what rules judge. Whatever else
// applications take from elsewhere is for the lint of that repository: saying so of each would drown everything.
var concerning = []string{"olm", "operator", "extension", "catalog"}

// Concerning tells of the name of an application or of a source, its path or its address, that it may be about what rules judge.
func Concerning(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(concerning, func(word string) bool { return strings.Contains(text, word) })
}

// concerns leaves of the reasons those that are about what rules judge, for an application that applies nothing from here.
func concerns(a *gitops.Application, reasons []notChecked) []notChecked {
	texts := []string{a.Name.Value}
	for _, s := range a.Sources {
		texts = append(texts, s.Path.Value, s.Repository.URL.Value, s.Reference)
	}
	if Concerning(strings.Join(texts, "\n")) {
		return reasons
	}
	allElsewhere := !slices.ContainsFunc(a.Sources, func(s gitops.Source) bool { return !isElsewhere(s) })
	return slices.DeleteFunc(reasons, func(n notChecked) bool { return allElsewhere || n.topic == elsewhere })
}

// maxRelated is how many places of one topic are listed.
const maxRelated = 10

// problems are what no unit has among its own.
func (p *plan) problems() []Problem {
	all := p.notChecked
	for _, reason := range p.result.NotChecked {
		all = append(all, notChecked{Problem: problemAt(reason.Place, reason.Message), topic: reason.Message})
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
		problems = append(problems, summary(topic, byTopic[topic]))
	}
	return problems
}

// summary says of several places what is the same of all.
func summary(topic string, all []notChecked) Problem {
	p := Problem{Problem: all[0].Problem}
	if topic == elsewhere && len(all) > 1 {
		p.Message = fmt.Sprintf("%d sources of applications are not in this repository, and what they apply was not checked: "+
			"lint the repositories they are in. The first: %s", len(all), p.Message)
	}
	for _, n := range all[1:min(len(all), maxRelated)] {
		p.Related = append(p.Related, Place{n.Position, n.Message})
	}
	return p
}

func comparePositions(a, b objects.Position) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
