package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
)

// maxListed is the maximum number of names in a sentence; the rest is counted.
const maxListed = 4

// listed joins names for a sentence and counts the rest.
func listed(names []string) string { return listedUpTo(maxListed, names) }

func listedUpTo(most int, names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// namesOf lists extensions for the title of a step, or counts them if they are all of the plan.
func (p *Plan) namesOf(extensions []*Extension) string {
	if len(extensions) == len(p.Extensions) && len(extensions) > maxListed {
		return "all " + counted(extensions)
	}
	return namesUpTo(maxListed, extensions)
}

// counted counts extensions by their names; "in 24 places" follows if several units apply them.
func counted(extensions []*Extension) string {
	names := map[string]bool{}
	for _, e := range extensions {
		names[e.shortLabel] = true
	}
	count := words.Count(len(names), "extension")
	if len(names) < len(extensions) {
		count += fmt.Sprintf(" in %d places", len(extensions))
	}
	return count
}

// which names several extensions of which the words for the first one are printed.
func (p *Plan) which(extensions []*Extension) string {
	if len(extensions) == len(p.Extensions) && len(extensions) > maxListed {
		return fmt.Sprintf("all %s, such as %s", counted(extensions), extensions[0].Label)
	}
	return fmt.Sprintf("%s, %s", counted(extensions), namesUpTo(maxEach, extensions))
}

// otherAccounts names the accounts of the extensions behind the first, of which the words about the first do not speak; "" if these words name no account, or
// there is no other, or if they are many: JSON has all.
func otherAccounts(extensions []*Extension, words string) string {
	first := extensions[0].account()
	if first == "" || !strings.Contains(words, first) {
		return ""
	}
	var others []string
	for _, e := range extensions[1:] {
		if account := e.account(); account != "" && account != first && !slices.Contains(others, account) {
			others = append(others, account)
		}
	}
	switch n := len(others); {
	case n == 0 || n > maxListed:
		return ""
	case n == 1:
		return " The other account: " + others[0] + "."
	}
	return " The other accounts: " + strings.Join(others, ", ") + "."
}

// account returns the namespace and the name of the account that the extension names; "" if it names none.
func (e *Extension) account() string {
	if e.Account.Name == "" {
		return ""
	}
	return e.Namespace + "/" + e.Account.Name
}

// namesUpTo lists extensions. Those that the same units apply share one list of these units.
func namesUpTo(most int, extensions []*Extension) string {
	var names []string
	places := map[string][]string{}
	for _, e := range extensions {
		if places[e.shortLabel] == nil {
			names = append(names, e.shortLabel)
		}
		places[e.shortLabel] = append(places[e.shortLabel], e.place)
	}
	var lists []string
	inPlaces := map[string][]string{}
	for _, name := range names {
		list := placesUpTo(most, places[name])
		if inPlaces[list] == nil {
			lists = append(lists, list)
		}
		inPlaces[list] = append(inPlaces[list], name)
	}
	var parts []string
	var sizes []int // how many extensions a part names
	for _, list := range lists {
		named := inPlaces[list]
		switch {
		case list == "":
			parts = append(parts, named...)
			sizes = append(sizes, slices.Repeat([]int{1}, len(named))...)
			continue
		case len(named) == 1:
			parts = append(parts, named[0]+" ("+list+")")
		default:
			parts = append(parts, listedUpTo(most, named)+" (each in "+list+")")
		}
		size := 0
		for _, name := range named {
			size += len(places[name])
		}
		sizes = append(sizes, size)
	}
	if len(parts) <= most {
		return strings.Join(parts, ", ")
	}
	rest := 0
	for _, size := range sizes[most:] {
		rest += size
	}
	return fmt.Sprintf("%s and %d more", strings.Join(parts[:most], ", "), rest)
}

// kustomizationPrefix begins the names of most units; a list has it once.
const kustomizationPrefix = "the kustomization "

func placesUpTo(most int, places []string) string {
	if len(places) > 1 && !slices.ContainsFunc(places, func(s string) bool { return !strings.HasPrefix(s, kustomizationPrefix) }) {
		short := make([]string, len(places))
		for i, place := range places {
			short[i] = strings.TrimPrefix(place, kustomizationPrefix)
		}
		return "the kustomizations " + listedUpTo(most, short)
	}
	return listedUpTo(most, places)
}

// titleWithPlace returns the label, and the file unless the label has it.
func (e *Extension) titleWithPlace() string {
	at := fmt.Sprintf("%s:%d", e.File, e.Line)
	switch {
	case e.place == e.File || e.place == at || e.Label == at:
		return e.shortLabel + " (" + at + ")"
	case e.place != "":
		return e.shortLabel + " (" + at + ", in " + e.place + ")"
	}
	return e.Label + " (" + at + ")"
}

// labeled returns the extensions with some labels.
func (p *Plan) labeled(labels []string) []*Extension {
	wanted := map[string]bool{}
	for _, label := range labels {
		wanted[label] = true
	}
	return slices.DeleteFunc(all(p.Extensions), func(e *Extension) bool { return !wanted[e.Label] })
}
