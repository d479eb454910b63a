package mark

import (
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/render/protocol"
)

// HasMarks reports whether a text contains letters of markers.
func HasMarks(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= firstMark && r <= lastMark })
}

// Unmark removes the markers from a rendered text and returns the pieces that they enclose. It is false if the rest differs
// from the text that was rendered without markers, or if an opening marker has no matching end.
func Unmark(marked, plain string, pieces []Piece) ([]protocol.Piece, bool) {
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

// remover is the state of removing markers, at an offset of the text without markers.
type remover struct {
	pieces []Piece
	found  []protocol.Piece
	open   []int // indexes in found
	at     int
}

func (r *remover) begin(number int) {
	parent := -1
	if len(r.open) > 0 {
		parent = r.open[len(r.open)-1]
	}
	r.open = append(r.open, len(r.found))
	piece := r.pieces[number]
	r.found = append(r.found, protocol.Piece{r.at, r.at, piece.Source, piece.Span.Start, piece.Span.End, parent})
}

// end reports whether the piece that ends is the last one that began.
func (r *remover) end(number int) bool {
	if len(r.open) == 0 {
		return false
	}
	last, piece := &r.found[r.open[len(r.open)-1]], r.pieces[number]
	if last[protocol.PieceSource] != piece.Source || last[protocol.PieceFrom] != piece.Span.Start {
		return false
	}
	last[protocol.PieceEnd] = r.at
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
