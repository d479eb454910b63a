package verify

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
)

// isText reports whether the declarations for a file are about text, and not about a manifest.
func isText(change engine.FileChange) bool {
	return len(change.Texts) > 0 || slices.ContainsFunc(change.Documents, func(d engine.Document) bool { return d.Template })
}

// checkText compares a changed template with its declarations, byte by byte.
func checkText(change engine.FileChange) error {
	if len(change.Changes) > 0 {
		return errors.New("it is changed both as text and as a manifest")
	}
	want, err := splice(change.Before, change.Texts)
	if err != nil {
		return err
	}
	added := ""
	for i, d := range change.Documents {
		if i > 0 || change.Before != nil {
			added += "---\n"
		}
		added += d.Text
	}
	if change.Before != nil && added != "" && !bytes.HasSuffix(want, []byte("\n")) {
		added = "\n" + added
	}
	rest, ok := bytes.CutPrefix(change.After, want)
	if !ok || strings.ReplaceAll(string(rest), "\r\n", "\n") != strings.ReplaceAll(added, "\r\n", "\n") {
		return undeclared("its text", "differ from the declared change")
	}
	return nil
}

// splice applies changes of a text.
func splice(before []byte, texts []engine.TextChange) ([]byte, error) {
	sorted := slices.Clone(texts)
	slices.SortStableFunc(sorted, func(a, b engine.TextChange) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var out []byte
	at := 0
	for _, t := range sorted {
		if t.Span.Start < at || t.Span.End < t.Span.Start || t.Span.End > len(before) {
			return nil, fmt.Errorf("the changes of its text at %d overlap, or are outside of it", t.Span.Start)
		}
		out = append(append(out, before[at:t.Span.Start]...), t.New...)
		at = t.Span.End
	}
	return append(out, before[at:]...), nil
}
