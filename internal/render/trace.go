package render

import (
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/wire"
)

// Source is a template as it was written; its fields are those of [Template].
type Source struct {
	Name, File, Inside, Text string

	breaks []int // where its lines end
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

// Piece is a stretch of a rendered text, and the stretch of a source that wrote it: literal text of one line, or an action.
type Piece struct {
	// Start and End are bytes of the text. Literal text may have been changed on its way; see Exact.
	Start, End int
	// Source is an index into Template.Sources, From and To are bytes of that.
	Source, From, To int
	// Parent is the index of the piece of the action that this one was included by, which stands before it; -1 for what
	// the template itself wrote.
	Parent int
}

// Place is a place in a source.
type Place struct {
	// File and Inside are as in [Template]; Line and Column are 1-based, columns count code points. Where the line is not known
	// it is 0, and File that of the template.
	File, Inside string
	Line, Column int
}

// IsAction tells whether a piece was written by an action rather than being literal text.
func (t Template) IsAction(p Piece) bool {
	return strings.HasPrefix(t.Sources[p.Source].Text[p.From:], "{{")
}

// Exact tells whether a piece is literal text, byte for byte.
func (t Template) Exact(p Piece) bool {
	return t.Text[p.Start:p.End] == t.Sources[p.Source].Text[p.From:p.To] && !t.IsAction(p)
}

// At is the index of the innermost piece that holds a byte of the text; -1 where that is not known, or a blank between the
// pieces.
func (t Template) At(offset int) int {
	i := sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].Start > offset }) - 1
	for i >= 0 && t.Pieces[i].End <= offset {
		// Either it ends before, and so do those in it; or those around it may hold the byte.
		if i = t.Pieces[i].Parent; i < 0 {
			return -1
		}
	}
	return i
}

// Place says where a byte of the text came from: the line of literal text, or of the action, in the template or in one that
// it includes. On a blank it is the place of what follows in the line.
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

// Origin says where a stretch of the text came from: a stretch of one source, which begins as Place says. It ends with what
// wrote the end of the text where that stands behind it in the same source, else with the line or action that it begins in. It
// is not ok where that is not known.
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

// endIn is where the piece of the last byte ends, in the template that another piece stands in; 0 where it is in none.
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

// own is [Template.Place] in the template itself: where it includes another, the place where it does.
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

// Lines says for each line of the text where it came from, as Place does for its beginning. Blank lines came from nowhere.
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

// traced reads what the child found out, and believes only what fits.
func traced(dir string, result *wire.Result) []Template {
	var sources []Source
	for _, s := range result.Sources {
		sources = append(sources, newSource(s.Name, path.Join(dir, s.File), s.Inside, s.Text))
	}
	templates := make([]Template, len(result.Templates))
	for i, t := range result.Templates {
		templates[i] = Template{Name: t.Name, File: path.Join(dir, t.File), Inside: t.Inside, Source: t.Source, Text: t.Text,
			CRD: t.CRD, Sources: sources, Traced: t.Traced}
		if templates[i].isPlain() {
			plain := newSource(t.Name, templates[i].File, "", t.Text)
			templates[i].plain = &plain
		}
		for _, p := range t.Pieces {
			piece := Piece{Start: p[wire.PieceStart], End: p[wire.PieceEnd], Source: p[wire.PieceSource],
				From: p[wire.PieceFrom], To: p[wire.PieceTo], Parent: p[wire.PieceParent]}
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
