// Package encoding reads text in the encodings that PowerShell writes: UTF-8 with a byte order mark, and UTF-16.
package encoding

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// mark is the byte order mark in UTF-8.
var mark = []byte{0xef, 0xbb, 0xbf}

// UTF8 returns a text as UTF-8 without a byte order mark. Text without a mark is UTF-16 if one of its first two bytes is zero.
func UTF8(data []byte) []byte {
	order, skip := orderOf(data)
	if order == nil {
		return data[skip:]
	}
	units := make([]uint16, 0, len(data)/2)
	for rest := data[skip:]; len(rest) >= 2; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	return []byte(string(utf16.Decode(units)))
}

// orderOf returns the byte order of UTF-16, nil for UTF-8, and the length of the mark.
func orderOf(start []byte) (order binary.ByteOrder, skip int) {
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}):
		return binary.LittleEndian, 2
	case bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return binary.BigEndian, 2
	case bytes.HasPrefix(start, mark):
		return nil, len(mark)
	case len(start) < 2:
		return nil, 0
	case start[0] != 0 && start[1] == 0:
		return binary.LittleEndian, 0
	case start[0] == 0 && start[1] != 0:
		return binary.BigEndian, 0
	}
	return nil, 0
}

// NewReader returns a reader of the same text as UTF-8 without a byte order mark.
func NewReader(r io.Reader) io.Reader {
	buffered := bufio.NewReader(r)
	start, _ := buffered.Peek(len(mark)) // an error is that of the next read
	order, skip := orderOf(start)
	if _, err := buffered.Discard(skip); err != nil || order == nil {
		return buffered
	}
	return &utf16Reader{in: buffered, order: order}
}

// utf16Reader converts UTF-16 while it is read.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	left  []byte // converted and not read
	err   error
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.left) < len(p) {
		var c rune
		if r.err == nil {
			c, r.err = r.next()
		}
		if r.err != nil {
			break
		}
		r.left = utf8.AppendRune(r.left, c)
	}
	n := copy(p, r.left)
	r.left = append(r.left[:0], r.left[n:]...)
	if n == 0 && len(p) > 0 {
		return 0, r.err
	}
	return n, nil
}

// next reads one character. Half of a pair is U+FFFD.
func (r *utf16Reader) next() (rune, error) {
	var unit [2]byte
	if _, err := io.ReadFull(r.in, unit[:]); err != nil {
		return 0, err
	}
	c := rune(r.order.Uint16(unit[:]))
	if !utf16.IsSurrogate(c) {
		return c, nil
	}
	second, err := r.in.Peek(2)
	if err != nil {
		return utf8.RuneError, nil
	}
	pair := utf16.DecodeRune(c, rune(r.order.Uint16(second)))
	if pair != utf8.RuneError {
		_, err = r.in.Discard(2)
	}
	return pair, err
}
