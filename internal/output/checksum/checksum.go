// Package checksum computes the checksum of a JSON report over its values: a program that sorts keys or changes white space keeps it.
package checksum

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// Key is the key of the checksum in a report. It is not part of the sum.
const Key = "checksum"

// prefix names the hash in the value of the key.
const prefix = "sha256:"

// Sum is the checksum of the members of one object, in any order.
type Sum struct {
	values map[string][sha256.Size]byte
	lists  map[string]hash.Hash
}

// List begins a member that is a list, whose items are added by Item.
func (s *Sum) List(key string) {
	if s.lists == nil {
		s.lists = map[string]hash.Hash{}
	}
	s.lists[key] = sha256.New()
}

// Item adds the next item of a list.
func (s *Sum) Item(key string, item json.RawMessage) error {
	sum, err := sumOf(item)
	if err == nil {
		s.lists[key].Write(sum[:])
	}
	return err
}

// Value adds a member. The error is that of JSON which cannot be decoded.
func (s *Sum) Value(key string, value json.RawMessage) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return err
		}
		s.List(key)
		for _, item := range items {
			if err := s.Item(key, item); err != nil {
				return err
			}
		}
		return nil
	}
	sum, err := sumOf(value)
	if s.values == nil {
		s.values = map[string][sha256.Size]byte{}
	}
	s.values[key] = sum
	return err
}

// String returns the checksum of all members but the checksum itself.
func (s *Sum) String() string {
	all := maps.Clone(s.values)
	if all == nil {
		all = map[string][sha256.Size]byte{}
	}
	for key, list := range s.lists {
		all[key] = sha256.Sum256(append([]byte("["), list.Sum(nil)...))
	}
	delete(all, Key)
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(sum, "%d\x00%s\x00%x\n", len(key), key, all[key])
	}
	return prefix + hex.EncodeToString(sum.Sum(nil))
}

// sumOf returns the hash of a value in the form that has sorted keys and no white space.
func sumOf(value json.RawMessage) (sum [sha256.Size]byte, err error) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber() // a number keeps its digits
	var decoded any
	if err := decoder.Decode(&decoded); err != nil {
		return sum, err
	}
	canonical, err := json.Marshal(decoded)
	return sha256.Sum256(canonical), err
}

// Of returns the checksum of a report.
func Of(report []byte) (string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(report, &members); err != nil {
		return "", err
	}
	if members == nil {
		return "", errors.New("a report is an object")
	}
	var s Sum
	for key, value := range members {
		if err := s.Value(key, value); err != nil {
			return "", err
		}
	}
	return s.String(), nil
}
