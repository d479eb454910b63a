package reuse

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"

	"github.com/salint/salint/internal/render/protocol"
)

// Digest identifies a request or an answer by its contents.
type Digest [sha256.Size]byte

// MarshalText returns the digest as hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads hexadecimal digits.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return errors.New("a digest has 64 hexadecimal digits")
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// DigestOf returns the digest of an answer. Lengths keep its fields apart.
func DigestOf(a protocol.Answer) Digest {
	h := sha256.New()
	part(h, []byte(a.Error))
	part(h, []byte(a.Path))
	part(h, a.Data)
	if a.Dir {
		part(h, []byte("folder"))
	}
	return Digest(h.Sum(nil))
}

func part(h hash.Hash, data []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(data)))
	h.Write(size[:])
	h.Write(data)
}

// requestDigest returns the digest of a request in a scope. It is false for a request that cannot be encoded.
func requestDigest(scope string, r protocol.Request) (Digest, bool) {
	h := sha256.New()
	part(h, []byte(scope))
	encoder := json.NewEncoder(h)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(r) != nil {
		return Digest{}, false
	}
	return Digest(h.Sum(nil)), true
}
