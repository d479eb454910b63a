package coverage

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

// Unrendered reports whether a template that can make an object that is asked for has lines, beyond those of an earlier text, that no unit renders:
// they are in a branch that is off with the values of the repository.
func (g *Gaps) Unrendered(units []*objects.Unit, file string, before []byte) bool {
	var shows []func(string) bool
	for _, unit := range units {
		for _, r := range unit.Renderings {
			if inside, is := insideChart(r, file); !is || !strings.HasPrefix(inside, "templates/") {
				continue
			}
			if r.Shows == nil {
				return false // OffByDefault and the problems of the unit are about what is not known of it
			}
			shows = append(shows, r.Shows)
		}
	}
	text, err := g.Text(file)
	if len(shows) == 0 || err != nil || path.Base(file) == "NOTES.txt" || !g.mayConcern("", file) {
		return false
	}
	known := map[string]int{}
	for _, line := range literals(before) {
		known[line]++
	}
	for _, line := range literals(text) {
		if known[line]--; known[line] < 0 && !shownByAny(shows, line) {
			return true
		}
	}
	return false
}

func shownByAny(shows []func(string) bool, text string) bool {
	for _, is := range shows {
		if is(text) {
			return true
		}
	}
	return false
}

var (
	// action is what a template evaluates.
	action = lazyregexp.New(`(?s)\{\{.*?\}\}`)
	// minLiteral is the length of a text that can be found again: shorter ones are in almost every rendering.
	minLiteral = len("- x:")
)

// literals returns the longest literal text of each line of a template that has one and is no comment.
func literals(template []byte) []string {
	var found []string
	for line := range strings.Lines(string(action().ReplaceAllFunc(template, onlyBreaks))) {
		longest := ""
		for _, part := range strings.Split(line, actionMark) {
			if part = strings.TrimSpace(part); len(part) > len(longest) {
				longest = part
			}
		}
		if len(longest) >= minLiteral && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			found = append(found, longest)
		}
	}
	return found
}

// actionMark stands for an action; it is in no manifest.
const actionMark = "\x00"

// onlyBreaks leaves the line breaks of an action, so that what follows stays in its line.
func onlyBreaks(action []byte) []byte {
	return []byte(actionMark + strings.Repeat("\n", strings.Count(string(action), "\n")))
}
