package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/agnivade/levenshtein"
)

// nearest is the candidate that looks most like the name; candidates must not be empty.
func nearest(name string, candidates []string) string {
	best, distance := "", -1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(name, c); distance < 0 || d < distance {
			best, distance = c, d
		}
	}
	return best
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// fieldOf is the key that a JSON decoding error is about, for finding its line.
func fieldOf(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field, _, _ := strings.Cut(wrong.Field, ".")
		return field
	}
	return "custom"
}

// plainJSONError says what is wrong in the words of YAML rather than of Go.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s cannot be a %s", wrong.Field, wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
