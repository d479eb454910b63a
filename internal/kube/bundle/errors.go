package bundle

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/rendered"
)

// UnsupportedError says why operator-controller would not install a bundle.
type UnsupportedError struct {
	File string
	// Line is 1-based; 0 when the reason has no line.
	Line int
	// Reason is operator-controller's own, in its words; several are on lines of their own.
	Reason string
	// Hint says what to do about it, where the bundle need not be changed; else "".
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

// Reasons that lie in what is not in the bundle.
const (
	noWatchNamespace = `required field "watchNamespace" is missing`
	noPackage        = "package name is empty"
)

var hints = []struct{ reason, hint string }{
	{noWatchNamespace, "it does not watch all namespaces: name the one by spec.config.inline.watchNamespace of the extension; salint preflight and bundle-diff take --watch-namespace as well"},
	{noPackage, "name it in metadata/annotations.yaml of the bundle; salint preflight and bundle-diff take --package as well"},
}

// errorAt puts the place before a message.
func errorAt(at rendered.Origin, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", at.File, at.Line, fmt.Errorf(format, args...))
}
