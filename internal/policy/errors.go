package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/nearest"
)

// Explain rewrites OPA's errors as salint's: one line per problem with file, line and column, and what to do about it.
// Other errors come back as they are.
func Explain(err error, builtins []*Builtin) error {
	var list ast.Errors
	if !errors.As(err, &list) {
		return err
	}
	var out []error
	for _, e := range list {
		out = append(out, errors.New(place(e)+e.Message+hint(e.Message, builtins)+source(e)))
	}
	return errors.Join(out...)
}

func place(e *ast.Error) string {
	if e.Location == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d: ", e.Location.File, e.Location.Row, e.Location.Col)
}

// hint says what to do about the mistakes that authors make most.
func hint(message string, builtins []*Builtin) string {
	if name, ok := strings.CutPrefix(message, "undefined function "); ok {
		return functionHint(name, builtins)
	}
	switch {
	case strings.HasPrefix(message, "assigned var ") && strings.HasSuffix(message, " unused"):
		return "; remove it, or write _ in its place"
	case strings.Contains(message, "unsafe"):
		return "; give it a value first, with := or some … in"
	}
	return ""
}

func functionHint(name string, builtins []*Builtin) string {
	if isForbidden(name) {
		return "; it is switched off: policies reach no network, file, environment, clock or chance"
	}
	if strings.HasPrefix(name, "data.") {
		return "; is its package imported, and its name spelt right?"
	}
	names := make([]string, 0, len(builtins))
	for _, b := range builtins {
		names = append(names, b.Name)
	}
	if n := nearest.Name(name, names); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// source shows the offending line with a caret where the parser gave up.
func source(e *ast.Error) string {
	if e.Details == nil {
		return ""
	}
	return "\n\t" + strings.Join(e.Details.Lines(), "\n\t")
}
