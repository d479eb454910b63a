package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/diff"
	"github.com/salint/salint/internal/output/redact"
)

// change is what becomes of a file, as reports show it.
type change struct {
	File string
	// Kind is new, removed or changed.
	Kind           string
	Added, Removed int
	Lines          []diffLine
	// Cut is how many lines are left out; Hidden says why none are shown.
	Cut    int
	Hidden string
}

// diffLine is a line of a unified diff. Kind is add, del, hunk, or "" for context.
type diffLine struct{ Kind, Text string }

// changeOf shows no more than a number of lines. The data of Secrets is not shown, and where a change is among it, nothing is.
func changeOf(c finding.Change, p paths, most int) change {
	out := change{File: safetext.Text(p.rel(c.File)), Kind: "changed"}
	switch {
	case c.Before == nil:
		out.Kind = "new"
	case c.After == nil:
		out.Kind = "removed"
	}
	text, err := diff.Unified(c.File, c.Before, c.After, redact.Lines(c.File, c.Before))
	var hidden *diff.HiddenError
	switch {
	case errors.As(err, &hidden):
		out.Hidden = "the change stands among the data of a Secret, which no report shows"
	case err != nil:
		out.Hidden = "the change cannot be shown as a diff"
	default:
		out.Lines = diffLines(text, redact.Lines(c.File, c.After))
	}
	for _, line := range out.Lines {
		switch line.Kind {
		case "add":
			out.Added++
		case "del":
			out.Removed++
		}
	}
	if out.Cut = max(len(out.Lines)-most, 0); out.Cut > 0 {
		out.Lines = out.Lines[:most]
	}
	return out
}

// diffLines takes the hunks of a diff apart. Hidden tells which lines of the new file must not be shown.
func diffLines(text string, hiddenLine func(line int) bool) []diffLine {
	var lines []diffLine
	number, inside := 0, false // of the next line of the new file
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if start, ok := hunkStart(line); ok {
			number, inside = start, true
			lines = append(lines, diffLine{"hunk", line})
			continue
		}
		if !inside || line == "" {
			continue
		}
		kind := map[byte]string{'+': "add", '-': "del"}[line[0]]
		shown := line[:1] + visible(line[1:])
		if hiddenLine != nil && line[0] != '-' && line[0] != '\\' && hiddenLine(number) {
			shown = line[:1] + hidden
		}
		if line[0] == '+' || line[0] == ' ' {
			number++
		}
		lines = append(lines, diffLine{kind, shown})
	}
	return lines
}

// visible is printable, but leaves tabs to be tabs and does not tell of a carriage return at the end.
func visible(line string) string {
	parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
	for i, part := range parts {
		parts[i] = safetext.Text(part)
	}
	return strings.Join(parts, "\t")
}

// hunkStart reads where a hunk begins in the new file.
func hunkStart(line string) (int, bool) {
	rest, isHunk := strings.CutPrefix(line, "@@ -")
	if !isHunk {
		return 0, false
	}
	_, place, _ := strings.Cut(rest, " +")
	place, _, _ = strings.Cut(place, " @@")
	place, _, _ = strings.Cut(place, ",")
	start, err := strconv.Atoi(place)
	return start, err == nil
}

// sizes writes how many lines a change adds and removes.
func (c change) sizes() string { return fmt.Sprintf("+%d −%d", c.Added, c.Removed) }

// fixedLine says what a run has mended, or would.
type fixedLine struct{ Place, Text, Rule string }

// fixedLines lists what is mended, each once: one edit may settle the findings of several units.
func fixedLines(r *finding.Result, p paths) []fixedLine {
	var lines []fixedLine
	told := map[fixedLine]bool{}
	for _, f := range r.Findings {
		if f.Fix == nil || !f.Fix.Applied && !(r.Preview && len(f.Fix.Edits) > 0) {
			continue
		}
		line := fixedLine{placeOf(f, p), safetext.Text(f.Fix.Description), safetext.Text(f.Rule)}
		if !told[line] {
			told[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}

// placeOf is file:line of a finding.
func placeOf(f finding.Finding, p paths) string {
	file := safetext.Text(p.rel(f.File))
	if f.Range.Line < 1 || file == "" {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Range.Line)
}
