package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// skip reads a value token by token, so that it takes no memory.
func skip(decoder *json.Decoder) error {
	for depth := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// explain returns an error of the decoder in the words of a user. A nil error is one of the form of the report.
func explain(err, otherwise error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return otherwise
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errCutOff
	case errors.As(err, &syntax):
		return fmt.Errorf("is not valid JSON at byte %d: %w", syntax.Offset, syntax)
	case errors.As(err, &wrongType):
		return fmt.Errorf("%w: %s is %s", errNoReport, wrongType.Field, withArticle(wrongType.Value))
	}
	return regular.Cause(err)
}

// inMember adds the name of a member to an error of its type.
func inMember(name string, err error) error {
	var wrongType *json.UnmarshalTypeError
	if !errors.As(err, &wrongType) {
		return err
	}
	named := *wrongType
	path := strings.Split(name+"."+wrongType.Field, ".")
	for i, part := range path { // the decoder has the names of Go for fields
		path[i] = strings.ToLower(part[:min(len(part), 1)]) + part[min(len(part), 1):]
	}
	named.Field = strings.Trim(strings.Join(path, "."), ".")
	return &named
}

// withArticle returns a type of JSON as a sentence names it. The decoder can add the value.
func withArticle(value string) string {
	switch kind, _, _ := strings.Cut(value, " "); kind {
	case "array", "object":
		return "an " + kind
	case "bool":
		return "true or false"
	}
	return "a " + value
}
