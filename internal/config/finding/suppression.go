package finding

import "time"

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
