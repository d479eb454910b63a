package bundle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/bundlesupport"
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

// Refusal returns the [*UnsupportedError] about obstacles of a bundle; nil if a gate removes all of them.
func Refusal(at rendered.Origin, obstacles []bundlesupport.Obstacle) error {
	if !slices.ContainsFunc(obstacles, isHard) {
		return nil
	}
	var reasons, remedies []string
	add := func(list []string, text string) []string {
		if text == "" || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for _, o := range obstacles {
		if o.Installs {
			continue
		}
		reasons, remedies = add(reasons, o.Reason), add(remedies, o.Remedy)
		if strings.HasSuffix(o.Remedy, toWatch) {
			remedies = add(remedies, "or pass --watch-namespace to salint preflight")
		}
	}
	return &UnsupportedError{File: at.File, Line: at.Line, Reason: strings.Join(reasons, "\n"), Hint: strings.Join(remedies, "; ")}
}

// toWatch ends the remedies that set the namespace to watch.
const toWatch = ", because the operator does not watch all namespaces"

// Reasons that do not lie in the bundle.
const (
	noWatchNamespace = `required field "watchNamespace" is missing`
	noPackage        = "package name is empty"
)

// errorAt adds the position before a message.
func errorAt(at rendered.Origin, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", at.File, at.Line, fmt.Errorf(format, args...))
}
