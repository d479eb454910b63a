package verify

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// checkFile compares a changed file with its declarations. It returns the file as it will be, of which it has parsed the changed
// documents; nil if the file is removed or is no manifest.
func checkFile(change engine.FileChange) (*manifest.File, error) {
	if isText(change) {
		return nil, checkText(change)
	}
	before := manifest.Scan(change.Path, change.Before)
	byDocument := map[int][]engine.Change{}
	removed := 0
	for _, c := range change.Changes {
		byDocument[c.Document] = append(byDocument[c.Document], c)
		if c.Op == engine.RemoveDocument {
			removed++
		}
	}
	if change.After == nil {
		if removed != len(before.Docs) {
			return nil, fmt.Errorf("the file is removed with %d documents, but only %d removals are declared", len(before.Docs), removed)
		}
		return nil, nil
	}
	after := manifest.Scan(change.Path, change.After)
	if want := len(before.Docs) - removed + len(change.Documents); len(after.Docs) != want {
		documents := "documents"
		if len(after.Docs) == 1 {
			documents = "document"
		}
		return nil, fmt.Errorf("it would have %d %s instead of %d: change it by hand", len(after.Docs), documents, want)
	}
	next := 0
	for i, doc := range before.Docs {
		declared := byDocument[i]
		if len(declared) > 0 && declared[0].Op == engine.RemoveDocument {
			continue
		}
		if err := checkDocument(doc, after.Docs[next], declared); err != nil {
			return nil, fmt.Errorf("document %d: %w", i+1, err)
		}
		next++
	}
	return after, checkGenerated(after.Docs[next:], change.Documents)
}

// checkDocument compares a document before and after. Without declarations, its bytes must be the same.
func checkDocument(before, after *manifest.Document, declared []engine.Change) error {
	if len(declared) == 0 {
		if !bytes.Equal(content(before), content(after)) {
			return errors.New("it changed, which was not declared")
		}
		return nil
	}
	if err := before.Parse(); err != nil {
		return err
	}
	if err := after.Parse(); err != nil {
		return fmt.Errorf("it cannot be read afterwards: %w", err)
	}
	want, err := expected(before.Root, declared)
	if err != nil {
		return err
	}
	return want.compare(after.Root)
}

// content returns a document without its marker and its trailing line breaks: the marker before the first document, and the
// last line break, can change with neighboring documents.
func content(doc *manifest.Document) []byte {
	text := bytes.TrimRight(doc.Bytes(), "\r\n")
	if rest, ok := bytes.CutPrefix(text, []byte("---")); ok {
		text = bytes.TrimLeft(rest, "\r\n")
	}
	return text
}

// checkGenerated compares generated documents with the declared ones.
func checkGenerated(documents []*manifest.Document, want []engine.Document) error {
	for i, doc := range documents {
		if err := doc.Parse(); err != nil {
			return fmt.Errorf("a generated document cannot be read: %w", err)
		}
		if err := compareGenerated(doc, want[i]); err != nil {
			return err
		}
		objects := objects.Objects(doc)
		if len(objects) != 1 || identityOf(objects[0]) != want[i].Object {
			return fmt.Errorf("%s was not generated as a single object", want[i].Object)
		}
	}
	return nil
}

// compareGenerated compares a generated document with its text, which is parsed only if the bytes differ.
func compareGenerated(doc *manifest.Document, want engine.Document) error {
	text := manifest.Scan(want.File, []byte(want.Text))
	if len(text.Docs) != 1 {
		return fmt.Errorf("%s was not generated as a single document", want.Object)
	}
	if bytes.Equal(withoutMarker(text.Docs[0]), withoutMarker(doc)) {
		return nil
	}
	if text.Docs[0].Parse() != nil {
		return fmt.Errorf("%s was not generated as a single document", want.Object)
	}
	if !manifest.Equal(text.Docs[0].Root, doc.Root) {
		return fmt.Errorf("%s is written differently from how it was generated", want.Object)
	}
	return nil
}

// withoutMarker returns the bytes of a document after the line with its marker.
func withoutMarker(doc *manifest.Document) []byte {
	return bytes.TrimPrefix(doc.Bytes(), []byte("---\n"))
}

func identityOf(o *objects.Object) engine.ObjectName {
	return engine.ObjectName{Group: o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}
