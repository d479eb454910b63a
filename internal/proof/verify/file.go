package verify

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// checkFile compares what became of a file with what was declared.
func checkFile(change engine.FileChange) error {
	if isText(change) {
		return checkText(change)
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
			return fmt.Errorf("the file goes with %d documents, and only %d are declared to", len(before.Docs), removed)
		}
		return nil
	}
	after := manifest.Scan(change.Path, change.After)
	if want := len(before.Docs) - removed + len(change.Documents); len(after.Docs) != want {
		return fmt.Errorf("it has %d documents afterwards in place of %d", len(after.Docs), want)
	}
	next := 0
	for i, doc := range before.Docs {
		declared := byDocument[i]
		if len(declared) > 0 && declared[0].Op == engine.RemoveDocument {
			continue
		}
		if err := checkDocument(doc, after.Docs[next], declared); err != nil {
			return fmt.Errorf("document %d: %w", i+1, err)
		}
		next++
	}
	return checkGenerated(after.Docs[next:], change.Documents)
}

// checkDocument compares a document with the one that it became. Where nothing was declared, its bytes must be the same.
func checkDocument(before, after *manifest.Document, declared []engine.Change) error {
	if len(declared) == 0 {
		if !bytes.Equal(content(before), content(after)) {
			return errors.New("it changed, and nobody declared that")
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

// content is a document without its marker and the line breaks at its end: the marker before the first document, and
// the last line break, may come and go with its neighbours.
func content(doc *manifest.Document) []byte {
	text := bytes.TrimRight(doc.Bytes(), "\r\n")
	if rest, ok := bytes.CutPrefix(text, []byte("---")); ok {
		text = bytes.TrimLeft(rest, "\r\n")
	}
	return text
}

// checkGenerated compares generated documents with what they should be.
func checkGenerated(documents []*manifest.Document, want []engine.Document) error {
	for i, doc := range documents {
		if err := doc.Parse(); err != nil {
			return fmt.Errorf("a generated document cannot be read: %w", err)
		}
		text := manifest.Scan(want[i].File, []byte(want[i].Text))
		if len(text.Docs) != 1 || text.Docs[0].Parse() != nil {
			return fmt.Errorf("%s was not generated as one document", want[i].Object)
		}
		if !manifest.Equal(text.Docs[0].Root, doc.Root) {
			return fmt.Errorf("%s is written in another way than it was generated", want[i].Object)
		}
		objects := objects.Objects(doc)
		if len(objects) != 1 || identityOf(objects[0]) != want[i].Object {
			return fmt.Errorf("%s was not generated as one object", want[i].Object)
		}
	}
	return nil
}

func identityOf(o *objects.Object) engine.ObjectName {
	return engine.ObjectName{Group: o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}
