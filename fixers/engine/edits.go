package engine

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// edit works out the bytes of all files. Plans whose changes the editor refuses are added to the refused.
func (s *merger) edit() ([]FileChange, error) {
	changes := map[string][]*plannedChange{}
	for _, key := range s.order {
		change := s.changes[key]
		changes[change.File] = append(changes[change.File], change)
	}
	paths := map[string]bool{}
	for path := range changes {
		paths[path] = true
	}
	for path := range s.documents {
		paths[path] = true
	}
	for path := range s.texts {
		paths[path] = true
	}
	var files []FileChange
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		f, err := s.editFile(path, changes[path])
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// editFile works out the bytes of one file.
func (s *merger) editFile(path string, changes []*plannedChange) (FileChange, error) {
	f := s.declaredFor(path, changes)
	if claim, ok := s.c.Repo.nonObjectInput(path); ok {
		s.refuseNonObjectInput(f, claim)
		return f, nil
	}
	read, err := s.c.Repo.File(path)
	if err != nil {
		return f, err
	}
	switch {
	case read == nil && len(f.Documents) > 0 && len(f.Texts) == 0:
		f.After, f.Order = newFile(f.Documents), repo.OrderGrant
		return f, nil
	case s.deleted[path]:
		f.Before, f.Order = read.Data, repo.OrderRemoval
		return f, nil
	}
	if reason := f.staleReason(read); reason != "" {
		s.refuseTexts(path, reason)
		return f, nil
	}
	f.Before, f.After = read.Data, read.Data
	f.Edits = append(s.fileEdits(read, changes), f.textEdits()...)
	if texts := documentTexts(f.Documents); texts != "" {
		f.Edits = append(f.Edits, read.AppendDocument(texts))
	}
	if len(s.refused) > 0 {
		return f, nil
	}
	if s.editsOnly {
		return f, checkEdits(read.Data, f.Edits)
	}
	f.After, err = manifest.Apply(read.Data, f.Edits)
	if f.After == nil {
		f.After = []byte{}
	}
	return f, err
}

// declaredFor is everything that is declared for a file, with the plans that ask for it.
func (s *merger) declaredFor(path string, changes []*plannedChange) FileChange {
	f := FileChange{Path: path, Documents: s.documents[path], Order: writeOrder(changes)}
	f.Plans = append(f.Plans, s.owners[path]...)
	for _, change := range changes {
		f.Changes = append(f.Changes, change.Change)
		f.Plans = append(f.Plans, change.plans...)
	}
	for _, text := range s.texts[path] {
		f.Texts = append(f.Texts, text.TextChange)
		f.Plans = append(f.Plans, text.plans...)
		f.Order = max(f.Order, text.Order)
	}
	return f
}

func documentTexts(documents []Document) string {
	var texts []string
	for _, d := range documents {
		texts = append(texts, d.Text)
	}
	return strings.Join(texts, "---\n")
}

// writeOrder is the latest of what a file waits for. A kustomization that gets a new entry must have it before anything
// relies on that.
func writeOrder(changes []*plannedChange) int {
	order := repo.OrderGrant
	for _, change := range changes {
		if change.Op == AppendItem && change.Order == repo.OrderKustomization {
			return repo.OrderKustomization
		}
		order = max(order, change.Order)
	}
	return order
}

// fileEdits edits the documents one by one, and removes those that go.
func (s *merger) fileEdits(file *manifest.File, changes []*plannedChange) []manifest.Edit {
	byDocument := map[int][]*plannedChange{}
	var indexes []int
	for _, change := range changes {
		if byDocument[change.Document] == nil {
			indexes = append(indexes, change.Document)
		}
		byDocument[change.Document] = append(byDocument[change.Document], change)
	}
	slices.Sort(indexes)
	var edits, removals []manifest.Edit
	for _, i := range indexes {
		if list := byDocument[i]; list[0].Op == RemoveDocument {
			removals = append(removals, file.RemoveDocument(i))
			continue
		}
		doc, err := s.document(file.Path, i)
		if err != nil {
			s.refuse(byDocument[i], err)
			continue
		}
		edits = append(edits, s.documentEdits(doc, byDocument[i])...)
	}
	return append(edits, joinRemovals(file, removals)...)
}

// joinRemovals makes one removal of those that overlap: a document without a marker of its own goes with the marker behind it,
// and so do several in a row that begin with such a one.
func joinRemovals(file *manifest.File, removals []manifest.Edit) []manifest.Edit {
	var joined []manifest.Edit
	for _, r := range removals {
		if n := len(joined); n > 0 && r.Start <= joined[n-1].End {
			joined[n-1].End = max(joined[n-1].End, r.End)
			continue
		}
		joined = append(joined, r)
	}
	for i := range joined {
		rest := file.Data[joined[i].End:]
		if marker := bareMarker(rest); marker > 0 && bareMarker(file.Data[joined[i].Start:]) == 0 {
			joined[i].End += marker
		}
	}
	return joined
}

// bareMarker is the length of the line that text begins with when that is a document marker and nothing else.
func bareMarker(text []byte) int {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if string(bytes.TrimRight(line, "\r")) != "---" {
		return 0
	}
	return min(len(line)+1, len(text))
}

// refuse drops the plans of changes that cannot be made.
func (s *merger) refuse(changes []*plannedChange, err error) {
	for _, change := range changes {
		for _, p := range change.plans {
			s.refused = append(s.refused, Refused{p, reason(err)})
		}
	}
}

// documentEdits edits one document. Changes that do not get in each other's way are made side by side, else each is made
// in the outcome of the one before it.
func (s *merger) documentEdits(doc *manifest.Document, changes []*plannedChange) []manifest.Edit {
	if areIndependent(doc, changes) {
		edits, failed := s.editSideBySide(doc, changes)
		if failed {
			return nil
		}
		if checkEdits(doc.File.Data, edits) == nil {
			return edits
		}
	}
	return s.editInSequence(doc, changes)
}

// checkEdits gives the error that manifest.Apply would. The edits of one finding are checked in a file that may hold
// thousands of them, so the file itself is not copied.
func checkEdits(data []byte, edits []manifest.Edit) error {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b manifest.Edit) int { return a.Start - b.Start })
	pos := 0
	for _, e := range sorted {
		if e.Start < pos || e.End < e.Start || e.End > len(data) {
			_, err := manifest.Apply(data, edits)
			return err
		}
		pos = e.End
	}
	return nil
}

