package bundle

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/rendered"
)

// UnsupportedError says why operator-controller would not install a bundle.
type UnsupportedError struct {
	File string
	// Line is 1-based; 0 when the reason has no line.
	Line int
	// Reason is operator-controller's own, in its words; several are on lines of their own.
	Reason string
}

func (e *UnsupportedError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s: operator-controller refuses this bundle: %s", where, strings.ReplaceAll(e.Reason, "\n", "; "))
}

func unsupported(at rendered.Origin, reasons ...string) error {
	return &UnsupportedError{File: at.File, Line: at.Line, Reason: strings.Join(reasons, "\n")}
}

// errorAt puts the place before a message.
func errorAt(at rendered.Origin, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", at.File, at.Line, fmt.Errorf(format, args...))
}
