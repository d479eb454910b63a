package engine

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// Merged is what the plans of a run come to.
type Merged struct {
	// Files are sorted by path.
	Files []FileChange
	// Refused are plans that cannot be carried out together with those before them, or whose edit the editor refuses.
	Refused []Refused
}

// Refused is a plan that is not carried out, and why.
type Refused struct {
	Plan   *Plan
	Reason string
}

// FileChange is what becomes of one file.
type FileChange struct {
	Path string
	// Before is nil for a new file, After for one that goes.
	Before, After []byte
	// Edits turn Before into After. A file that goes has none.
	Edits []manifest.Edit
	Order int
	// Changes are all that is declared for the file, those included that follow from several plans together: a binding
	// that has lost its last subject goes. Documents are what is added to it.
	Changes   []Change
	Documents []Document
	// Texts are the declared changes of a file that is no manifest; such a file has no Changes.
	Texts []TextChange
	// Plans have a hand in the file.
	Plans []*Plan
}

// Merge turns plans into the new bytes of files. Plans may share files, documents and lists; what two of them ask for
// alike is done once. The error is about a file that could not be read.
func Merge(c *Context, plans []*Plan) (Merged, error) { return mergePlans(c, plans, false) }

// mergePlans is Combine; in a trial the bytes of files that are edited are left as they were.
func mergePlans(c *Context, plans []*Plan, trial bool) (Merged, error) {
	var result Merged
	for _, p := range plans {
		if why := c.unverifiable(p); why != "" {
			result.Refused = append(result.Refused, Refused{p, why})
		}
	}
	plans, result.Refused = Without(plans, result.Refused)
	for {
		s := newMerger(c)
		s.editsOnly = trial
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

// Without drops refused plans and those that need them, and adds the latter to the refused.
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

// Writes are the files as the repository takes them.
func (c Merged) Writes() []repo.Write {
	var writes []repo.Write
	for _, f := range c.Files {
		writes = append(writes, repo.Write{Path: f.Path, Before: f.Before, After: f.After, Order: f.Order})
	}
	return writes
}

// fileEdits are the edits as a report shows them: a new file has one that begins and ends at zero, one that goes loses
// all its bytes.
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

// newFile is the content of a generated file.
func newFile(documents []Document) []byte {
	text := documentTexts(documents)
	if documents[0].CRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// TryEdits makes sure that the editor can carry the plan out by itself.
func (c *Context) TryEdits(p *Plan) error {
	combined, err := mergePlans(c, []*Plan{p}, true)
	if err != nil {
		return err
	}
	for _, refused := range combined.Refused {
		return &Refusal{Reason: refused.Reason}
	}
	return nil
}

// Edits are the edits of one plan by itself, for a report that shows them: SARIF.
func Edits(c *Context, p *Plan) ([]finding.FileEdit, error) {
	combined, err := mergePlans(c, []*Plan{p}, true)
	if err != nil {
		return nil, err
	}
	var edits []finding.FileEdit
	for _, f := range combined.Files {
		edits = append(edits, f.fileEdits()...)
	}
	return edits, nil
}