// areIndependent tells whether changes may be made side by side: those in different mappings and lists, and in one list several
// that append items, or that remove some of them and leave others. Edits that overlap nevertheless are found out when
// they are applied.
func areIndependent(doc *manifest.Document, changes []*plannedChange) bool {
	seen := map[string][]*plannedChange{}
	for _, change := range changes {
		if change.Op == ReplaceField {
			return false
		}
		parent := change.Path[:len(change.Path)-1]
		if change.Op == AppendItem {
			parent = change.Path
		}
		key := Change{Path: parent}.key()
		seen[key] = append(seen[key], change)
		if alone := len(seen[key]) == 1; alone {
			continue
		}
		first := seen[key][0]
		n := len(seen[key])
		if first.Op != change.Op || change.Op != AppendItem && change.Op != RemoveValue || !keepsItems(doc, parent, change.Op, n) {
			return false
		}
	}
	return true
}

// keepsItems tells whether a list stays one that has items: an empty one is written in another way.
func keepsItems(doc *manifest.Document, list manifest.Path, op Op, changes int) bool {
	n := doc.Root.Lookup(list)
	if op == AppendItem {
		return n != nil && len(n.Items) > 0
	}
	return n.IsSequence() && len(n.Items) > changes
}

func (s *merger) editSideBySide(doc *manifest.Document, changes []*plannedChange) (edits []manifest.Edit, failed bool) {
	for _, change := range changes {
		edit, err := editOne(doc, change.Op, change.Change)
		if err != nil {
			s.refuse([]*plannedChange{change}, err)
			failed = true
			continue
		}
		edits = append(edits, edit)
	}
	return edits, failed
}

// editOne asks the editor for one change.
func editOne(doc *manifest.Document, op Op, c Change) (manifest.Edit, error) {
	last := len(c.Path) - 1
	switch op {
	case RemoveValue:
		return doc.RemoveField(c.Path)
	case SetText:
		return doc.SetScalar(c.Path, c.Value.(string))
	case RenameField:
		return doc.RenameField(c.Path, c.Value.(string))
	case AppendItem:
		return doc.AppendItem(c.Path, c.Value)
	default:
		return doc.AddField(c.Path[:last], c.After, c.Path[last], c.Value)
	}
}
