package mark

import (
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/render/wire"
)

// HasMarks tells whether a text has letters that markers are made of.
func HasMarks(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= firstMark && r <= lastMark })
}

// Unmark takes the markers out of a rendered text. It gives the pieces that they enclose when what is left is the text that
// was rendered without them, and every marker that opens a piece has its other half where it belongs.
func Unmark(marked, plain string, pieces []Piece) ([]wire.Piece, bool) {
	r := &remover{pieces: pieces}
	for len(marked) > 0 {
		letter, size := utf8.DecodeRuneInString(marked)
		if letter != openMark && letter != closeMark {
			if !strings.HasPrefix(plain[r.at:], marked[:size]) {
				return nil, false
			}
			r.at, marked = r.at+size, marked[size:]
			continue
		}
		number, length, ok := readMark(marked[size:])
		if !ok || number >= len(pieces) {
			return nil, false
		}
		if letter == openMark {
			r.begin(number)
		} else if !r.end(number) {
			return nil, false
		}
		marked = marked[size+length:]
	}
	if r.at != len(plain) || len(r.open) > 0 {
		return nil, false
	}
	return r.found, true
}

// remover is on its way through a text, at a byte of what is left without markers.
type remover struct {
	pieces []Piece
	found  []wire.Piece
	open   []int // into found
	at     int
}

func (r *remover) begin(number int) {
	parent := -1
	if len(r.open) > 0 {
		parent = r.open[len(r.open)-1]
	}
	r.open = append(r.open, len(r.found))
	piece := r.pieces[number]
	r.found = append(r.found, wire.Piece{r.at, r.at, piece.Source, piece.Span.Start, piece.Span.End, parent})
}

// end tells whether the piece that ends is the last that began.
func (r *remover) end(number int) bool {
	if len(r.open) == 0 {
		return false
	}
	last, piece := &r.found[r.open[len(r.open)-1]], r.pieces[number]
	if last[wire.PieceSource] != piece.Source || last[wire.PieceFrom] != piece.Span.Start {
		return false
	}
	last[wire.PieceEnd] = r.at
	r.open = r.open[:len(r.open)-1]
	return true
}

func readMark(text string) (number, length int, ok bool) {
	for i, factor := 0, 1; i < digits; i, factor = i+1, factor*base {
		r, size := utf8.DecodeRuneInString(text[length:])
		if r < zeroMark || r >= zeroMark+base {
			return 0, 0, false
		}
		number += int(r-zeroMark) * factor
		length += size
	}
	return number, length, true
}
