package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// distinct returns one finding for each key: the one with the highest severity, and among these the first one in a unit that the paths
// of the command line name. It lists the other units and renderings with
// the same finding as related places.
func distinct(all []judgedFinding) []judgedFinding {
	slices.SortStableFunc(all, func(a, b judgedFinding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), boolOrder(a.asked, b.asked))
	})
	seen := map[finding.Identity]int{}
	var once []judgedFinding
	listed := map[int]map[occurrence]bool{}
	rendered := map[int][]string{}
	for _, f := range all {
		i, known := seen[f.key]
		if !known {
			seen[f.key], listed[len(once)] = len(once), map[occurrence]bool{occurrenceOf(f): true}
			once = append(once, f)
			continue
		}
		first := &once[i]
		first.targetUnknown = slices.Concat(first.targetUnknown, f.targetUnknown)
		first.selected, first.unitSelected = first.selected || f.selected, first.unitSelected || f.unitSelected
		if (f.unit.Built || first.unit.Built) && !listed[i][occurrenceOf(f)] {
			listed[i][occurrenceOf(f)] = true
			if charts.Of(f.report.Object) != nil {
				rendered[i] = append(rendered[i], alsoRendered(f, *first))
				continue
			}
			first.Related = append(first.Related, alsoIn(f))
		}
	}
	for i, others := range rendered {
		first := &once[i]
		first.Related = append(slices.Clone(first.Related), finding.Related{
			File: first.File, Line: first.Range.Line, Message: "also for: " + strings.Join(others, ", "),
		})
	}
	return once
}

// boolOrder sorts true before false.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// occurrence is the unit in which a finding holds and, for charts, the object: one line of a template can write many objects.
type occurrence struct {
	unit   *objects.Unit
	object finding.Resource
}

func occurrenceOf(f judgedFinding) occurrence {
	if charts.Of(f.report.Object) == nil {
		return occurrence{unit: f.unit}
	}
	return occurrence{f.unit, f.Resource}
}

// alsoIn returns the related place of a finding that holds in another unit as well.
func alsoIn(f judgedFinding) finding.Related {
	f.unit = f.unit.AppliedBy()
	application := f.unit.Kind == objects.ApplicationUnit && len(f.unit.Appliers) > 0
	if len(f.unit.Kustomizations) == 0 && !application {
		return finding.Related{File: f.File, Line: f.Range.Line, Message: "also applied as written"}
	}
	message := "also applied by " + f.unit.String()
	if source := f.report.Object.Source(); source != nil && source.Name != f.Resource.Name {
		message += fmt.Sprintf(", as %s", f.Resource.Name)
	}
	if application {
		at := f.unit.Appliers[0].Object.Position(nil)
		return finding.Related{File: at.File, Line: at.Line, Message: message}
	}
	return finding.Related{File: f.unit.Kustomizations[0].Path, Line: 1, Message: message}
}

// alsoRendered names another rendering of the lines of a template: for another element of a range, or with other values.
func alsoRendered(f, first judgedFinding) string {
	switch {
	case f.unit == first.unit:
		return f.Resource.Kind + " " + f.Resource.Name
	case f.Resource.Name != first.Resource.Name:
		return f.unit.String() + " (as " + f.Resource.Name + ")"
	}
	return f.unit.String()
}
