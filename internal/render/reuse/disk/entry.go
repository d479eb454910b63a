package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/render/reuse"
)

// header begins every entry. The number is that of the format.
const header = "salint build 1\n"

var errDamaged = errors.New("the entry is damaged")

// encode returns the file of an entry: the header, the checksum of the rest, and the entry in JSON.
func encode(e reuse.Entry) ([]byte, error) {
	body := bytes.Buffer{}
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body.Bytes())
	return append(fmt.Appendf(nil, "%s%x\n", header, sum), body.Bytes()...), nil
}

// decode reads the file of an entry.
func decode(data []byte) (e reuse.Entry, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(header))
	sum, body, more := bytes.Cut(rest, []byte("\n"))
	if !ok || !more {
		return e, errDamaged
	}
	actual := sha256.Sum256(body)
	if string(sum) != hex.EncodeToString(actual[:]) {
		return e, errDamaged
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil || decoder.More() {
		return e, errDamaged
	}
	if e.Result == nil || e.Result.Error != nil {
		return e, errDamaged
	}
	return e, nil
}

const (
	digits = 32 // of each digest in a name
	suffix = ".build"
)

// nameOf returns the name of the file of an entry: its request, and all that it depends on.
func nameOf(e reuse.Entry) string {
	h := sha256.New()
	for _, r := range e.Read {
		fmt.Fprintf(h, "%t %q %x\n", r.Query.Read, r.Query.Path, r.Answer)
	}
	return requestOf(e.Request) + "-" + hex.EncodeToString(h.Sum(nil))[:digits] + suffix
}

// requestOf returns the part of names that all entries of a request have.
func requestOf(request reuse.Digest) string { return hex.EncodeToString(request[:])[:digits] }

// isName reports whether a file has the name of an entry.
func isName(name string) bool {
	if len(name) != 2*digits+1+len(suffix) || name[digits] != '-' || name[2*digits+1:] != suffix {
		return false
	}
	_, errRequest := hex.DecodeString(name[:digits])
	_, errRead := hex.DecodeString(name[digits+1 : 2*digits+1])
	return errRequest == nil && errRead == nil
}
