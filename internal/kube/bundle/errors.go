package bundle

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/rendered"
)

// UnsupportedError describes why operator-controller would not install a bundle.
type UnsupportedError struct {
	File string
	// Line is 1-based; 0 if the reason has no line.
	Line int
	// Reason is operator-controller's own message; several are on separate lines.
	Reason string
	// Hint is the remedy if the bundle need not be changed; otherwise "".
	Hint string
}

func (e *UnsupportedError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	text := fmt.Sprintf("%s: operator-controller refuses this bundle: %s", where, strings.ReplaceAll(e.Reason, "\n", "; "))
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

func unsupported(at rendered.Origin, reasons ...string) error {
	e := &UnsupportedError{File: at.File, Line: at.Line, Reason: strings.Join(reasons, "\n")}
	for _, known := range hints {
		if strings.Contains(e.Reason, known.reason) {
			e.Hint = known.hint
		}
	}
	return e
}

// Reasons that do not lie in the bundle.
const (
	noWatchNamespace = `required field "watchNamespace" is missing`
	noPackage        = "package name is empty"
)

var hints = []struct{ reason, hint string }{
	{noWatchNamespace, "the operator does not watch all namespaces: set spec.config.inline.watchNamespace of the extension, or pass --watch-namespace to salint preflight or bundle-diff"},
	{noPackage, "set it in metadata/annotations.yaml of the bundle, or pass --package to salint preflight or bundle-diff"},
}

// errorAt adds the position before a message.
func errorAt(at rendered.Origin, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", at.File, at.Line, fmt.Errorf(format, args...))
}
