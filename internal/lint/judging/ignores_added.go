package judging

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/manifest"
)

// ignoresAdded returns a note for each ignore comment or annotation in a line that the base revision does not have. What they silence
// is not in the report, so without the notes a change could silence its own findings unseen. Like settingsChanged, they are added
// after everything that silences findings.
func (r *Report) ignoresAdded() []finding.Finding {
	if r.options.Revision.Base == nil {
		return nil
	}
	added := addedLines{report: r, files: map[string][]manifest.Span{}}
	var notes []finding.Finding
	directives := r.directives()
	for _, file := range slices.Sorted(maps.Keys(directives)) {
		for _, d := range directives[file] {
			if d.Problem == "" && added.has(file, d.Range) {
				notes = append(notes, r.ignoreNote(commentText(d), file, d.Range))
			}
		}
	}
	seen := map[finding.Place]bool{} // several units can apply an object
	for _, a := range r.annotations() {
		file := a.File
		if a.Place != "" {
			file = a.Place
		}
		at := finding.Place{File: file, Line: a.Range.Line}
		if !seen[at] && added.has(file, a.Range) {
			seen[at] = true
			notes = append(notes, r.ignoreNote("The annotation "+silence.AnnotationKey+": "+a.Value, file, a.Range))
		}
	}
	return notes
}

// commentText names an ignore comment as the beginning of a sentence.
func commentText(d silence.Directive) string {
	name := "The comment salint:ignore "
	if d.WholeFile {
		name = "The comment salint:ignore-file "
	}
	return name + strings.Join(d.Rules, ",")
}

func (r *Report) ignoreNote(what, file string, at finding.Range) finding.Finding {
	return finding.AboutFile(finding.RuleSettings, file, at, fmt.Sprintf(
		"%s was added since %s: findings that it silences are not in this report. Review it.", what, r.options.Revision.Since))
}

// addedLines are the lines that files have in addition to the base revision, by file.
type addedLines struct {
	report *Report
	files  map[string][]manifest.Span
}

// has reports whether a place is in an added line.
func (a addedLines) has(file string, at finding.Range) bool {
	if !a.report.options.Revision.Differs[file] {
		return false
	}
	spans, known := a.files[file]
	if !known {
		spans = a.report.addedIn(file)
		a.files[file] = spans
	}
	return slices.ContainsFunc(spans, func(s manifest.Span) bool { return s.Start <= at.Start && at.Start < s.End })
}

// addedIn returns the lines of a file that the base revision does not have. What a fix of this run has created is not part of the
// change that is reviewed. If the base revision cannot be read, all lines count as added.
func (r *Report) addedIn(file string) []manifest.Span {
	if _, err := r.options.Original.Read(file); err != nil {
		return nil
	}
	after := r.source(file)
	before, err := fs.ReadFile(r.options.Revision.Base, file)
	if err != nil {
		return []manifest.Span{{End: len(after)}}
	}
	return addedSpans(before, after)
}

// addedSpans returns the lines that a text has in addition to its earlier version. git can convert line ends when it checks out a file;
// a line that differs only in them is the same.
func addedSpans(before, after []byte) []manifest.Span {
	if bytes.Contains(after, []byte("\r\n")) && !bytes.Contains(before, []byte("\r")) {
		before = bytes.ReplaceAll(before, []byte("\n"), []byte("\r\n"))
	}
	var spans []manifest.Span
	moved := 0 // by how many bytes the edits so far move what follows
	for _, e := range udiff.Lines(string(before), string(after)) {
		start := e.Start + moved
		spans = append(spans, manifest.Span{Start: start, End: start + len(e.New)})
		moved += len(e.New) - (e.End - e.Start)
	}
	return spans
}
