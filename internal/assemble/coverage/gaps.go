package coverage

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Gap is why nothing of a file became an object.
type Gap struct {
	// Reason is a part of a sentence.
	Reason string
	// Cause is the place that explains it; its File is "" if there is none.
	Cause objects.Position
	// Hides is set if the objects that were made of the file can differ in everything from those that are applied.
	Hides bool
	// Unapplied is set if nothing in the repository applies the file, as far as is known.
	Unapplied bool
	// Tests is the folder of the data of tests to which the file belongs, if nothing reads it; "" for others.
	Tests string
}

// Gaps finds the files of which nothing became an object that is asked for.
type Gaps struct {
	// Files is the repository, and Text returns the content of a file.
	Files render.Files
	Text  func(file string) ([]byte, error)
	// MayConcern reports whether a text that is no document can make an object that is asked for.
	MayConcern func(text []byte) bool
	// MayAdd reports whether a kustomization with a text, which generates objects of a kind, or adds labels, annotations and images to
	// those of any kind (""), can make an object that is asked for of one that is not; nil: all can.
	MayAdd func(kind string, text []byte) bool

	// definitions are those that templates include, by chart.
	definitions map[string][]byte
}

// Of returns the gap of a file in any of the units, unless one of them reads it without a gap.
func (g *Gaps) Of(units []*objects.Unit, file string) (gap Gap, is bool) {
	read := false
	for _, unit := range units {
		if !unit.Reads(file) {
			continue
		}
		found, in := g.within(unit, file)
		if in && (!is || found.Hides) {
			gap, is = found, true
		}
		read = read || !in
	}
	return gap, is && (gap.Hides || !read)
}

// within returns the gap of a file in one unit that reads it. There is none if its objects were read as they are written.
func (g *Gaps) within(unit *objects.Unit, file string) (gap Gap, is bool) {
	if unit.NotBuilt {
		if !g.matters(unit, file) {
			return Gap{}, false
		}
		last := unit.Problems[len(unit.Problems)-1]
		made := "built"
		if len(unit.Kustomizations) == 0 {
			made = "rendered"
		}
		return Gap{Reason: fmt.Sprintf("%s was not %s", unit, made), Cause: last.Position}, true
	}
	for _, left := range unit.LeftOut {
		if left.Covers(file) && g.matters(unit, file) {
			return Gap{Reason: fmt.Sprintf("%s was built without it", unit), Cause: left.Position}, true
		}
	}
	for _, r := range unit.Renderings {
		if gap, is := g.inRendering(unit, r, file); is {
			return gap, true
		}
	}
	return Gap{}, false
}

// matters reports whether a file of a unit that was not built can make an object that is asked for, or change one. The objects in its
// resources were read as they are written.
func (g *Gaps) matters(unit *objects.Unit, file string) bool {
	for _, r := range unit.Renderings {
		inside, is := insideChart(r, file)
		switch {
		case slices.Contains(r.Values, file), is && inside == "values.yaml":
			return true
		case is:
			return isTemplate(inside) && g.mayConcern(r.Chart, file)
		}
	}
	if slices.ContainsFunc(unit.Transforms, func(t objects.Transform) bool { return t.Position.File == file && g.changes(t) }) {
		return true
	}
	return slices.ContainsFunc(unit.NonObjectInputs, func(in objects.NonObjectInput) bool { return in.Covers(file) }) && g.mayConcern("", file)
}

// changes reports whether a field of a kustomization can make or change an object that is asked for. The objects to which fields add
// labels, annotations and images were read as they are written.
func (g *Gaps) changes(t objects.Transform) bool {
	kind, adds := objects.AddedKind(t.Field)
	if !adds {
		return true
	}
	text, err := g.Text(t.Position.File)
	return err != nil || g.MayAdd == nil || g.MayAdd(kind, text)
}

// insideChart returns the path of a file in the chart of a rendering, or in a dependency that is built into it.
func insideChart(r objects.Rendering, file string) (inside string, is bool) {
	for _, dir := range r.Folders() {
		if dir == "." {
			return file, true
		}
		if inside, is = strings.CutPrefix(file, dir+"/"); is {
			return inside, true
		}
	}
	return "", false
}

// isTemplate reports whether a file of a chart is rendered, or holds definitions for those that are.
func isTemplate(inside string) bool {
	return strings.HasPrefix(inside, "templates/") || strings.HasPrefix(inside, "charts/") || strings.HasPrefix(inside, "crds/")
}

// mayConcern reports whether the text of a file can be that of an object that is asked for, or of a patch: as it is, or with the
// definitions of its chart.
func (g *Gaps) mayConcern(chart, file string) bool {
	text, err := g.Text(file)
	if err != nil || IsJSONPatch(manifest.Scan(file, text)) {
		return true
	}
	if chart == "" {
		return g.MayConcern(text)
	}
	return charts.MayProduce(text, func() []byte { return g.definitionsOf(chart) }, g.MayConcern)
}

func (g *Gaps) definitionsOf(chart string) []byte {
	text, known := g.definitions[chart]
	if !known {
		if g.definitions == nil {
			g.definitions = map[string][]byte{}
		}
		text = charts.Definitions(g.Files, chart)
		g.definitions[chart] = text
	}
	return text
}

// inRendering returns the gap of a file of a chart that a unit renders.
func (g *Gaps) inRendering(unit *objects.Unit, r objects.Rendering, file string) (gap Gap, is bool) {
	inside, is := insideChart(r, file)
	switch {
	case !is || slices.Contains(r.Values, file):
		return Gap{}, false
	case slices.Contains(r.Empty, file):
		return Gap{Reason: "no object is rendered from this template with the values of the repository: to check it, list values in `helm` of .salint.yaml", Unapplied: true}, true
	case r.Uncertain && strings.HasPrefix(inside, "templates/") && g.readsValues(file):
		return Gap{Reason: fmt.Sprintf("%s sets values of this template that were not read", unit), Cause: applierOf(unit), Hides: true}, true
	case path.Dir(inside) == "." && charts.HasValuesName(inside):
		return Gap{Reason: "no chart is rendered with these values: to check them, list them in `helm` of .salint.yaml", Unapplied: true}, true
	}
	return Gap{}, false
}

// OffByDefault reports whether a file is a template of a chart of which no unit renders anything, although it can make an object that is asked for.
func (g *Gaps) OffByDefault(units []*objects.Unit, file string) bool {
	is := false
	for _, unit := range units {
		for _, r := range unit.Renderings {
			if _, inside := insideChart(r, file); inside && !slices.Contains(r.Empty, file) {
				return false
			}
			is = is || slices.Contains(r.Empty, file)
		}
	}
	return is && g.mayConcern("", file)
}

// readsValues reports whether values can change what a template renders.
func (g *Gaps) readsValues(file string) bool {
	text, err := g.Text(file)
	return err != nil || slices.ContainsFunc([]string{".Values", "include", "template"}, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// applierOf returns the place of the application that sets the values of a unit.
func applierOf(unit *objects.Unit) objects.Position {
	for _, by := range unit.Appliers {
		if by.Object != nil {
			return by.Object.Position(nil)
		}
	}
	return objects.Position{}
}
