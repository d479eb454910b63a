package sarif

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/report/source"
)

// fixOf returns a fix as text replacements, or nil if there is none or it cannot be expressed exactly.
func fixOf(fix *finding.Fix, files *source.Files) *sarif.Fix {
	if fix == nil || len(fix.Edits) == 0 {
		return nil
	}
	out := sarif.NewFix().WithDescriptionText(fmt.Sprintf("%s (%s)", plain(fix.Description), fix.Kind))
	for _, file := range filesOf(fix.Edits) {
		change, ok := changeOf(file, fix.Edits, files.Get(file))
		if !ok {
			return nil
		}
		out.ArtifactChanges = append(out.ArtifactChanges, change)
	}
	return out
}

// filesOf lists the files of edits in the order of the edits: grants come before the changes that need them.
func filesOf(edits []finding.FileEdit) []string {
	var files []string
	for _, e := range edits {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files
}

func changeOf(file string, edits []finding.FileEdit, src *source.File) (*sarif.ArtifactChange, bool) {
	change := sarif.NewArtifactChange(artifact(file))
	var own []finding.FileEdit
	for _, e := range edits {
		if e.File == file {
			own = append(own, e)
		}
	}
	own, ok := tidy(own, src)
	if !ok {
		return nil, false
	}
	for _, e := range own {
		replacement := sarif.NewReplacement(regionOf(e, src))
		if e.New != "" {
			replacement.WithInsertedContent(sarif.NewArtifactContent().WithText(e.New))
		}
		change.Replacements = append(change.Replacements, replacement)
	}
	return change, true
}

// tidy converts the edits of a file to a form that every client supports: sorted, merged if they touch, and not beginning
// inside an indentation. It rejects edits that overlap or lie outside the text. A nil source is a new file.
func tidy(edits []finding.FileEdit, src *source.File) ([]finding.FileEdit, bool) {
	slices.SortStableFunc(edits, func(a, b finding.FileEdit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	size := 0
	if src != nil {
		size = len(src.Data)
	}
	joined, ok := join(edits, size)
	if !ok || src == nil {
		return joined, ok
	}
	free := 0
	for i, e := range joined {
		joined[i] = outOfIndentation(src, e, free)
		free = e.End
	}
	return joined, true
}

// join merges edits that touch each other.
func join(edits []finding.FileEdit, size int) ([]finding.FileEdit, bool) {
	var joined []finding.FileEdit
	for _, e := range edits {
		end := 0
		if len(joined) > 0 {
			end = joined[len(joined)-1].End
		}
		switch {
		case e.Start < end || e.End < e.Start || e.End > size:
			return nil, false
		case len(joined) > 0 && e.Start == end:
			last := &joined[len(joined)-1]
			last.End, last.New = e.End, last.New+e.New
		default:
			joined = append(joined, e)
		}
	}
	return joined, true
}

// outOfIndentation returns an equivalent edit that does not begin in the white space at the start of a line, but at the end
// of the line before. The SARIF viewer of VS Code starts such a region at the first character after the indentation, so its
// fix would leave the indentation behind. Bytes before free belong to another edit.
func outOfIndentation(src *source.File, e finding.FileEdit, free int) finding.FileEdit {
	line, _ := src.Position(e.Start)
	span, _ := src.Line(line)
	if line == 1 || e.Start >= span.End || !isBlank(src.Data[span.Start:e.Start+1]) {
		return e
	}
	before, _ := src.Line(line - 1)
	if before.End < free {
		return e
	}
	e.New = string(src.Data[before.End:e.Start]) + e.New
	e.Start = before.End
	return e
}

func isBlank(text []byte) bool { return len(bytes.Trim(text, " \t")) == 0 }

// regionOf returns the place of an edit by lines and columns. Offsets are left out, because some clients treat a region
// with a byte offset as one of a binary file.
func regionOf(e finding.FileEdit, src *source.File) *sarif.Region {
	region := sarif.NewRegion()
	if src == nil {
		return region.WithStartLine(1).WithStartColumn(1).WithEndLine(1).WithEndColumn(1)
	}
	startLine, startColumn := src.Position(e.Start)
	endLine, endColumn := src.Position(e.End)
	return region.WithStartLine(startLine).WithStartColumn(startColumn).WithEndLine(endLine).WithEndColumn(endColumn)
}
