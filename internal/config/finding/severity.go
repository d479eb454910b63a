package finding

import "fmt"

// Severity is how bad a finding is. Larger is worse, so severities compare with <.
type Severity int

// The severities, from the one that reports nothing to the worst.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Note: "note", Warning: "warning", Error: "error"}

// String gives the name used in the configuration and in reports.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a severity by its name.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return Off, fmt.Errorf("unknown severity %q: use error, warning, note or off", name)
}
