package fixers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// templateValue is a value as it is to be written into a template.
type templateValue struct {
	// text stands for the whole value, bare for a part of another; "" where it cannot.
	text, bare string
	// key is the same for wordings that come of the same source.
	key string
	// literal is the value where it is always that.
	literal string
	// scalar is where else it comes from, and chart the one that it lies in.
	scalar block.Scalar
	chart  string
}

func literal(value string) templateValue {
	return templateValue{text: value, bare: value, key: "=" + value, literal: value}
}

func (w templateValue) isLiteral() bool { return w.literal != "" }

// placeFree is a wording of which it does not matter where it is written when it is always the same value.
func (w templateValue) placeFree() templateValue {
	if w.isLiteral() {
		return literal(w.literal)
	}
	return w
}

// valueOf finds out how a value of an object of a unit is written.
func (c *Context) valueOf(u *objects.Unit, o *objects.Object, path manifest.Path) (templateValue, error) {
	value := o.Node.Lookup(path).String()
	if o.InFile() {
		return literal(value), nil
	}
	r, t, err := c.renderingOf(u, o)
	if err != nil {
		return templateValue{}, err
	}
	scalar, err := r.reader.Scalar(t, o.Text(), o.At(path))
	if err != nil {
		return templateValue{}, refuseUncertain(err, bindByHand)
	}
	w := templateValue{
		text: withoutTrimMarkers(scalar.Text), bare: withoutTrimMarkers(scalar.Bare), scalar: scalar, chart: chartOf(t.Name),
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

// chartOf is the chart of a template, by the name that Helm gives it. Charts have values of their own.
func chartOf(template string) string {
	chart, _, _ := strings.Cut(template, "/templates/")
	return chart
}

// withoutTrimMarkers leaves out what would take away the blanks around a value.
func withoutTrimMarkers(text string) string {
	if rest, ok := strings.CutPrefix(text, "{{- "); ok {
		text = "{{ " + rest
	}
	if rest, ok := strings.CutSuffix(text, " -}}"); ok {
		text = rest + " }}"
	}
	return text
}

// dotMapping says how what is written at one place can be written at another, with the same meaning.
type dotMapping int

const (
	unreachable  dotMapping = iota
	unchangedDot            // the dot is the same
	dollarDot               // the dot there is $ here
)

// dotFor tells how the dot of a value can be written where an extension's name is.
func (w templateValue) dotFor(name templateValue) dotMapping {
	from, to := w.scalar.Origin, name.scalar.Origin
	sameDot := sameCalls(from, to) && from.Scope.Define() == to.Scope.Define() && sameDots(from, to)
	switch {
	case w.chart != name.chart: // which has values of its own
		return unreachable
	case sameDot, dotIsRoot(from) && dotIsRoot(to):
		return unchangedDot
	case dotIsRoot(from) && dollarIsRoot(to):
		return dollarDot
	}
	return unreachable
}

// at writes a value so that it means the same at the place that writes an extension's name.
func (w templateValue) at(name templateValue) (templateValue, error) {
	if w.isLiteral() || w.text == "" {
		return w, nil
	}
	moved, ok := w.movedText(w.text, name)
	if !ok {
		return w, w.refuseElsewhere()
	}
	w.text = moved
	w.bare, _ = w.movedText(w.bare, name)
	return w, nil
}

// movedText writes a text that stands where a value does so that it means the same where an extension's name is.
func (w templateValue) movedText(text string, name templateValue) (string, bool) {
	reach := w.dotFor(name)
	if reach == unreachable && w.chart == name.chart && sameTop(w.scalar.Origin, name.scalar.Origin) && isDotFree(text) {
		reach = unchangedDot
	}
	if reach == unreachable {
		return "", false
	}
	text = ownVariables(text, w.scalar.Scope, name.scalar.Scope)
	for _, variable := range source.Variables(text) {
		if !sameCalls(w.scalar.Origin, name.scalar.Origin) || !sameVariable(variable, w.scalar.Scope, name.scalar.Scope) {
			return "", false
		}
	}
	if reach == unchangedDot {
		return text, true
	}
	return withDot(text, "$")
}

// ownVariables writes the dot for the variable of the innermost range, where that is called otherwise at another place.
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

// refuseElsewhere says that a value, or what it depends on, cannot be told where the extension is written.
func (w templateValue) refuseElsewhere() error {
	at := w.scalar
	line, column := at.Scope.File.Position(at.Span.Start)
	return refuse("%s at %s:%d:%d is only known there, and not where the template writes the extension: %s",
		at.Text, at.Source.File, line, column, bindByHand)
}

// sameVariable tells whether a variable is the same in two scopes whose dots are: both declare it in the same words, and these
// name no other that is only known in one of them.
func sameVariable(name string, a, b source.Scope) bool {
	declared := a.Declares(name)
	if declared == "" || declared != b.Declares(name) {
		return false
	}
	_, value, _ := strings.Cut(declared, ":=")
	return a.File.Name == b.File.Name || len(source.Variables(value)) == 0
}

// isDotFree tells whether a text means the same whatever the dot is.
func isDotFree(text string) bool {
	moved, ok := withDot(text, "$")
	return ok && moved == text
}

// withDot writes a variable in place of the dot in the actions of a text.
func withDot(text, variable string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		end := actionEnd(rest)
		if end < 0 || changesDot(rest) {
			return "", false
		}
		b.WriteString("{{" + replaceDot(rest[:end], variable))
		text = rest[end:]
	}
}

// changesDot tells whether an action begins a block in which the dot is something else.
func changesDot(action string) bool {
	action = strings.TrimLeft(action, "- ")
	word, _, _ := strings.Cut(strings.TrimPrefix(action, "else "), " ")
	return word == "with" || word == "range" || word == "define" || word == "block"
}

// actionEnd finds the end of an action, past the quotations in it; -1 when there is none.
func actionEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "}}"):
			return i
		case strings.IndexByte("\"'`", text[i]) >= 0:
			if i = closingQuote(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// closingQuote is where the quotation ends that begins at a byte; -1 when it does not.
func closingQuote(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i
		case text[i] == '\\' && quote != '`':
			i++
		}
	}
	return -1
}

// replaceDot writes a variable in place of the dot in what stands between the delimiters of an action.
func replaceDot(action, variable string) string {
	var b strings.Builder
	for i := 0; i < len(action); i++ {
		c := action[i]
		switch {
		case strings.IndexByte("\"'`", c) >= 0:
			end := closingQuote(action, i)
			b.WriteString(action[i : end+1])
			i = end
			continue
		case c == '.' && (i == 0 || !continuesChain(action[i-1])):
			b.WriteString(variable)
			if i+1 == len(action) || !isName(action[i+1]) {
				continue // the dot by itself
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// continuesChain tells whether a dot behind a byte leads on from what stands there.
func continuesChain(c byte) bool { return isName(c) || c == ')' || c == '$' || c >= 0x80 }

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
