package block

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// field is a field of a rendered document whose source is searched.
type field struct {
	template render.Template
	file     *source.File
	// key is the piece that wrote the key, at column; name is the key as written.
	key    render.Piece
	index  int
	column int
	name   string
	// span is the field in the text, and value its value.
	span  manifest.Span
	value *manifest.Node

	written map[int]class // by the offset of an action in the source
}

// Field returns the lines of a template that wrote exactly a field: its key, its value, and the comments directly above. A
// surrounding if or with that contains nothing else is included. Removing the lines of Origin.Span removes the field,
// whatever the values are. The document is one of the template's text.
//
// The error is a *RefusedError.
func (r *Reader) Field(t render.Template, doc *manifest.Document, path manifest.Path) (Origin, error) {
	f, err := r.field(t, doc, path)
	if err != nil {
		return Origin{}, err
	}
	if err := f.isBlock(); err != nil {
		return Origin{}, err
	}
	span, err := f.extent()
	if err != nil {
		return Origin{}, err
	}
	if !r.hasSibling(f, doc, path) {
		return Origin{}, f.refuse("without it, " + path[:len(path)-1].String() + " may be empty")
	}
	span = f.withGuards(f.withComments(span))
	if err := f.check(span); err != nil {
		return Origin{}, err
	}
	o, err := r.origin(t, f.key, f.file, span)
	o.name = f.name
	o.Wrote = r.Wrote(o)
	return o, err
}

// hasSibling reports whether another field of the mapping is always rendered together with this one: a mapping without
// fields would become null.
func (r *Reader) hasSibling(f *field, doc *manifest.Document, path manifest.Path) bool {
	pieces := f.template.Pieces
	for _, other := range doc.Root.Lookup(path[:len(path)-1]).Fields() {
		at := f.template.At(other.Key.Span().Start)
		if at < 0 || at == f.index {
			continue
		}
		for i := f.index; i >= 0; i = pieces[i].Parent {
			if pieces[i].Parent != pieces[at].Parent {
				continue
			}
			file, err := r.file(f.template.Sources[pieces[i].Source])
			if err == nil && !f.template.IsAction(pieces[at]) && file.Implies(pieces[i].From, pieces[at].From) {
				return true
			}
		}
	}
	return false
}

// Wrote returns the fields that the lines of an origin wrote, in any template of this rendering. The origin can be of
// another rendering of the chart. Templates without a trace are skipped.
func (r *Reader) Wrote(o Origin) []Written {
	var found []Written
	for _, t := range r.templates {
		for _, piece := range t.Pieces {
			s := t.Sources[piece.Source]
			inside := piece.From >= o.Span.Start && piece.To <= o.Span.End && s.File == o.Source.File && s.Inside == o.Source.Inside
			if inside && startsField(s.Text[piece.From:piece.To], o.name) {
				found = append(found, Written{t.Name, piece.Start})
			}
		}
	}
	return found
}

// field returns the field with the piece that wrote its key.
func (r *Reader) field(t render.Template, doc *manifest.Document, path manifest.Path) (*field, error) {
	found, ok := doc.Root.Field(path)
	if !ok {
		return nil, &RefusedError{render.Place{File: t.File, Inside: t.Inside}, "there is no field " + path.String()}
	}
	start := found.Key.Span().Start
	f := &field{template: t, index: t.At(start), value: found.Value,
		span: manifest.Span{Start: start, End: max(found.Key.Span().End, found.Value.Span().End)}}
	f.name = t.Text[start:found.Key.Span().End]
	if f.index < 0 {
		return nil, f.refuse("the template line that wrote it is unknown, because the template processes its own text")
	}
	f.key = t.Pieces[f.index]
	if t.IsAction(f.key) {
		return nil, f.refuse("it is not written in the template, but rendered by " + f.source(f.key))
	}
	if !t.Exact(f.key) {
		return nil, f.refuse("the template changes its text")
	}
	file, err := r.file(t.Sources[f.key.Source])
	if err != nil {
		return nil, f.refuse(err.Error())
	}
	f.file = file
	return f, nil
}

func (f *field) refuse(reason string) error {
	return &RefusedError{f.template.Place(f.span.Start), reason}
}

