package finding

import "fmt"

// Severity is the severity of a finding. Larger is worse, so severities compare with <.
type Severity int

// The severities, from the one that is not reported to the worst.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Note: "note", Warning: "warning", Error: "error"}

// String returns the name that the configuration and reports use.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity returns the severity of a name. The error lists the known names.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return Off, fmt.Errorf("unknown severity %q: use error, warning, note or off", name)
}
