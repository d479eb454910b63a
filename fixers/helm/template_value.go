package helm

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// templateValue is a value in the words of a template.
type templateValue struct {
	// text stands for a whole value, bare for a part of one; "" if that is impossible.
	text, bare string
	// key is equal for values from the same source.
	key string
	// literal is the value if it is always the same.
	literal string
	// scalar is where the value comes from otherwise, and chart is the chart of that template.
	scalar block.Scalar
	chart  string
	// rendering is the one in which it was found, and folder has the chart of the template.
	rendering *rendering
	folder    string
	// inElement is set if text is written in the range around a binding, with the dot of that.
	inElement bool
}

func literal(value string) templateValue {
	return templateValue{text: value, bare: value, key: "=" + value, literal: value}
}

func (v templateValue) isLiteral() bool { return v.literal != "" }

// placeFree returns a value without its place if it is always the same, because its place does not matter then.
func (v templateValue) placeFree() templateValue {
	if v.isLiteral() {
		return literal(v.literal)
	}
	return v
}

// valueOf returns how a value of an object of a unit is written.
func valueOf(c *engine.Context, u *objects.Unit, o *objects.Object, path manifest.Path) (templateValue, error) {
	value := o.Node.Lookup(path).String()
	if o.InFile() {
		return literal(value), nil
	}
	r, t, err := renderingOf(c, u, o)
	if err != nil {
		return templateValue{}, err
	}
	form := charts.Form(o)
	identifies := len(path) == 1 || path[0] == "metadata" // as every strategic merge patch sets
	if form.Node.Lookup(path).String() != value || !identifies && len(engine.WritersOf(o, path)) > 0 {
		return templateValue{}, engine.Refuse("%s of %s is set at %s, and not by the chart: %s", path, engine.NameOf(o), changedAt(o, path), bindByHand)
	}
	scalar, err := r.reader.Scalar(t, form.Text(), form.At(path))
	if err != nil {
		return templateValue{}, refuseUncertain(err, bindByHand)
	}
	w := templateValue{
		text: withoutTrimMarkers(scalar.Text), bare: withoutTrimMarkers(scalar.Bare), scalar: scalar, chart: chartOf(t.Name), folder: chartOf(t.File + "/" + t.Inside), rendering: r,
		key: fmt.Sprintf("%s\x00%s\x00%d", scalar.Source.File, scalar.Source.Inside, scalar.Span.Start),
	}
	for _, call := range scalar.Calls {
		w.key += fmt.Sprintf("\x00%s\x00%d", call.Source.File, call.Span.Start)
	}
	if !strings.Contains(scalar.Text, "{{") {
		w.literal, w.text, w.bare = value, value, value
	}
	return w, nil
}

// changedAt returns the place outside of the chart that changes a value of an object; that in the template if it is not known.
func changedAt(o *objects.Object, path manifest.Path) objects.Position {
	for _, trace := range o.Applied.Trace(path) {
		if trace.What != objects.Template {
			return trace.Position()
		}
	}
	return o.Position(path)
}

// chartOf returns the chart of a template, in Helm's name of the template. Each chart has separate values.
func chartOf(template string) string {
	chart, _, _ := strings.Cut(template, "/templates/")
	return chart
}

// inChartOf reports whether two values are in the templates of one chart. Several charts can be built with the same dependency: its
// templates then read the values of each.
func (v templateValue) inChartOf(other templateValue) bool {
	return v.chart == other.chart || v.rendering != other.rendering && v.folder == other.folder
}

// withoutTrimMarkers removes the markers that trim the blanks around a value.
func withoutTrimMarkers(text string) string {
	if rest, ok := strings.CutPrefix(text, "{{- "); ok {
		text = "{{ " + rest
	}
	if rest, ok := strings.CutSuffix(text, " -}}"); ok {
		text = rest + " }}"
	}
	return text
}

// dotMapping is how a text is moved from one place to another without a change of meaning.
type dotMapping int

const (
	unreachable  dotMapping = iota
	unchangedDot            // the dot is the same
	dollarDot               // the dot of the first place is $ at the second
)

// dotFor returns how the dot of a value is written where the name of an extension is.
func (v templateValue) dotFor(name templateValue) dotMapping {
	from, to := v.scalar.Origin, name.scalar.Origin
	sameDot := sameCalls(from, to) && from.Scope.Define() == to.Scope.Define() && sameDots(from, to)
	switch {
	case !v.inChartOf(name): // charts have separate values
		return unreachable
	case sameDot, dotIsRoot(from) && dotIsRoot(to):
		return unchangedDot
	case dotIsRoot(from) && dollarIsRoot(to):
		return dollarDot
	}
	return unreachable
}

// at writes a value so that it has the same meaning where the name of an extension is written.
func (v templateValue) at(name templateValue) (templateValue, error) {
	if v.isLiteral() || v.text == "" || v.inElement {
		return v, nil
	}
	moved, ok := v.movedText(v.text, name)
	if !ok {
		return v, v.refuseElsewhere()
	}
	v.text = moved
	v.bare, _ = v.movedText(v.bare, name)
	return v, nil
}

// movedText writes a text from the place of a value so that it has the same meaning where the name of an extension is.
func (v templateValue) movedText(text string, name templateValue) (string, bool) {
	reach := v.dotFor(name)
	if reach == unreachable && v.inChartOf(name) && sameTop(v.scalar.Origin, name.scalar.Origin) && isDotFree(text) {
		reach = unchangedDot
	}
	if reach == unreachable {
		return "", false
	}
	text = ownVariables(text, v.scalar.Scope, name.scalar.Scope)
	for _, variable := range source.Variables(text) {
		if !sameCalls(v.scalar.Origin, name.scalar.Origin) || !sameVariable(variable, v.scalar.Scope, name.scalar.Scope) {
			return "", false
		}
	}
	if reach == unchangedDot {
		return text, true
	}
	return withDot(text, "$")
}

// ownVariables replaces the variable of the innermost range with the dot, if that variable has another name at another place.
func ownVariables(text string, from, to source.Scope) string {
	blocks := dotBlocks(from)
	if len(blocks) == 0 {
		return text
	}
	declared, _, declares := strings.Cut(blocks[len(blocks)-1].Opening[0], ":=")
	names := source.Variables(declared)
	if !declares || len(names) == 0 {
		return text
	}
	element := declared[strings.LastIndex(declared, "$"):]
	element = strings.TrimSpace(element)
	if sameVariable(element, from, to) {
		return text
	}
	return regexp.MustCompile(regexp.QuoteMeta(element)+`(\.)?\b`).ReplaceAllString(text, ".")
}

// refuseElsewhere refuses a value that is unknown where the extension is written.
func (v templateValue) refuseElsewhere() error {
	at := v.scalar
	line, column := at.Scope.File.Position(at.Span.Start)
	return engine.Refuse("%s at %s:%d:%d is known only there, and not where the template writes the extension: %s",
		at.Text, at.Source.File, line, column, bindByHand)
}

// sameVariable reports whether a variable is the same in two scopes with the same dots: both declare it in the same words,
// without variables that are known in only one of them.
func sameVariable(name string, a, b source.Scope) bool {
	declared := a.Declares(name)
	if declared == "" || declared != b.Declares(name) {
		return false
	}
	_, value, _ := strings.Cut(declared, ":=")
	return a.File.Name == b.File.Name || len(source.Variables(value)) == 0
}
