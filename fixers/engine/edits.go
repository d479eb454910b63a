package engine

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
)

// edit returns the changes of all files. Plans whose changes the editor refuses are added to the refused plans.
func (m *merger) edit() ([]FileChange, error) {
	changes := map[string][]*plannedChange{}
	for _, key := range m.order {
		change := m.changes[key]
		changes[change.File] = append(changes[change.File], change)
	}
	paths := map[string]bool{}
	for path := range changes {
		paths[path] = true
	}
	for path := range m.documents {
		paths[path] = true
	}
	for path := range m.texts {
		paths[path] = true
	}
	var files []FileChange
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		f, err := m.editFile(path, changes[path])
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// editFile returns the change of one file.
func (m *merger) editFile(path string, changes []*plannedChange) (FileChange, error) {
	f := m.declaredFor(path, changes)
	if claim, ok := UncomparedInput(m.c.Repo.Units, path); ok {
		m.refuseNonObjectInput(f, claim)
		return f, nil
	}
	read, err := m.c.Repo.File(path)
	if err != nil {
		return f, err
	}
	switch {
	case read == nil && len(f.Documents) > 0 && len(f.Texts) == 0:
		f.After, f.Order = newFile(f.Documents), commit.OrderGrant
		return f, nil
	case m.deleted[path]:
		f.Before, f.Order = read.Data, commit.OrderRemoval
		return f, nil
	}
	if reason := f.staleReason(read); reason != "" {
		m.refuseTexts(path, reason)
		return f, nil
	}
	f.Before, f.After = read.Data, read.Data
	switch empty, err := f.removeTextDocuments(read.Data); {
	case err != nil:
		m.refuseTexts(path, err.Error())
		return f, nil
	case empty:
		m.deleteTemplate(&f)
		return f, nil
	}
	f.Edits = append(m.fileEdits(read, changes), f.textEdits()...)
	if texts := documentTexts(f.Documents); texts != "" {
		f.Edits = append(f.Edits, read.AppendDocument(texts))
	}
	if len(m.refused) > 0 {
		return f, nil
	}
	if m.editsOnly {
		return f, checkEdits(read.Data, f.Edits)
	}
	f.After, err = manifest.Apply(read.Data, f.Edits)
	if f.After == nil {
		f.After = []byte{}
	}
	return f, err
}

// declaredFor collects what is declared for a file, and the plans that declare it.
func (m *merger) declaredFor(path string, changes []*plannedChange) FileChange {
	f := FileChange{Path: path, Documents: m.documents[path], Order: writeOrder(changes)}
	f.Plans = append(f.Plans, m.owners[path]...)
	for _, change := range changes {
		f.Changes = append(f.Changes, change.Change)
		f.Plans = append(f.Plans, change.plans...)
	}
	for _, text := range m.texts[path] {
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

// writeOrder returns the latest write order of the changes of a file. A kustomization that gets an entry is written early,
// because later writes rely on the entry.
func writeOrder(changes []*plannedChange) int {
	order := commit.OrderGrant
	for _, change := range changes {
		if change.Op == AppendItem && change.Order == commit.OrderKustomization {
			return commit.OrderKustomization
		}
		order = max(order, change.Order)
	}
	return order
}

// fileEdits returns the edits of the documents of a file, and the removals of documents.
func (m *merger) fileEdits(file *manifest.File, changes []*plannedChange) []manifest.Edit {
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
		doc, err := m.document(file.Path, i)
		if err != nil {
			m.refuse(byDocument[i], err)
			continue
		}
		edits = append(edits, m.documentEdits(doc, byDocument[i])...)
	}
	return append(edits, joinRemovals(file, removals)...)
}

// joinRemovals merges removals that overlap. A document without a separate marker is removed together with the marker after
// it, and so are several such documents in a row.
func joinRemovals(file *manifest.File, removals []manifest.Edit) []manifest.Edit {
	var joined []manifest.Edit
	for _, r := range removals {
		if n := len(joined); n > 0 && r.Start <= joined[n-1].End {
			joined[n-1].End = max(joined[n-1].End, r.End)
			joined[n-1].New += r.New
			continue
		}
		joined = append(joined, r)
	}
	for i := range joined {
		rest := file.Data[joined[i].End:]
		if marker := bareMarker(rest); marker > 0 && joined[i].New == "" && !beginsWithMarker(file.Data[joined[i].Start:]) {
			joined[i].End += marker
		}
	}
	return joined
}

// beginsWithMarker reports whether a text begins with a document marker, which can have a comment behind it.
func beginsWithMarker(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r"), rest[0]) >= 0)
}

// bareMarker returns the length of the first line of a text if that line is only a document marker, and 0 otherwise.
func bareMarker(text []byte) int {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if string(bytes.TrimRight(line, "\r")) != "---" {
		return 0
	}
	return min(len(line)+1, len(text))
}

// refuse drops the plans of changes that the editor refuses.
func (m *merger) refuse(changes []*plannedChange, err error) {
	for _, change := range changes {
		for _, p := range change.plans {
			m.refused = append(m.refused, Refused{p, reason(err)})
		}
	}
}

// documentEdits returns the edits of one document. Independent changes are made side by side; otherwise each change is made
// in the result of the one before it.
func (m *merger) documentEdits(doc *manifest.Document, changes []*plannedChange) []manifest.Edit {
	if areIndependent(doc, changes) {
		edits, failed := m.editSideBySide(doc, changes)
		if failed {
			return nil
		}
		if checkEdits(doc.File.Data, edits) == nil {
			return edits
		}
	}
	return m.editInSequence(doc, changes)
}

// checkEdits returns the error that manifest.Apply would return. It does not copy the file, because a file can hold thousands
// of findings whose edits are checked one by one.
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

// areIndependent reports whether changes can be made side by side: they are in different mappings and lists, or they all
// append to a list, or they all remove some of its items and leave others. Edits that still overlap are found when they are
// applied.
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

// keepsItems reports whether a list has items both before and after the changes: an empty list is written differently.
func keepsItems(doc *manifest.Document, list manifest.Path, op Op, changes int) bool {
	n := doc.Root.Lookup(list)
	if op == AppendItem {
		return n != nil && len(n.Items()) > 0
	}
	return n.IsSequence() && len(n.Items()) > changes
}

func (m *merger) editSideBySide(doc *manifest.Document, changes []*plannedChange) (edits []manifest.Edit, failed bool) {
	for _, change := range changes {
		edit, err := editOne(doc, change.Op, change.Change)
		if err != nil {
			m.refuse([]*plannedChange{change}, err)
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
	case SetValue:
		return doc.ReplaceValue(c.Path, c.Value)
	case RenameField:
		return doc.RenameField(c.Path, c.Value.(string))
	case AppendItem:
		return doc.AppendItem(c.Path, c.Value)
	default:
		return doc.AddCommentedField(c.Path[:last], c.After, c.Path[last], c.Value, c.Comments)
	}
}
