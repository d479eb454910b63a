package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// plannedChange is a change with the plans that declare it.
type plannedChange struct {
	Change
	plans []*Plan
}

// merger collects the changes of all plans and adds what follows from them: bindings without subjects, lists without items,
// and files without documents are removed, and so are the entries of kustomizations for these files.
type merger struct {
	c         *Context
	changes   map[string]*plannedChange // by Change.key
	order     []string                  // the keys, in the order of the plans
	texts     map[string][]*plannedText // by file, in the order of the plans
	documents map[string][]Document
	added     map[addedKey]string
	owners    map[string][]*Plan // the plans that add documents to a file
	deleted   map[string]bool
	refused   []Refused
	// editsOnly is set if only the edits are needed: a file is then not copied for each plan that changes it.
	editsOnly bool
}

type addedKey struct {
	file string
	ObjectName
}

func newMerger(c *Context) *merger {
	return &merger{
		c: c, changes: map[string]*plannedChange{}, texts: map[string][]*plannedText{}, documents: map[string][]Document{}, added: map[addedKey]string{},
		owners: map[string][]*Plan{}, deleted: map[string]bool{},
	}
}

// collect adds the plans one by one. A plan that contradicts an earlier one is refused as a whole.
func (m *merger) collect(plans []*Plan) {
	for _, p := range plans {
		if reason := m.contradiction(p); reason != "" {
			m.refused = append(m.refused, Refused{p, reason})
			continue
		}
		for _, change := range p.Changes {
			m.add(change, p)
		}
		for _, text := range p.Texts {
			m.addText(text, p)
		}
		for _, d := range p.Documents {
			m.addDocument(d, p)
		}
	}
}

// key returns what identifies a change: an appended item by its value, any other change by its place.
func (c Change) key() string {
	key := c.File + "\x00" + strconv.Itoa(c.Document) + "\x00" + strings.Join(c.Path, "\x00")
	if c.Op == AppendItem {
		key += fmt.Sprintf("\x00+%v", c.Value)
	}
	return key
}

func (m *merger) contradiction(p *Plan) string {
	if why := m.c.writeProtected(p); why != "" {
		return why
	}
	for _, change := range p.Changes {
		other, known := m.changes[change.key()]
		if known && (other.Op != change.Op || fmt.Sprint(other.Value) != fmt.Sprint(change.Value)) && !bothAddList(other.Change, change) {
			return fmt.Sprintf("another fix of this run changes %s in %s: run again", change.Path, change.File)
		}
	}
	for _, text := range p.Texts {
		if reason := m.textContradiction(text); reason != "" {
			return reason
		}
	}
	for _, d := range p.Documents {
		if text, known := m.added[addedKey{d.File, d.Object}]; known && text != d.Text {
			return fmt.Sprintf("another fix of this run writes %s to %s: run again", d.Object, d.File)
		}
	}
	return ""
}

func (m *merger) add(change Change, plans ...*Plan) {
	key := change.key()
	known := m.changes[key]
	if known == nil {
		known = &plannedChange{Change: change}
		m.changes[key] = known
		m.order = append(m.order, key)
	}
	if bothAddList(known.Change, change) {
		known.Value = joinItems(known.Value.([]any), change.Value.([]any))
	}
	for _, p := range plans {
		if !slices.Contains(known.plans, p) {
			known.plans = append(known.plans, p)
		}
	}
}

// bothAddList reports whether two changes add the same list to a document: each plan has items for it.
func bothAddList(a, b Change) bool {
	_, isList := a.Value.([]any)
	_, isListToo := b.Value.([]any)
	return a.Op == AddField && b.Op == AddField && a.After == b.After && isList && isListToo
}

// joinItems returns the items of two lists, each once.
func joinItems(a, b []any) []any {
	joined := slices.Clone(a)
	for _, item := range b {
		if !slices.ContainsFunc(joined, func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(item) }) {
			joined = append(joined, item)
		}
	}
	return joined
}

func (m *merger) addDocument(d Document, p *Plan) {
	key := addedKey{d.File, d.Object}
	if _, known := m.added[key]; !known {
		m.added[key] = d.Text
		m.documents[d.File] = append(m.documents[d.File], d)
	}
	m.owners[d.File] = append(m.owners[d.File], p)
}

