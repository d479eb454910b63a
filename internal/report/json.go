package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/salint/salint/internal/finding"
)

// schemaVersion changes when a program that reads the report would have to change.
const schemaVersion = "1"

// The JSON report. Names and shape are promised to users: only add.
type (
	jsonReport struct {
		SchemaVersion string        `json:"schemaVersion"`
		Tool          jsonTool      `json:"tool"`
		Target        jsonTarget    `json:"target"`
		Findings      []jsonFinding `json:"findings"`
		Summary       jsonSummary   `json:"summary"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonTarget struct {
		Name         string `json:"name"`
		Model        string `json:"model"`
		DetectedFrom string `json:"detectedFrom"`
	}
	jsonFinding struct {
		Rule        string        `json:"rule"`
		Severity    string        `json:"severity"`
		Message     string        `json:"message"`
		Target      string        `json:"target"`
		File        string        `json:"file"`
		Line        int           `json:"line"`
		Column      int           `json:"column"`
		EndLine     int           `json:"endLine"`
		EndColumn   int           `json:"endColumn"`
		Resource    jsonResource  `json:"resource"`
		Path        string        `json:"path"`
		Fix         *jsonFix      `json:"fix"`
		Related     []jsonRelated `json:"related"`
		Origin      jsonOrigin    `json:"origin"`
		Fingerprint string        `json:"fingerprint"`
	}
	jsonResource struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	}
	jsonFix struct {
		Kind        string `json:"kind"`
		Applied     bool   `json:"applied"`
		Description string `json:"description"`
	}
	jsonRelated struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	jsonOrigin struct {
		Kustomization string `json:"kustomization"`
		Chart         string `json:"chart"`
		Template      string `json:"template"`
	}
	jsonSummary struct {
		Files      int `json:"files"`
		Documents  int `json:"documents"`
		Errors     int `json:"errors"`
		Warnings   int `json:"warnings"`
		Notes      int `json:"notes"`
		Suppressed int `json:"suppressed"`
		Fixed      int `json:"fixed"`
	}
)

func writeJSON(w *bufio.Writer, r *finding.Result, _ Options) error {
	p := pathsOf(r)
	report := jsonReport{
		SchemaVersion: schemaVersion,
		Tool:          jsonTool{"salint", r.Version},
		Target:        jsonTarget{r.Target.Name, r.Target.Model, p.place(r.Target.DetectedFrom)},
		Findings:      make([]jsonFinding, len(r.Findings)),
		Summary:       jsonSummary(r.Summary),
	}
	for i, f := range r.Findings {
		report.Findings[i] = jsonFindingOf(f, p)
	}
	return encode(w, report)
}

func jsonFindingOf(f finding.Finding, p paths) jsonFinding {
	place := whole(f.Range)
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, Target: f.Target,
		File: p.rel(f.File), Line: place.Line, Column: place.Column, EndLine: place.EndLine, EndColumn: place.EndColumn,
		Resource:    jsonResource(f.Resource),
		Path:        f.Path,
		Related:     make([]jsonRelated, len(f.Related)),
		Origin:      jsonOrigin{p.rel(f.Origin.Kustomization), p.rel(f.Origin.Chart), p.rel(f.Origin.Template)},
		Fingerprint: f.Fingerprint(),
	}
	for i, r := range f.Related {
		out.Related[i] = jsonRelated{p.rel(r.File), max(r.Line, 1), r.Message}
	}
	if f.Fix != nil {
		out.Fix = &jsonFix{string(f.Fix.Kind), f.Fix.Applied, f.Fix.Description}
	}
	return out
}

// whole fills in what a range leaves open, so that every position is 1-based and the end is not before the start: a
// finding about a file points to its beginning, one about a line to the whole line's start.
func whole(r finding.Range) finding.Range {
	r.Line, r.Column = max(r.Line, 1), max(r.Column, 1)
	r.EndLine = max(r.EndLine, r.Line)
	if r.EndLine == r.Line {
		r.EndColumn = max(r.EndColumn, r.Column)
	}
	r.EndColumn = max(r.EndColumn, 1)
	return r
}

// encode writes a value as indented JSON. Bytes that are no UTF-8 become U+FFFD, and what a terminal would obey or
// hide is written as \u escapes: the same value to a program, and harmless to whoever prints the file.
func encode(w io.Writer, value any) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out := escapeUnprintable(buffer.Bytes())
	out = bytes.ReplaceAll(out, []byte(runnerCommand), []byte(`##\u005b`))
	_, err := w.Write(out)
	return err
}

// escapeUnprintable works on encoded JSON, in which characters beyond ASCII stand inside strings only.
func escapeUnprintable(encoded []byte) []byte {
	if isASCII(encoded) {
		return encoded
	}
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		switch {
		case r < utf8.RuneSelf && r != 0x7f || strconv.IsPrint(r):
			out = append(out, encoded[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		encoded = encoded[size:]
	}
	return out
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f {
			return false
		}
	}
	return true
}
