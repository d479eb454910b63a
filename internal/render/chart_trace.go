package render

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/protocol"
)

// Source is an unrendered template; its fields are those of [Template].
type Source struct {
	Name, File, Inside, Text string

	breaks []int // offsets of the line ends
}

func newSource(name, file, inside, text string) Source {
	s := Source{Name: name, File: file, Inside: inside, Text: text}
	for at := range text {
		if text[at] == '\n' {
			s.breaks = append(s.breaks, at)
		}
	}
	return s
}

// Piece is a part of a rendered text, with the part of a source that wrote it: literal text of one line, or an action.
type Piece struct {
	// Start and End are offsets in the text. Literal text can be changed when it is rendered; see Exact.
	Start, End int
	// Source is an index in Template.Sources, From and To are offsets in it.
	Source, From, To int
	// Parent is the index of the piece of the action that included this one, which precedes it; -1 for pieces of the
	// template itself.
	Parent int
}

// Place is a position in a source.
type Place struct {
	// File and Inside are as in [Template]; Line and Column are 1-based, columns count code points. If the line is unknown
	// it is 0, and File is that of the template.
	File, Inside string
	Line, Column int
}

// IsAction reports whether a piece was written by an action, and not literal text.
func (t Template) IsAction(p Piece) bool {
	return strings.HasPrefix(t.Sources[p.Source].Text[p.From:], "{{")
}

// Exact reports whether a piece is literal text, byte for byte.
func (t Template) Exact(p Piece) bool {
	return t.Text[p.Start:p.End] == t.Sources[p.Source].Text[p.From:p.To] && !t.IsAction(p)
}

// At returns the index of the innermost piece that contains a byte of the text; -1 if it is unknown, or a blank between
// pieces.
func (t Template) At(offset int) int {
	i := sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].Start > offset }) - 1
	for i >= 0 && t.Pieces[i].End <= offset {
		// Either it ends before, and so do the pieces in it; or its parent can contain the byte.
		if i = t.Pieces[i].Parent; i < 0 {
			return -1
		}
	}
	return i
}

// Place returns the position that wrote a byte of the text: the line of literal text, or of the action, in the template or
// in an included one. For a blank it is the position of what follows in the line.
func (t Template) Place(offset int) Place {
	offset += len(t.Text[offset:]) - len(strings.TrimLeft(t.Text[offset:], " \t"))
	if t.plain != nil {
		return t.plain.place(offset)
	}
	i := t.At(offset)
	if i < 0 {
		return Place{File: t.File, Inside: t.Inside}
	}
	piece := t.Pieces[i]
	at := piece.From
	if t.Exact(piece) {
		at += offset - piece.Start
	}
	return t.Sources[piece.Source].place(at)
}

// Origin returns the part of one source that wrote a span of the text. It begins at Place, and ends where the source of the
// span's end does if that is later in the same source, otherwise with the line or action in which it begins. It is false if
// the source is unknown.
func (t Template) Origin(span manifest.Span) (source Source, at manifest.Span, ok bool) {
	if t.plain != nil {
		return *t.plain, span, true
	}
	first := t.At(span.Start)
	if first < 0 {
		return Source{}, manifest.Span{}, false
	}
	piece := t.Pieces[first]
	source, at = t.Sources[piece.Source], manifest.Span{Start: piece.From, End: piece.To}
	if t.Exact(piece) {
		at.Start += span.Start - piece.Start
	}
	if last := t.At(span.End - 1); last >= 0 {
		if end := t.endIn(last, piece, span.End); end > at.Start {
			at.End = end
		}
	}
	at.End = at.Start + len(strings.TrimRight(source.Text[at.Start:at.End], " \t\r\n"))
	return source, at, true
}

// endIn returns the end of the piece of the last byte, in the template of another piece; 0 if it is in none.
func (t Template) endIn(last int, first Piece, end int) int {
	for ; last >= 0; last = t.Pieces[last].Parent {
		piece := t.Pieces[last]
		switch {
		case piece.Source != first.Source || piece.Parent != first.Parent:
			continue
		case t.Exact(piece):
			return piece.From + end - piece.Start
		}
		return piece.To
	}
	return 0
}

// own is [Template.Place] in the template itself: for an included text it is the position of the include.
func (t Template) own(offset int) Place {
	if t.plain != nil {
		return t.plain.place(offset)
	}
	i := t.At(offset)
	if i < 0 {
		return Place{File: t.File, Inside: t.Inside}
	}
	for t.Pieces[i].Parent >= 0 {
		i = t.Pieces[i].Parent
	}
	return t.Sources[t.Pieces[i].Source].place(t.Pieces[i].From)
}

// Lines returns the position that wrote the start of each line of the text, as Place does. That of blank lines is zero.
func (t Template) Lines() []Place {
	var places []Place
	at := 0
	for line := range strings.Lines(t.Text) {
		if strings.TrimSpace(line) == "" {
			places = append(places, Place{File: t.File, Inside: t.Inside})
		} else {
			places = append(places, t.Place(at))
		}
		at += len(line)
	}
	return places
}

func (s Source) place(offset int) Place {
	line, start := sort.SearchInts(s.breaks, offset), 0
	if line > 0 {
		start = s.breaks[line-1] + 1
	}
	return Place{File: s.File, Inside: s.Inside, Line: line + 1, Column: utf8.RuneCountInString(s.Text[start:offset]) + 1}
}

// traced converts the trace of the child, and ignores inconsistent parts.
func traced(from parts, result *protocol.Result) []Template {
	var sources []Source
	for _, s := range result.Sources {
		sources = append(sources, newSource(s.Name, from.place(s.File), s.Inside, s.Text))
	}
	templates := make([]Template, len(result.Templates))
	for i, t := range result.Templates {
		templates[i] = Template{Name: t.Name, File: from.place(t.File), Inside: t.Inside, Source: t.Source, Text: t.Text,
			CRD: t.CRD, Sources: sources, Traced: t.Traced}
		if templates[i].isPlain() {
			plain := newSource(t.Name, templates[i].File, "", t.Text)
			templates[i].plain = &plain
		}
		for _, p := range t.Pieces {
			piece := Piece{Start: p[protocol.PieceStart], End: p[protocol.PieceEnd], Source: p[protocol.PieceSource],
				From: p[protocol.PieceFrom], To: p[protocol.PieceTo], Parent: p[protocol.PieceParent]}
			if !fits(piece, templates[i]) {
				templates[i].Pieces, templates[i].Traced = nil, false
				break
			}
			templates[i].Pieces = append(templates[i].Pieces, piece)
		}
	}
	return templates
}

func fits(p Piece, t Template) bool {
	return p.Start >= 0 && p.Start <= p.End && p.End <= len(t.Text) && p.Source >= 0 && p.Source < len(t.Sources) &&
		p.From >= 0 && p.From < p.To && p.To <= len(t.Sources[p.Source].Text) && p.Parent >= -1 && p.Parent < len(t.Pieces)
}
