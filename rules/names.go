package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
)

// suggestion suggests the known name that was probably meant, or lists them all.
func suggestion(name string, known []string) string {
	if n := nearest.Name(name, known); n != "" {
		return "did you mean " + n + "?"
	}
	return "valid are " + strings.Join(known, ", ")
}

// fieldOf returns the key that a JSON decoding error is about, for finding its line.
func fieldOf(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field, _, _ := strings.Cut(wrong.Field, ".")
		return field
	}
	return "custom"
}

// plainJSONError describes an error in terms of YAML instead of Go.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s cannot be a %s", wrong.Field, wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
