package engine

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// editInSequence makes each change in the result of the changes before it, and returns one edit for the document. Removals
// come last, from the end, so that indexes stay valid.
func (s *merger) editInSequence(doc *manifest.Document, changes []*plannedChange) []manifest.Edit {
	text := doc.Bytes()
	for _, change := range removalsLast(changes) {
		ops := []Op{change.Op}
		if change.Op == ReplaceField {
			ops = []Op{RemoveValue, AddField}
		}
		for _, op := range ops {
			edited, err := EditText(doc, text, op, change.Change)
			if err != nil {
				s.refuse([]*plannedChange{change}, err)
				return nil
			}
			text = edited
		}
	}
	return []manifest.Edit{minimalEdit(doc, text)}
}

// EditText makes one change in a text that was the text of a document before earlier changes. The error is a
// *manifest.RefusedError if the editor refuses the change.
func EditText(doc *manifest.Document, text []byte, op Op, c Change) ([]byte, error) {
	file := manifest.Scan(doc.File.Path, text)
	if len(file.Docs) != 1 {
		return nil, errors.New("an edit did not leave exactly one document")
	}
	if err := file.Docs[0].Parse(); err != nil {
		return nil, err
	}
	edit, err := editOne(file.Docs[0], op, c)
	if err != nil {
		var refused *manifest.RefusedError
		if errors.As(err, &refused) {
			line, _ := doc.File.Position(doc.Span.Start)
			refused.Line += line - 1
		}
		return nil, err
	}
	return manifest.Apply(text, []manifest.Edit{edit})
}

// removalsLast sorts removals after all other changes, the last items first.
func removalsLast(changes []*plannedChange) []*plannedChange {
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b *plannedChange) int {
		if a.Op != RemoveValue || b.Op != RemoveValue {
			return boolInt(a.Op == RemoveValue) - boolInt(b.Op == RemoveValue)
		}
		return slices.CompareFunc(b.Path, a.Path, compareSteps)
	})
	return sorted
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareSteps orders the steps of paths; indexes are compared as numbers.
func compareSteps(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return x - y
	}
	return strings.Compare(a, b)
}

// minimalEdit returns the edit of a document without the beginning and the end that its old and new text share.
func minimalEdit(doc *manifest.Document, text []byte) manifest.Edit {
	old := doc.Bytes()
	head := 0
	for head < min(len(old), len(text)) && old[head] == text[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(text))-head && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	span := manifest.Span{Start: doc.Span.Start + head, End: doc.Span.End - tail}
	return manifest.Edit{Span: span, New: string(bytes.Clone(text[head : len(text)-tail]))}
}
