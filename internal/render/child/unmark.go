package child

import (
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/render/wire"
)

// hasMarks tells whether a text has letters that markers are made of.
func hasMarks(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= firstMark && r <= lastMark })
}

// unmark takes the markers out of a rendered text. It gives the pieces that they enclose when what is left is the text that
// was rendered without them, and every marker that opens a piece has its other half where it belongs.
func unmark(marked, plain string, pieces []markable) ([]wire.Piece, bool) {
	var found []wire.Piece
	var open []int // into found
	at := 0
	for len(marked) > 0 {
		r, size := utf8.DecodeRuneInString(marked)
		if r != openMark && r != closeMark {
			if at >= len(plain) || marked[:size] != plain[at:min(at+size, len(plain))] {
				return nil, false
			}
			at, marked = at+size, marked[size:]
			continue
		}
		number, length, ok := readMark(marked[size:])
		if !ok || number >= len(pieces) {
			return nil, false
		}
		marked = marked[size+length:]
		if r == openMark {
			parent := -1
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			piece := pieces[number]
			open = append(open, len(found))
			found = append(found, wire.Piece{at, at, piece.source, piece.span.Start, piece.span.End, parent})
			continue
		}
		if len(open) == 0 {
			return nil, false
		}
		last := &found[open[len(open)-1]]
		if piece := pieces[number]; last[wire.PieceSource] != piece.source || last[wire.PieceFrom] != piece.span.Start {
			return nil, false
		}
		last[wire.PieceEnd] = at
		open = open[:len(open)-1]
	}
	return found, at == len(plain) && len(open) == 0
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
