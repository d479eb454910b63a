package finding

import (
	"fmt"
	"time"
)

// SuppressedBy is what silences a finding.
type SuppressedBy string

const (
	// ByComment is a comment `# salint:ignore` or `# salint:ignore-file`.
	ByComment SuppressedBy = "comment"
	// ByAnnotation is the annotation `salint/ignore` of the object.
	ByAnnotation SuppressedBy = "annotation"
	// ByBaseline is a baseline.
	ByBaseline SuppressedBy = "baseline"
)

// Suppression is why a finding is not reported.
type Suppression struct {
	By SuppressedBy
	// File and Line are the place of the comment or the annotation, relative to the root of the repository, or the baseline without
	// a line. A baseline outside of the repository is "".
	File string
	Line int
	// Until is the last day on which a comment applies; zero means that it does not expire.
	Until time.Time
	// Reason is the reason that a comment gives, or "".
	Reason string
}

// Description says what silences a finding, and until when. File is that of the suppression, as it is to be shown. The description can
// contain text from manifests.
func (s *Suppression) Description(file string) string {
	place := file
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, s.Line)
	}
	text := "silenced by the " + string(s.By)
	switch {
	case place == "":
	case s.By == ByBaseline:
		text += " " + place
	default:
		text += " at " + place
	}
	if !s.Until.IsZero() {
		text += " until " + s.Until.Format(time.DateOnly)
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}
