package lint

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
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
	switch {
	case charts.Of(o) != nil:
		ref = "" // its lines say all: they may be rendered many times, and other documents of the template not at all
		message = masked(extensionsIn.ReplaceAllString(message, "extensions"), o.Node)
	case o.Applied != nil:
		message = asWritten(message, o, source)
	}
	silenced := ""
	if f.Source.Variant != "" {
		silenced = ignored(o)
	}
	return sameness{f.Rule, ref, f.File, f.Path, message, silenced, f.Range.Line, f.Range.Column}
}

// extensionsIn finds the extensions that a message lists: a chart has more of them with some values than with others.
var extensionsIn = regexp.MustCompile(`ClusterExtension [\w.-]*\w(?:(?:, | and |, and )ClusterExtension [\w.-]*\w)*`)

// minMasked is the length from which on a text is told apart from chance.
const minMasked = 3

// mask stands for a value of a field.
const mask = "\x00"

// masked takes the values of fields out of a message: what a template fills in differs from rendering to rendering, and what is
// wrong with it does not. A short value counts as a word only.
func masked(message string, object *manifest.Node) string {
	values := map[string]bool{}
	collectValues(object, values)
	message = wordsOf.ReplaceAllStringFunc(message, func(word string) string {
		if values[word] {
			return mask
		}
		return word
	})
	sorted := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	var pairs []string
	for _, value := range sorted {
		if len(value) >= minMasked {
			pairs = append(pairs, value, mask)
		}
	}
	return strings.NewReplacer(pairs...).Replace(message)
}

func collectValues(n *manifest.Node, values map[string]bool) {
	if text := n.String(); text != "" {
		values[text] = true
	}
	for _, field := range n.Fields {
		collectValues(field.Value, values)
	}
	for _, item := range n.Items {
		collectValues(item, values)
	}
}

// asWritten gives the names in a message about an applied object as they stand in files: without what the unit puts before
// and behind them, and with the namespace of the object's source.
func asWritten(message string, applied, source *objects.Object) string {
	prefix, suffix, affixed := strings.Cut(applied.Name, source.Name)
	if !affixed || source.Name == "" {
		prefix, suffix = "", ""
	}
	return wordsOf.ReplaceAllStringFunc(message, func(word string) string {
		inner, hasPrefix := strings.CutPrefix(word, prefix)
		inner, hasSuffix := strings.CutSuffix(inner, suffix)
		switch {
		case word == applied.Name:
			return source.Name
		case word == applied.Namespace:
			return source.Namespace
		case hasPrefix && hasSuffix && inner != "":
			return inner
		}
		return word
	})
}

// wordsOf finds what may be a name of an object.
var wordsOf = regexp.MustCompile(`[\w](?:[\w.-]*[\w])?`)

// distinct leaves each finding once. A file that several units apply has its findings in each of them; the worst stands
// for all, and says which overlays it concerns besides.
func distinct(all []judged) []judged {
	slices.SortStableFunc(all, func(a, b judged) int { return int(b.Severity) - int(a.Severity) })
	seen := map[sameness]int{}
	var once []judged
	told := map[int]map[place]bool{}
	rendered := map[int][]string{}
	for _, f := range all {
		key := samenessOf(f)
		i, known := seen[key]
		if !known {
			seen[key], told[len(once)] = len(once), map[place]bool{placeOf(f): true}
			once = append(once, f)
			continue
		}
		first := &once[i]
		first.untold = slices.Concat(first.untold, f.untold)
		first.asked, first.related = first.asked || f.asked, first.related || f.related
		if (f.unit.Built || first.unit.Built) && !told[i][placeOf(f)] {
			told[i][placeOf(f)] = true
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

// place is where a finding holds: in a unit, and of a chart, where one line gives many objects, for one of these.
type place struct {
	unit   *objects.Unit
	object finding.Resource
}

func placeOf(f judged) place {
	if charts.Of(f.report.Object) == nil {
		return place{unit: f.unit}
	}
	return place{f.unit, f.Resource}
}

// alsoIn says that a finding holds in a further unit.
func alsoIn(f judged) finding.Related {
	application := f.unit.Kind == objects.ApplicationUnit && len(f.unit.Appliers) > 0
	if len(f.unit.Kustomizations) == 0 && !application {
		return finding.Related{File: f.File, Line: f.Range.Line, Message: "applied as it stands, too"}
	}
	message := "applied by " + f.unit.String() + ", too"
	if source := f.report.Object.Source(); source != nil && source.Name != f.Resource.Name {
		message += fmt.Sprintf(", as %s", f.Resource.Name)
	}
	if application {
		at := f.unit.Appliers[0].Object.Position(nil)
		return finding.Related{File: at.File, Line: at.Line, Message: message}
	}
	return finding.Related{File: f.unit.Kustomizations[0].Path, Line: 1, Message: message}
}

// alsoRendered names what the same lines of a template were rendered to besides: for another element of a range, or with other
// values.
func alsoRendered(f, first judged) string {
	switch {
	case f.unit == first.unit:
		return f.Resource.Kind + " " + f.Resource.Name
	case f.Resource.Name != first.Resource.Name:
		return f.unit.String() + " (as " + f.Resource.Name + ")"
	}
	return f.unit.String()
}
