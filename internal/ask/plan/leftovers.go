package plan

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/output/alike"
)

// leftoversTitle is the heading of the accounts that no extension uses any longer.
const leftoversTitle = "Left over: accounts that nothing uses, with the permissions of an installer"

// maxLeftovers is how many places a text for people lists of leftovers of which the same is known.
const maxLeftovers = 5

// LeftoverLines returns the leftovers, with those of which the same is known in one line.
func (p *Plan) LeftoverLines() []string {
	var shapes []string
	places := map[string][]string{}
	first := map[string]Remark{}
	for _, r := range p.Leftovers {
		shape := alike.Shape(r.Message)
		if _, known := first[shape]; !known {
			first[shape], shapes = r, append(shapes, shape)
		}
		places[shape] = append(places[shape], fmt.Sprintf("%s:%d", r.File, r.Line))
	}
	lines := make([]string, len(shapes))
	for i, shape := range shapes {
		lines[i] = places[shape][0] + ": " + sentence(first[shape].Message, first[shape].Rule)
		if others := places[shape][1:]; len(others) > maxLeftovers {
			lines[i] += fmt.Sprintf(" And %d more like it: %s, …", len(others), strings.Join(others[:maxLeftovers], ", "))
		} else if len(others) > 0 {
			lines[i] += " The same: " + strings.Join(others, ", ")
		}
	}
	return lines
}

// LeftoverCommands returns the commands that remove the leftovers.
func (p *Plan) LeftoverCommands() []string {
	var commands []string
	for _, r := range p.Leftovers {
		commands = words.AddOnce(commands, p.lintOf(r.Target, pruneFlags, p.paths))
	}
	return commands
}
