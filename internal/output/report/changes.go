package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/output/diff"
	"github.com/salint/salint/internal/output/fixtext"
	"github.com/salint/salint/internal/output/report/source"
)

// change is a changed file, as reports show it.
type change struct {
	File string
	// Kind is new, removed or changed.
	Kind           string
	Added, Removed int
	Lines          []diffLine
	// Cut is how many lines are not shown; Hidden is why no lines are shown.
	Cut    int
	Hidden string
}

// diffLine is a line of a unified diff. Kind is add, del, hunk, or "" for context.
type diffLine struct{ Kind, Text string }

// changeOf returns a change with at most a number of lines. Data of Secrets is not shown; if it changed, no lines are
// shown.
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
		out.Hidden = "the change includes data of a Secret"
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

// diffLines splits a diff into lines. hiddenLine returns whether a line of the new file must not be shown.
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
			shown = line[:1] + source.Hidden
		}
		if line[0] == '+' || line[0] == ' ' {
			number++
		}
		lines = append(lines, diffLine{kind, shown})
	}
	return lines
}

// visible makes a line safe to print, but keeps tabs and drops a carriage return at the end.
func visible(line string) string {
	parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
	for i, part := range parts {
		parts[i] = safetext.Text(part)
	}
	return strings.Join(parts, "\t")
}

// hunkStart returns the first line of a hunk in the new file.
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

// sizes returns how many lines a change adds and removes.
func (c change) sizes() string { return fmt.Sprintf("+%d −%d", c.Added, c.Removed) }

// fixedLine is a fix that a run made, or would make.
type fixedLine struct{ Place, Text, Rule string }

// fixedLines lists the fixes, each once, because one edit can fix the findings of several units.
func fixedLines(r *finding.Result, p paths) []fixedLine {
	var lines []fixedLine
	seen := map[fixedLine]bool{}
	for _, f := range r.Findings {
		if f.Fix == nil || !f.Fix.Applied && !(r.Preview && len(f.Fix.Files) > 0) {
			continue
		}
		text := fixtext.Offered(f.Fix)
		if f.Fix.Applied {
			text = fixtext.Made(f.Fix)
		}
		if files := fixtext.OtherFiles(f.Fix, f.File, p.rel); files != "" {
			text = "in " + files + ": " + text
		}
		line := fixedLine{placeOf(f, p), safetext.Text(words.UpperFirst(text)), safetext.Text(f.Rule)}
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}

// placeOf returns the place of a finding as file:line.
func placeOf(f finding.Finding, p paths) string {
	file := safetext.Text(p.rel(f.File))
	if f.Range.Line < 1 || file == "" {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Range.Line)
}

// shownUnits is how many of the changed units reports for people list.
const shownUnits = 10

// unitsOf returns the changed units; folders are relative to the working directory.
func unitsOf(r *finding.Result, p paths) []finding.Unit {
	units := slices.Clone(r.ChangedUnits)
	for i, u := range units {
		if u.Kind == "kustomization" || u.Kind == "plain" {
			units[i].Name = p.rel(u.Name)
		}
	}
	return units
}

// changeLines describe what changes beyond the edits of lines: units, and files that go.
func changeLines(r *finding.Result, p paths) []string {
	var lines []string
	for _, line := range []string{unitsLine(r, p), deletedLine(r, p)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// deletedLine lists the files that are deleted, because an edit leaves nothing in them; "" if there are none.
func deletedLine(r *finding.Result, p paths) string {
	var files []string
	for _, c := range r.Changes {
		if c.After == nil {
			files = append(files, safetext.Text(p.rel(c.File)))
		}
	}
	if len(files) == 0 {
		return ""
	}
	what := "Deleted files: "
	if r.Preview {
		what = "Files that would be deleted: "
	}
	return what + finding.List(files, shownUnits)
}

// unitsLine lists the deployment units whose applied objects change; "" if there are none. The working directory itself has the name
// that it has in the repository.
func unitsLine(r *finding.Result, p paths) string {
	if len(r.ChangedUnits) == 0 {
		return ""
	}
	what := "Changed deployment units: "
	if r.Preview {
		what = "Deployment units that would change: "
	}
	units := unitsOf(r, p)
	for i, u := range units {
		if u.Name == "." || r.ChangedUnits[i].Name == "." {
			units[i] = r.ChangedUnits[i]
		}
	}
	return what + safetext.Text(finding.UnitList(units, shownUnits))
}