// removeEmptied adds the removals that follow from the changes, then drops changes inside of what is removed.
func (m *merger) removeEmptied() error {
	steps := []func() (bool, error){
		func() (bool, error) { return m.removeEmptiedLists("subjects") },
		func() (bool, error) { return m.removeEmptiedLists("items") },
		m.removeEmptiedEntries, m.removeEmptiedKustomizations, m.removeEmptiedFiles,
	}
	for again := true; again; {
		again = false
		for _, step := range steps {
			more, err := step()
			if err != nil {
				return err
			}
			again = again || more
		}
	}
	m.dropNested()
	return nil
}

// removeEmptiedLists replaces the removal of all items of a list by the removal of the object that has the list.
func (m *merger) removeEmptiedLists(key string) (bool, error) {
	collapsed := false
	isItem := func(c Change) bool { n := len(c.Path); return n > 1 && c.Path[n-2] == key }
	for _, removed := range m.removedItems(isItem) {
		first := removed[0]
		doc, err := m.document(first.File, first.Document)
		if err != nil {
			return false, err
		}
		owner := first.Path[:len(first.Path)-2]
		if !m.losesAll(doc, owner, key, len(removed)) {
			continue
		}
		if m.removeWhole(first.File, first.Document, owner, removed) {
			collapsed = true
		}
	}
	return collapsed, nil
}

// losesAll reports whether a list loses all its items so that its object is removed.
func (m *merger) losesAll(doc *manifest.Document, owner manifest.Path, key string, removed int) bool {
	object := doc.Root.Lookup(owner)
	if key == "items" && !strings.HasSuffix(object.Get("kind").String(), "List") {
		return false
	}
	list := object.Get(key)
	return list.IsSequence() && list.Lookup(manifest.Path{fmt.Sprint(removed)}) == nil
}

// removeWhole adds the removal of an object. It returns false if the removal is known.
func (m *merger) removeWhole(file string, document int, path manifest.Path, because []*plannedChange) bool {
	change := Change{File: file, Document: document, Op: RemoveValue, Path: path.Join(), Order: because[0].Order}
	if len(path) == 0 {
		change.Op, change.Path = RemoveDocument, nil
	}
	if known := m.changes[change.key()]; known != nil {
		return false
	}
	for _, b := range because {
		m.add(change, b.plans...)
	}
	return true
}

// dropNested drops the changes inside of what is removed.
func (m *merger) dropNested() {
	gone := map[string]bool{}
	for key, change := range m.changes {
		if change.Op == RemoveValue || change.Op == RemoveDocument {
			gone[key] = true
		}
	}
	m.order = slices.DeleteFunc(m.order, func(key string) bool {
		change := m.changes[key]
		for n := range len(change.Path) {
			around := Change{File: change.File, Document: change.Document, Path: change.Path[:n]}
			if gone[around.key()] {
				delete(m.changes, key)
				return true
			}
		}
		return false
	})
}

// removeEmptiedFiles deletes files that lose all their documents, and removes their entries from kustomizations.
func (m *merger) removeEmptiedFiles() (bool, error) {
	removed := map[string][]*plannedChange{}
	var files []string
	for _, key := range m.order {
		if change := m.changes[key]; change.Op == RemoveDocument {
			if removed[change.File] == nil {
				files = append(files, change.File)
			}
			removed[change.File] = append(removed[change.File], change)
		}
	}
	again := false
	for _, file := range files {
		read, err := m.c.Repo.File(file)
		if err != nil {
			return false, err
		}
		if len(removed[file]) < len(read.Docs) || len(m.documents[file]) > 0 {
			continue
		}
		if !m.deleted[file] {
			m.deleted[file] = true
			m.refuseNamed(file, removed[file])
		}
		again = m.removeEntries(file, removed[file]) || again
	}
	return again, nil
}

// document returns a parsed document.
func (m *merger) document(file string, index int) (*manifest.Document, error) {
	read, err := m.c.Repo.File(file)
	if err != nil {
		return nil, err
	}
	if index >= len(read.Docs) {
		return nil, fmt.Errorf("%s no longer has document %d: it was changed in the meantime", file, index)
	}
	return read.Docs[index], read.Docs[index].Parse()
}
