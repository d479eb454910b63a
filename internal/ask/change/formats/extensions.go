package formats

import (
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/output/alike"
)

// extensions are several of which the same is said in the same units: the first one, and the names of the others.
type extensions struct {
	change.Extension
	others []string
}

// alikeExtensions joins extensions of which the same is said.
func alikeExtensions(list []change.Extension) []extensions {
	var joined []extensions
	at := map[string]int{}
	for _, e := range list {
		key := e.Severity.String() + "\n" + alike.Shape(e.Sentence(), e.Name) + "\n" + strings.Join(e.Units, "\n")
		if i, known := at[key]; known {
			joined[i].others = append(joined[i].others, e.Name)
			continue
		}
		at[key], joined = len(joined), append(joined, extensions{Extension: e})
	}
	return joined
}

// likewise names the others, as the end of a line.
func (e extensions) likewise() string {
	if len(e.others) == 0 {
		return ""
	}
	return "; likewise " + strings.Join(e.others, ", ")
}
