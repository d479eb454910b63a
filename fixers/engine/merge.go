package engine

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
)

// Merged is the result of merging the plans of a run.
type Merged struct {
	// Files are sorted by path.
	Files []FileChange
	// Refused are plans that contradict earlier ones, or whose changes the editor refuses.
	Refused []Refused
}

// Refused is a plan that is not carried out, and the reason.
type Refused struct {
	Plan   *Plan
	Reason string
}

// FileChange is the change of one file.
type FileChange struct {
	Path string
	// Before is nil for a new file, After for a deleted one.
	Before, After []byte
	// Edits turn Before into After. A deleted file has none.
	Edits []manifest.Edit
	Order int
	// Changes are all declared changes of the file, including those that follow from several plans together: a binding that
	// loses its last subject is removed. Documents are added to the file.
	Changes   []Change
	Documents []Document
	// Texts are the declared changes of a file that is not a manifest; such a file has no Changes.
	Texts []TextChange
	// Plans are the plans that change the file.
	Plans []*Plan
}

// Merge turns plans into the new bytes of files. Plans can share files, documents, and lists; a change that several plans
// have in common is made once. The error is about a file that could not be read.
func Merge(c *Context, plans []*Plan) (Merged, error) { return mergePlans(c, plans, false) }

// mergePlans is Merge. With editsOnly, the new bytes of edited files are not worked out.
func mergePlans(c *Context, plans []*Plan, editsOnly bool) (Merged, error) {
	var result Merged
	for _, p := range plans {
		if why := c.unverifiable(p); why != "" {
			result.Refused = append(result.Refused, Refused{p, why})
		}
	}
	plans, result.Refused = Without(plans, result.Refused)
	for {
		s := newMerger(c)
		s.editsOnly = editsOnly
		s.collect(plans)
		if err := s.removeEmptied(); err != nil {
			return result, err
		}
		files, err := s.edit()
		if err != nil {
			return result, err
		}
		if len(s.refused) == 0 {
			result.Files = files
			return result, nil
		}
		result.Refused = append(result.Refused, s.refused...)
		plans, result.Refused = Without(plans, result.Refused)
	}
}

// SetOf returns plans as a set.
func SetOf(plans []*Plan) map[*Plan]bool {
	set := make(map[*Plan]bool, len(plans))
	for _, p := range plans {
		set[p] = true
	}
	return set
}

// Without returns the plans without the refused ones and those that need them. The latter are added to the refused plans.
func Without(plans []*Plan, refused []Refused) ([]*Plan, []Refused) {
	why := map[*Plan]string{}
	for _, r := range refused {
		why[r.Plan] = r.Reason
	}
	for again := true; again; {
		again = false
		for _, p := range plans {
			if _, out := why[p]; out {
				continue
			}
			for _, need := range p.Needs {
				if reason, out := why[need]; out {
					why[p] = "it depends on another fix, which is not made: " + reason
					refused = append(refused, Refused{p, why[p]})
					again = true
					break
				}
			}
		}
	}
	left := slices.DeleteFunc(slices.Clone(plans), func(p *Plan) bool { _, out := why[p]; return out })
	return left, refused
}

// Writes returns the changes in the form that package commit writes.
func (c Merged) Writes() []commit.Write {
	var writes []commit.Write
	for _, f := range c.Files {
		writes = append(writes, commit.Write{Path: f.Path, Before: f.Before, After: f.After, Order: f.Order})
	}
	return writes
}

// fileEdits returns the edits in the form of reports. A new file has one edit that begins and ends at zero; the edit of a
// deleted file removes all bytes.
func (f FileChange) fileEdits() []finding.FileEdit {
	switch {
	case f.Before == nil:
		return []finding.FileEdit{{File: f.Path, New: string(f.After)}}
	case f.After == nil:
		return []finding.FileEdit{{File: f.Path, End: len(f.Before)}}
	}
	var edits []finding.FileEdit
	for _, e := range f.Edits {
		edits = append(edits, finding.FileEdit{File: f.Path, Start: e.Start, End: e.End, New: e.New})
	}
	return edits
}

// newFile returns the content of a generated file.
func newFile(documents []Document) []byte {
	text := documentTexts(documents)
	if documents[0].NoFinalBreak {
		text = strings.TrimSuffix(text, "\n")
	}
	if documents[0].CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// TryEdits checks that the editor can carry out a plan on its own. The error is a *Refusal, or about a file that could not be
// read.
func (c *Context) TryEdits(p *Plan) error {
	merged, err := mergePlans(c, []*Plan{p}, true)
	if err != nil {
		return err
	}
	for _, refused := range merged.Refused {
		return &Refusal{Reason: refused.Reason}
	}
	return nil
}

// Edits returns the edits of a single plan, for reports that show them, such as SARIF.
func Edits(c *Context, p *Plan) ([]finding.FileEdit, error) {
	merged, err := mergePlans(c, []*Plan{p}, true)
	if err != nil {
		return nil, err
	}
	var edits []finding.FileEdit
	for _, f := range merged.Files {
		edits = append(edits, f.fileEdits()...)
	}
	return edits, nil
}
