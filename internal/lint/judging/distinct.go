package judging

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Distinct returns one finding for each key: the one with the highest severity, and among these the first one in a unit that the paths
// of the command line name. It lists the other units and renderings with
// the same finding as related places.
func Distinct(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), boolOrder(a.asked, b.asked))
	})
	seen := map[finding.Identity]int{}
	var once []Finding
	listed := map[int]map[occurrence]bool{}
	rendered := map[int][]string{}
	for _, f := range all {
		i, known := seen[f.key]
		if !known {
			seen[f.key], listed[len(once)] = len(once), map[occurrence]bool{occurrenceOf(f): true}
			if fix := f.Report.Fix; fix != nil && fix.Args != nil {
				f.Units = []*objects.Unit{f.Unit}
			}
			once = append(once, f)
			continue
		}
		first := &once[i]
		if first.Units != nil && reflect.DeepEqual(first.Report.Fix, f.Report.Fix) {
			first.Units = append(first.Units, f.Unit)
		}
		first.TargetUnknown = slices.Concat(first.TargetUnknown, f.TargetUnknown)
		first.Clusters = union(first.Clusters, f.Clusters)
		first.Selected, first.unitSelected = first.Selected || f.Selected, first.unitSelected || f.unitSelected
		if (f.Unit.Built || first.Unit.Built) && !listed[i][occurrenceOf(f)] {
			listed[i][occurrenceOf(f)] = true
			if charts.Of(f.Report.Object) != nil {
				rendered[i] = append(rendered[i], alsoRendered(f, *first))
				continue
			}
			first.Related = append(first.Related, alsoIn(f))
		} else if f.Origin.Kustomization != "" && !listed[i][occurrenceOf(f)] {
			listed[i][occurrenceOf(f)] = true
			first.Origin.More++
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

// union returns what is in one of two sorted lists, sorted.
func union(a, b []string) []string {
	if slices.Equal(a, b) {
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
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

func occurrenceOf(f Finding) occurrence {
	if charts.Of(f.Report.Object) == nil {
		return occurrence{unit: f.Unit}
	}
	return occurrence{f.Unit, f.Resource}
}

// alsoIn returns the related place of a finding that holds in another unit as well.
func alsoIn(f Finding) finding.Related {
	f.Unit = f.Unit.AppliedBy()
	application := f.Unit.Kind == objects.ApplicationUnit && len(f.Unit.Appliers) > 0
	if len(f.Unit.Kustomizations) == 0 && !application {
		return finding.Related{File: f.File, Line: f.Range.Line, Message: "also applied as written"}
	}
	message := "also applied by " + f.Unit.String()
	if source := f.Report.Object.Source(); source != nil && source.Name != f.Resource.Name {
		message += fmt.Sprintf(", as %s", f.Resource.Name)
	}
	if application {
		at := f.Unit.Appliers[0].Object.Position(nil)
		return finding.Related{File: at.File, Line: at.Line, Message: message}
	}
	return finding.Related{File: f.Unit.Kustomizations[0].Path, Line: 1, Message: message}
}

// alsoRendered names another rendering of the lines of a template: for another element of a range, or with other values.
func alsoRendered(f, first Finding) string {
	switch {
	case f.Unit == first.Unit:
		return f.Resource.Kind + " " + f.Resource.Name
	case f.Resource.Name != first.Resource.Name:
		return f.Unit.String() + " (as " + f.Resource.Name + ")"
	}
	return f.Unit.String()
}
