package loader

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"

	"github.com/salint/salint/internal/kube/objects"
)

// SearchText returns the text of a file to be searched. UTF-16 is decoded. In manifests, zero bytes do not end the search,
// because a program can read more of a manifest than salint. It is nil for binary files.
func SearchText(file string, data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], binary.BigEndian)
	case bytes.IndexByte(data[:min(len(data), binaryHead)], 0) < 0 && !objects.IsManifestName(file):
		return data
	case !objects.IsManifestName(file):
		return nil
	}
	zeros := bytes.Count(data, []byte{0})
	switch {
	case zeros == 0:
		return data
	case zeros > len(data)/3: // UTF-16 without a byte order mark
		return bytes.ReplaceAll(data, []byte{0}, nil)
	}
	return bytes.ReplaceAll(data, []byte{0}, []byte{' '})
}

// binaryHead is how much of a file is searched for a zero byte, which makes it binary, as for git.
const binaryHead = 8000

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
