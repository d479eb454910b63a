package engine

import (
	"fmt"

	"github.com/salint/salint/internal/files/manifest"
)

// plannedText is a change of a text with the plans that declare it.
type plannedText struct {
	TextChange
	plans []*Plan
}

// textContradiction returns why a change of a text contradicts the changes of other plans; "" if it does not, or if it is one
// of these changes.
func (s *merger) textContradiction(change TextChange) string {
	for _, other := range s.texts[change.File] {
		if !other.equals(change) && other.overlaps(change) {
			return fmt.Sprintf("another fix of this run changes the same lines of %s: run again", change.File)
		}
	}
	return ""
}

func (t TextChange) equals(other TextChange) bool { return t.Span == other.Span && t.New == other.New }

// overlaps reports whether two changes overlap, or begin at the same place so that their order is unknown.
func (t TextChange) overlaps(other TextChange) bool {
	return t.Span.Start == other.Span.Start || t.Span.Start < other.Span.End && other.Span.Start < t.Span.End
}

// addText adds a change of a text. A change that several plans have in common is made once.
func (s *merger) addText(change TextChange, p *Plan) {
	for _, known := range s.texts[change.File] {
		if known.equals(change) {
			known.plans = append(known.plans, p)
			known.Order = max(known.Order, change.Order)
			return
		}
	}
	s.texts[change.File] = append(s.texts[change.File], &plannedText{change, []*Plan{p}})
}

// staleReason returns why the text of a file cannot be changed as declared; "" if it can.
func (f FileChange) staleReason(read *manifest.File) string {
	if len(f.Texts) > 0 && read == nil {
		return f.Path + " no longer exists"
	}
	for _, text := range f.Texts {
		if text.Span.Start < 0 || text.Span.End < text.Span.Start || text.Span.End > len(read.Data) {
			return f.Path + " was changed in the meantime: run again"
		}
	}
	return ""
}

// refuseTexts drops the plans that change the text of a file.
func (s *merger) refuseTexts(path, reason string) {
	for _, text := range s.texts[path] {
		for _, p := range text.plans {
			s.refused = append(s.refused, Refused{p, reason})
		}
	}
}

func (f FileChange) textEdits() []manifest.Edit {
	var edits []manifest.Edit
	for _, text := range f.Texts {
		edits = append(edits, manifest.Edit{Span: text.Span, New: text.New})
	}
	return edits
}
