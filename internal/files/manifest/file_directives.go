package manifest

import (
	"bytes"
	"strings"
)

// fileDirective begins a comment that silences rules in the whole file. It does not belong to the field or document at which
// it stands.
const fileDirective = "salint:ignore-file"

// isFileDirective reports whether a comment, which begins with #, silences rules in the whole file.
func isFileDirective(comment string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(comment, "# \t"), fileDirective)
	return ok && (rest == "" || isBlank(rest[0]) || isBreak(rest[0]))
}

// fileDirectives returns the comments in a span that silence rules in the whole file, without the line breaks.
func (d *Document) fileDirectives(span Span) []string {
	data := d.File.Data
	var found []string
	for at := span.Start; at < span.End; {
		i := bytes.Index(data[at:span.End], []byte(fileDirective))
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(fileDirective)
		for start > span.Start && (data[start-1] == '#' || isBlank(data[start-1])) {
			start--
		}
		comment := strings.TrimSpace(string(data[start:contentEnd(data, at)]))
		if strings.HasPrefix(comment, "#") && isFileDirective(comment) && !d.Root.hasScalarAt(start) {
			found = append(found, comment)
		}
	}
	return found
}

// hasScalarAt reports whether an offset lies inside a scalar, where a # begins no comment.
func (n *Node) hasScalarAt(offset int) bool {
	if n == nil {
		return false
	}
	found := false
	n.walk(func(n *Node) {
		found = found || n.IsScalar() && n.span.Start <= offset && offset < n.span.End
	})
	return found
}

// keepFileDirectives adds to the edit that removes an entry the comments that are about the whole file. They move to the
// column of the entry: deeper, they could become text of a block scalar above.
func (d *Document) keepFileDirectives(edit Edit, e entry) (Edit, error) {
	kept := d.fileDirectives(edit.Span)
	if len(kept) == 0 {
		return edit, nil
	}
	data, newline := d.File.Data, d.File.newline()
	indent := strings.Repeat(" ", e.start-d.lineStartOf(e.start))
	switch beginsLine := edit.Start == d.lineStartOf(edit.Start); {
	case beginsLine && edit.End > 0 && data[edit.End-1] == '\n':
		for _, comment := range kept {
			edit.New += indent + comment + newline
		}
	case edit.End == d.Span.End || isBreak(data[edit.End]):
		for _, comment := range kept {
			edit.New += newline + indent + comment
		}
	case edit.Start == e.start && edit.New == "" && !strings.Contains(d.lineBefore(e.start), "{"): // the next field moves up to the dash
		for _, comment := range kept {
			edit.New += comment + newline + indent
		}
	default:
		return Edit{}, d.refuse(edit.Start, "a comment %s stands inside braces", fileDirective)
	}
	return edit, nil
}

func (d *Document) lineBefore(pos int) string { return string(d.File.Data[d.lineStartOf(pos):pos]) }

// fileDirectivesOf returns what stays of the text of a document: its marker, and the comments that are about the whole file; ""
// if there are none.
func (d *Document) fileDirectivesOf(span Span) string {
	data := d.File.Data
	if !bytes.Contains(data[span.Start:span.End], []byte(fileDirective)) || d.Parse() != nil {
		return ""
	}
	text, first := "", data[span.Start:lineEnd(data, span.Start)]
	if isMarker(first, "---") {
		text, span.Start = "---"+d.File.newline(), span.Start+len("---")
	}
	kept := d.fileDirectives(span)
	if len(kept) == 0 {
		return ""
	}
	return text + strings.Join(kept, d.File.newline()) + d.File.newline()
}
