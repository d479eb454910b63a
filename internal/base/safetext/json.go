package safetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes a value as indented JSON. Bytes that are not UTF-8 become U+FFFD, and characters that a terminal would
// execute or hide are written as \u escapes: the same value to a program, and harmless when the file is printed.
func JSON(w io.Writer, value any) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out := escapeUnprintable(buffer.Bytes())
	out = bytes.ReplaceAll(out, []byte(RunnerCommand), []byte(`##\u005b`))
	_, err := w.Write(out)
	return err
}

// JSONLine writes a value like JSON does, in one line.
func JSONLine(w io.Writer, value any) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out := bytes.ReplaceAll(escapeUnprintable(buffer.Bytes()), []byte(RunnerCommand), []byte(`##\u005b`))
	_, err := w.Write(out)
	return err
}

// escapeUnprintable expects encoded JSON, in which characters beyond ASCII occur inside strings only.
func escapeUnprintable(encoded []byte) []byte {
	if isASCII(encoded) {
		return encoded
	}
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		switch {
		case r < utf8.RuneSelf && r != 0x7f || strconv.IsPrint(r):
			out = append(out, encoded[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		encoded = encoded[size:]
	}
	return out
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f {
			return false
		}
	}
	return true
}