// isBlock returns an error unless the field has separate lines that can be removed.
func (f *field) isBlock() error {
	text := f.file.Text
	f.column = f.key.From - lineStart(text, f.key.From)
	switch {
	case f.key.Start != f.span.Start || strings.Trim(text[f.key.From-f.column:f.key.From], " ") != "":
		return f.refuse("its line contains something else")
	case f.value.IsScalar() && strings.Contains(f.template.Text[f.value.Span().Start:f.value.Span().End], "\n"):
		return f.refuse("its value is a multi-line string")
	case !f.value.IsScalar() && f.value.Style()&yaml.FlowStyle != 0 && strings.Contains(f.template.Text[f.span.Start:f.span.End], "\n"):
		return f.refuse("its value is in braces on several lines")
	}
	return nil
}

// check compares the found lines with the rendered text: they wrote the complete field and nothing else, and the template
// without them is the same.
func (f *field) check(span manifest.Span) error {
	keys := map[int]int{} // by parent: the key to which the preceding piece belongs
	for i, piece := range f.template.Pieces {
		if piece.Start == piece.End {
			continue
		}
		inside := piece.Source == f.key.Source && piece.From >= span.Start && piece.To <= span.End
		if inside && f.isKey(f.template, piece) {
			keys[piece.Parent] = i
		}
		key, known := keys[piece.Parent]
		switch {
		case piece.Parent == f.key.Parent && f.overlaps(piece) && !inside:
			return f.refuse("its lines are not contiguous in the template")
		case piece.Parent == f.key.Parent && f.overlaps(piece) && !f.holds(piece):
			return f.refuse("it renders more than this field: " + f.source(piece))
		case inside && strings.HasPrefix(f.source(piece), "#"):
			continue
		case inside && (!known || key == f.index && !f.overlaps(piece)):
			return f.refuse("its lines also render something else: " + f.source(piece))
		case !inside:
			delete(keys, piece.Parent)
		}
	}
	return f.checkRest(span)
}

// source returns the source text of a piece.
func (f *field) source(p render.Piece) string { return f.template.Sources[p.Source].Text[p.From:p.To] }

// overlaps reports whether a piece is partly in the field, and holds whether it is so completely, except for a trailing
// comment.
func (f *field) overlaps(p render.Piece) bool { return p.Start < f.span.End && p.End > f.span.Start }

func (f *field) holds(p render.Piece) bool {
	if p.Start < f.span.Start {
		return false
	}
	rest := ""
	if p.End > f.span.End {
		rest = strings.TrimLeft(f.template.Text[f.span.End:p.End], " \t")
	}
	return strings.TrimSpace(rest) == "" || rest[0] == '#' && !strings.Contains(rest, "\n")
}

// isKey reports whether a piece begins with a key of this name.
func (f *field) isKey(t render.Template, p render.Piece) bool {
	return startsField(t.Sources[p.Source].Text[p.From:p.To], f.name)
}

func startsField(text, name string) bool {
	rest, ok := strings.CutPrefix(text, name)
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " "), ":")
}

// checkRest parses the template without the lines: it must have the same remaining texts and actions.
func (f *field) checkRest(span manifest.Span) error {
	rest, err := source.Parse(f.file.Name, f.file.Text[:span.Start]+f.file.Text[span.End:])
	if err != nil {
		return f.refuse("the template is invalid without its lines: " + err.Error())
	}
	var before strings.Builder
	for _, token := range f.file.Tokens {
		switch {
		case token.Span.End <= span.Start || token.Span.Start >= span.End:
			before.WriteString(f.file.Slice(token.Span))
		case token.Kind == source.Text:
			before.WriteString(f.file.Text[token.Span.Start:max(token.Span.Start, span.Start)])
			before.WriteString(f.file.Text[min(token.Span.End, span.End):token.Span.End])
		case token.Span.Start < span.Start || token.Span.End > span.End:
			return f.refuse("an action begins or ends in its lines")
		}
	}
	var after strings.Builder
	for _, token := range rest.Tokens {
		after.WriteString(rest.Slice(token.Span))
	}
	if withoutBlanks(before.String()) != withoutBlanks(after.String()) {
		return f.refuse("the template has a different meaning without its lines")
	}
	return nil
}

func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }
