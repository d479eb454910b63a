package encoding

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

func TestEncodings(t *testing.T) {
	t.Parallel()
	const text = "{\"name\": \"Größe 🦀\"}\r\n"
	encoded := func(order binary.AppendByteOrder) []byte {
		var out []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, unit)
		}
		return out
	}
	little, big := encoded(binary.LittleEndian), encoded(binary.BigEndian)
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"UTF-8":                             {[]byte(text), text},
		"UTF-8 with a mark":                 {append([]byte("\xef\xbb\xbf"), text...), text},
		"UTF-16LE with a mark":              {append([]byte("\xff\xfe"), little...), text},
		"UTF-16BE with a mark":              {append([]byte("\xfe\xff"), big...), text},
		"UTF-16LE":                          {little, text},
		"UTF-16BE":                          {big, text},
		"empty":                             {nil, ""},
		"one byte":                          {[]byte("x"), "x"},
		"half of a pair in UTF-16":          {[]byte("{\x00\x3e\xd8x\x00"), "{\ufffdx"},
		"half of a pair at the end":         {[]byte("{\x00\x3e\xd8"), "{\ufffd"},
		"bytes that are no text stay bytes": {[]byte("\x80\x81"), "\x80\x81"},
	} {
		if diff := cmp.Diff(test.want, string(UTF8(test.data))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		read, err := io.ReadAll(NewReader(iotest.OneByteReader(bytes.NewReader(test.data))))
		if diff := cmp.Diff(test.want, string(read)); err != nil || diff != "" {
			t.Errorf("%s, read in parts: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if _, err := io.ReadAll(NewReader(bytes.NewReader([]byte("{\x00}")))); err == nil {
		t.Error("half of a character is read without an error")
	}
}
