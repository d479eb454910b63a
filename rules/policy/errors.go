package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/salint/salint/internal/base/nearest"
)

// Explain rewrites OPA's errors as salint's: one line per problem with file, line, and column, and the remedy. Other
// errors, and nil, are returned unchanged.
func Explain(err error, builtins []*Builtin) error {
	var list ast.Errors
	if !errors.As(err, &list) {
		return err
	}
	var out []error
	for _, e := range list {
		out = append(out, errors.New(place(e.Location)+e.Message+hint(e.Message, builtins)+source(e)))
	}
	return errors.Join(out...)
}

// explainRuntime does the same for an error that ended an evaluation.
func explainRuntime(err error) error {
	var e *topdown.Error
	if !errors.As(err, &e) {
		return err
	}
	return errors.New(place(e.Location) + e.Message)
}

func place(l *ast.Location) string {
	if l == nil {
		return ""
	}
	// At the end of the file the parser reports no column.
	return fmt.Sprintf("%s:%d:%d: ", l.File, l.Row, max(l.Col, 1))
}

// hint returns the remedy for frequent mistakes.
func hint(message string, builtins []*Builtin) string {
	if name, ok := strings.CutPrefix(message, "undefined function "); ok {
		return functionHint(name, builtins)
	}
	switch {
	case strings.HasPrefix(message, "undefined ref: input."):
		return "; `salint schema input` shows what a rule gets"
	case strings.HasPrefix(message, "assigned var ") && strings.HasSuffix(message, " unused"):
		return "; remove it, or write _ in its place"
	case strings.Contains(message, "unsafe"):
		return "; give it a value first, with := or some … in"
	}
	return ""
}

func functionHint(name string, builtins []*Builtin) string {
	if isForbidden(name) {
		return "; it is switched off: policies have no access to network, files, environment, clock, or random numbers"
	}
	if strings.HasPrefix(name, "data.") {
		return "; check the import of its package and the spelling of its name"
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

// source shows the invalid line with a caret at the parser's position.
func source(e *ast.Error) string {
	if e.Details == nil {
		return ""
	}
	return "\n\t" + strings.Join(e.Details.Lines(), "\n\t")
}
