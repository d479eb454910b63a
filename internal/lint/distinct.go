package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/charts"
	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/inventory"
)

// sameness is what findings agree in that are one finding for the user: he mends it in one place. Objects that overlays make
// of one source may have other names, so the message counts without them.
type sameness struct {
	rule, ref, file, path, message, ignored string
	line, column                            int
}

func samenessOf(f judged) sameness {
	o := f.report.Object
	source := o.Source()
	if source == nil {
		source = o
	}
	message := f.Message
	ref := source.Ref()
	if charts.Of(o) != nil {
		ref = "" // its lines say all: they may be rendered many times, and other documents of the template not at all
	}
	if o.Applied != nil {
		message = unnamed(message, o.Name, "\x00name")
		message = unnamed(message, o.Namespace, "\x00namespace")
	}
	return sameness{f.Rule, ref, f.File, f.Path, message, f.Source.As, f.Range.Line, f.Range.Column}
}

// unnamed takes a name out of a message.
func unnamed(message, name, placeholder string) string {
	if name == "" {
		return message
	}
	return strings.ReplaceAll(message, name, placeholder)
}

// distinct leaves each finding once. A file that several units apply has its findings in each of them; the worst stands
// for all, and says which overlays it concerns besides.
func distinct(all []judged) []judged {
	slices.SortStableFunc(all, func(a, b judged) int { return int(b.Severity) - int(a.Severity) })
	seen := map[sameness]int{}
	var once []judged
	told := map[int]map[place]bool{}
	for _, f := range all {
		key := samenessOf(f)
		i, known := seen[key]
		if !known {
			seen[key], told[len(once)] = len(once), map[place]bool{placeOf(f): true}
			once = append(once, f)
			continue
		}
		first := &once[i]
		if (f.unit.Built || first.unit.Built) && !told[i][placeOf(f)] {
			told[i][placeOf(f)] = true
			first.Related = append(first.Related, alsoIn(f, *first))
		}
	}
	return once
}

// place is where a finding holds: in a unit, and of a chart, where one line gives many objects, for one of these.
type place struct {
	unit   *inventory.Unit
	object finding.Resource
}

func placeOf(f judged) place {
	if charts.Of(f.report.Object) == nil {
		return place{unit: f.unit}
	}
	return place{f.unit, f.Resource}
}

// alsoIn says that a finding holds in a further unit.
func alsoIn(f, first judged) finding.Related {
	if charts.Of(f.report.Object) != nil {
		return alsoRendered(f, first)
	}
	if len(f.unit.Kustomizations) == 0 {
		return finding.Related{File: f.File, Line: f.Range.Line, Message: "applied as it stands, too"}
	}
	message := "applied by the kustomization " + f.unit.Name + ", too"
	if source := f.report.Object.Source(); source != nil && source.Name != f.Resource.Name {
		message += fmt.Sprintf(", as %s", f.Resource.Name)
	}
	return finding.Related{File: f.unit.Kustomizations[0].Path, Line: 1, Message: message}
}

// alsoRendered says that the same lines of a template were rendered again: with other values, or for another element of a range.
func alsoRendered(f, first judged) finding.Related {
	related := finding.Related{File: f.File, Line: f.Range.Line, Message: "rendered by " + f.unit.String() + ", too"}
	switch {
	case f.unit == first.unit:
		related.Message = "rendered for " + f.Resource.Kind + " " + f.Resource.Name + ", too"
	case f.Resource.Name != first.Resource.Name:
		related.Message += ", as " + f.Resource.Name
	}
	return related
}
