package block

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// Document returns the part of a template that wrote a whole document of its text, and everything else that is inside the same
// separators. The error is a *RefusedError.
func (r *Reader) Document(t render.Template, doc *manifest.Document) (Origin, error) {
	refuse := func(reason string) error { return &RefusedError{t.Place(doc.Root.Span().Start), reason} }
	pieces := topPieces(t, doc.Root.Span())
	if len(pieces) == 0 {
		return Origin{}, refuse("the template line that wrote it is unknown, because the template processes its own text")
	}
	own := t.Sources[pieces[0].Source]
	file, err := r.file(own)
	if err != nil {
		return Origin{}, refuse(err.Error())
	}
	var offsets []int
	for _, piece := range pieces {
		offsets = append(offsets, piece.From)
	}
	span, err := file.Document(offsets)
	if err != nil {
		return Origin{}, refuse(err.Error())
	}
	f := &field{template: t, file: file, span: doc.Root.Span()}
	if err := f.checkWithout(span); err != nil {
		return Origin{}, err
	}
	return Origin{Source: own, Span: span, Scope: file.Scope(offsets[0]), Key: offsets[0]}, nil
}

// checkWithout returns an error if the template is invalid without a document.
func (f *field) checkWithout(document manifest.Span) error {
	removed, _ := f.file.WithoutDocuments([]manifest.Span{document})
	var rest strings.Builder
	at := 0
	for _, span := range removed {
		rest.WriteString(f.file.Text[at:span.Start])
		at = span.End
	}
	rest.WriteString(f.file.Text[at:])
	if _, err := source.Parse(f.file.Name, rest.String()); err != nil {
		return f.refuse("the template is invalid without its lines: " + err.Error())
	}
	return nil
}

// Writes reports whether lines that [Reader.Document] returned wrote a document of a template's text.
func (r *Reader) Writes(lines Origin, t render.Template, doc *manifest.Document) bool {
	for _, piece := range topPieces(t, doc.Root.Span()) {
		s := t.Sources[piece.Source]
		if s.File == lines.Source.File && s.Inside == lines.Source.Inside && piece.From >= lines.Span.Start && piece.To <= lines.Span.End {
			return true
		}
	}
	return false
}

// topPieces returns the pieces of the template itself that wrote a part of a span of its text.
func topPieces(t render.Template, span manifest.Span) []render.Piece {
	var found []render.Piece
	for _, piece := range t.Pieces {
		if piece.Parent < 0 && piece.Start < piece.End && piece.Start < span.End && piece.End > span.Start {
			found = append(found, piece)
		}
	}
	return found
}

// Item returns the lines that wrote exactly an item of a list, with the comments directly above. The list is in block style, and
// keeps other items. The error is a *RefusedError.
func (r *Reader) Item(t render.Template, doc *manifest.Document, list manifest.Path, index int) (Origin, error) {
	items := doc.Root.Lookup(list).Items()
	item := items[index]
	start := strings.LastIndexByte(t.Text[:item.Span().Start], '\n') + 1
	start += len(t.Text[start:]) - len(strings.TrimLeft(t.Text[start:], " "))
	f := &field{template: t, index: t.At(start), value: item, span: manifest.Span{Start: start, End: item.Span().End}}
	line, _, _ := strings.Cut(t.Text[start:], ":")
	if f.name = line; f.index < 0 || !strings.HasPrefix(line, "- ") || strings.Contains(line, "\n") {
		return Origin{}, f.refuse("the list is not written with one item in each line that begins with a dash")
	}
	if f.key = t.Pieces[f.index]; t.IsAction(f.key) || f.key.Start != start {
		return Origin{}, f.refuse("it is not written in the template, but rendered by " + f.source(f.key))
	}
	file, err := r.file(t.Sources[f.key.Source])
	if err != nil {
		return Origin{}, f.refuse(err.Error())
	}
	f.file = file
	f.column = f.key.From - lineStart(file.Text, f.key.From)
	if strings.Trim(file.Text[f.key.From-f.column:f.key.From], " ") != "" {
		return Origin{}, f.refuse("its line contains something else")
	}
	span, err := f.extent()
	if err != nil {
		return Origin{}, err
	}
	span = f.withEmptyBlocks(f.withComments(span))
	if err := f.check(span); err != nil {
		return Origin{}, err
	}
	o, err := r.origin(t, f.key, f.file, span)
	o.name = f.name
	return o, err
}

// withEmptyBlocks adds the surrounding if and with blocks that contain nothing else.
func (f *field) withEmptyBlocks(span manifest.Span) manifest.Span {
	text := f.file.Text
	for range maxGuards {
		guards := f.file.Scope(span.Start).Guards
		if len(guards) == 0 {
			return span
		}
		guard := guards[len(guards)-1]
		end := f.file.Tokens[f.file.TokenAt(guard.Span.End-1)].Span.Start
		start, behind := lineStart(text, guard.Span.Start), f.lineEnd(guard.Span.End)
		around := text[start:guard.Span.Start] + text[guard.Span.End:behind]
		if guard.Word != "if" && guard.Word != "with" || end < span.End ||
			strings.TrimSpace(text[f.inner(guard.Span):span.Start]+text[span.End:end]+around) != "" {
			return span
		}
		span = manifest.Span{Start: start, End: behind}
	}
	return span
}
