package manifest

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// entry is the text of a field, or of an item with its dash, among its siblings.
type entry struct{ start, end int }

func fieldEntry(f Field) entry {
	return entry{f.Key.span.Start, max(f.Key.span.End, int(f.Value.colon), f.Value.span.End)}
}

func itemEntry(n *Node) entry {
	if n.dash >= 0 {
		return entry{int(n.dash), max(int(n.dash)+1, n.span.End)}
	}
	return entry{n.span.Start, n.span.End}
}

// RemoveField deletes a key with its value and the comments that belong to it: those on its lines, those indented below it,
// and the block of comments directly above it in its column. An item of a sequence is deleted in the same way. A collection
// that loses its only entry becomes {} or []. A comment salint:ignore-file stays, because it is about the whole file. The error
// is a *RefusedError.
func (d *Document) RemoveField(p Path) (Edit, error) {
	if len(p) == 0 {
		return Edit{}, d.refuse(d.Span.Start, "the path is a whole document, not a field")
	}
	parent, err := d.editable(p[:len(p)-1])
	if err != nil {
		return Edit{}, err
	}
	index := parent.ownIndex(p[len(p)-1])
	if index < 0 {
		return Edit{}, d.refuseMissing(parent, p)
	}
	if err := d.checkAnchors(parent.removed(index)...); err != nil {
		return Edit{}, err
	}
	edit, err := d.removeEntry(parent, index)
	if err != nil {
		return Edit{}, err
	}
	return d.keepFileDirectives(edit, parent.entries()[index])
}

func (d *Document) removeEntry(parent *Node, index int) (Edit, error) {
	entries := parent.entries()
	switch {
	case len(entries) == 1:
		return d.replaceWithEmpty(parent, entries[0])
	case parent.inFlow():
		return d.removeFlow(parent, entries, index)
	default:
		return d.removeBlock(parent, entries, index)
	}
}

func (n *Node) removed(index int) []*Node {
	if n.IsMapping() {
		return []*Node{n.fields[index].Key, n.fields[index].Value}
	}
	return []*Node{n.items[index]}
}

func (n *Node) entries() []entry {
	var entries []entry
	for _, field := range n.fields {
		entries = append(entries, fieldEntry(field))
	}
	for _, item := range n.items {
		entries = append(entries, itemEntry(item))
	}
	return entries
}

// replaceWithEmpty replaces a collection that loses its only entry with an empty one.
func (d *Document) replaceWithEmpty(n *Node, only entry) (Edit, error) {
	empty := "{}"
	if n.IsSequence() {
		empty = "[]"
	}
	switch {
	case n.inFlow():
		return Edit{n.span, empty}, nil
	case n.colon > 0:
		return Edit{Span{int(n.colon), d.ownedEnd(only)}, " " + empty}, nil
	case n.dash >= 0:
		return Edit{Span{int(n.dash) + 1, d.ownedEnd(only)}, " " + empty}, nil
	default:
		return Edit{}, d.refuse(n.span.Start, "it is the only content of the document")
	}
}

// removeBlock deletes whole lines, unless the entry begins after a dash: then the next entry moves up to the dash.
func (d *Document) removeBlock(parent *Node, entries []entry, index int) (Edit, error) {
	e := entries[index]
	if !d.startsLine(e.start) {
		if index > 0 || len(entries) == 1 {
			return Edit{}, d.refuse(e.start, "it does not begin its line")
		}
		return Edit{Span{e.start, d.nextToken(d.ownedEnd(e))}, ""}, nil
	}
	floor := max(int(parent.colon), int(parent.dash), d.Span.Start)
	if index > 0 {
		floor = entries[index-1].end
	}
	span := Span{d.headComments(e.start, floor), d.afterBreak(d.ownedEnd(e))}
	if index > 0 {
		if above := parent.lastScalar(index - 1); above.inBlock() {
			return Edit{d.tidyBelowBlock(span, above), ""}, nil
		}
	}
	return Edit{d.tidy(span), ""}, nil
}

// lastScalar is the last scalar in the text of an entry.
func (n *Node) lastScalar(index int) *Node {
	if n.IsMapping() {
		n = n.fields[index].Value
	} else {
		n = n.items[index]
	}
	if n.target == nil && len(n.fields)+len(n.items) > 0 {
		return n.lastScalar(len(n.fields) + len(n.items) - 1)
	}
	return n
}

// inBlock reports whether the node is a literal or folded scalar.
func (n *Node) inBlock() bool { return n.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }

// tidyBelowBlock adjusts the span of whole lines below a block scalar, for which line breaks matter: its last one stays,
// and no blank line moves up to a scalar that keeps them (|+). A line of spaces can become text of a scalar that it moves
// up to, and so can the blank lines before it.
func (d *Document) tidyBelowBlock(span Span, above *Node) Span {
	data := d.File.Data
	header := data[above.span.Start:contentEnd(data, above.span.Start)]
	keeps := bytes.IndexByte(header, '+') >= 0
	for pos := span.End; pos < d.Span.End && isBlankLine(data[pos:lineEnd(data, pos)]); {
		line := data[pos:lineEnd(data, pos)]
		pos += len(line)
		if keeps || bytes.ContainsAny(line, " \t") {
			span.End = pos
		}
	}
	return span
}

// ownedEnd is the end of the last line that belongs to an entry, without its line break: the line of its value, or of the
// last comment that is indented deeper than the entry.
func (d *Document) ownedEnd(e entry) int {
	data := d.File.Data[:d.Span.End]
	indent := e.start - d.lineStartOf(e.start)
	end := contentEnd(data, e.end)
	for line := d.afterBreak(end); line < len(data); line = lineEnd(data, line) {
		text := bytes.TrimLeft(data[line:lineEnd(data, line)], " \t")
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		start := lineEnd(data, line) - len(text)
		if text[0] != '#' || start-line <= indent {
			break
		}
		end = contentEnd(data, start)
	}
	return end
}

// contentEnd is the end of the line that contains pos, without its break.
func contentEnd(data []byte, pos int) int {
	end := lineEnd(data, pos)
	for end > pos && isBreak(data[end-1]) {
		end--
	}
	return end
}

// afterBreak returns the offset after the line break at pos.
func (d *Document) afterBreak(pos int) int {
	data := d.File.Data[:d.Span.End]
	if pos < len(data) && data[pos] == '\r' {
		pos++
	}
	if pos < len(data) && data[pos] == '\n' {
		pos++
	}
	return pos
}

// nextToken is the next comment or text from pos on.
func (d *Document) nextToken(pos int) int {
	data := d.File.Data[:d.Span.End]
	for pos < len(data) && (isBlank(data[pos]) || isBreak(data[pos])) {
		pos++
	}
	return pos
}

// headComments is the start of the block of comment lines directly above an entry, in its column; without any, the start of
// the entry's line. Lines before floor belong to other entries.
func (d *Document) headComments(start, floor int) int {
	data := d.File.Data
	line := d.lineStartOf(start)
	column := start - line
	for line-1 >= floor && line > d.Span.Start {
		above := d.lineStartOf(line - 1)
		text := bytes.TrimLeft(data[above:line], " \t")
		if above < floor || len(text) == 0 || text[0] != '#' || line-len(text)-above != column {
			break
		}
		line = above
	}
	return line
}

// tidy adjusts the span of whole lines: of two blank lines that would meet only one stays, none stays at the end of a document,
// and a file without a final line break does not get one.
func (d *Document) tidy(span Span) Span {
	data := d.File.Data
	for span.End == d.Span.End && span.Start > d.Span.Start {
		above := d.lineStartOf(span.Start - 1)
		if !isBlankLine(data[above:span.Start]) {
			break
		}
		span.Start = above
	}
	if span.End == len(data) && !bytes.HasSuffix(data, []byte("\n")) && span.Start > 0 {
		span.Start = contentStart(data, span.Start)
		return span
	}
	if span.Start > 0 && isBlankLine(data[d.lineStartOf(span.Start-1):span.Start]) && span.End < len(data) {
		if next := lineEnd(data, span.End); isBlankLine(data[span.End:next]) {
			span.End = next
		}
	}
	return span
}

// contentStart moves back before the line break that precedes pos.
func contentStart(data []byte, pos int) int {
	if pos > 0 && data[pos-1] == '\n' {
		pos--
	}
	if pos > 0 && data[pos-1] == '\r' {
		pos--
	}
	return pos
}

func isBlankLine(line []byte) bool { return len(line) > 0 && len(bytes.TrimSpace(line)) == 0 }

// removeFlow deletes an entry between brackets, with the comma after it or, for the last entry, before it. An entry on
// separate lines goes with these lines and with the comments that belong to it, as in block style.
func (d *Document) removeFlow(parent *Node, entries []entry, index int) (Edit, error) {
	e := entries[index]
	comma := d.commaAfter(e, parent, entries, index)
	wholeLines := d.startsLine(e.start) && d.endsLine(comma)
	if comma == 0 || index+1 == len(entries) && !wholeLines {
		return d.removeLastFlow(entries[index-1], e)
	}
	if bytes.IndexByte(d.File.Data[e.end:comma], '#') >= 0 {
		return Edit{}, d.refuse(e.start, "a comment stands before its comma")
	}
	if wholeLines {
		floor := parent.span.Start + 1
		if index > 0 {
			floor = entries[index-1].end
		}
		return Edit{Span{d.headComments(e.start, floor), d.afterBreak(d.ownedEnd(entry{e.start, comma}))}, ""}, nil
	}
	if next := d.nextToken(comma); next == entries[index+1].start && !bytes.ContainsAny(d.File.Data[comma:next], "\r\n") {
		return Edit{Span{e.start, next}, ""}, nil
	}
	return Edit{Span{e.start, comma}, ""}, nil
}

// commaAfter is the offset after the comma that follows an entry; 0 if none does, because the entry is the last. A comma in a comment
// is none.
func (d *Document) commaAfter(e entry, parent *Node, entries []entry, index int) int {
	end := parent.span.End - 1 // the bracket
	if index+1 < len(entries) {
		end = entries[index+1].start
	}
	for at := e.end; at < end; at++ {
		switch d.File.Data[at] {
		case ',':
			return at + 1
		case '#':
			at = contentEnd(d.File.Data, at)
		}
	}
	return 0
}

// removeLastFlow deletes the last entry between brackets and the comma before it. Comments that belong to others stay.
func (d *Document) removeLastFlow(before, e entry) (Edit, error) {
	data := d.File.Data
	comma := before.end + bytes.IndexByte(data[before.end:e.start], ',')
	if bytes.IndexByte(data[before.end:comma], '#') >= 0 {
		return Edit{}, d.refuse(e.start, "a comment stands before the comma above it")
	}
	head, end := e.start, e.end
	if d.startsLine(e.start) {
		head = max(d.headComments(e.start, comma), comma+1)
		if d.endsLine(e.end) {
			end = d.ownedEnd(e)
		}
	}
	kept := data[comma+1 : head]
	if bytes.IndexByte(kept, '#') < 0 {
		return Edit{Span{before.end, end}, d.gapAfter(before)}, nil
	}
	if end > e.end || d.endsLine(e.end) { // the bracket is on a line below
		end = d.afterBreak(end)
	} else {
		kept = append(bytes.Clone(kept), data[d.lineStartOf(e.start):e.start]...)
	}
	return Edit{Span{before.end, end}, string(kept)}, nil
}

// endsLine reports whether nothing but a comment follows on the line.
func (d *Document) endsLine(pos int) bool {
	rest := bytes.TrimSpace(d.File.Data[pos:contentEnd(d.File.Data, pos)])
	return len(rest) == 0 || rest[0] == '#'
}

// gapAfter is the text that must stay between an entry and the bracket that follows it: a key without a value needs a
// space, or its colon would become part of the key.
func (d *Document) gapAfter(e entry) string {
	if d.File.Data[e.end-1] == ':' {
		return " "
	}
	return ""
}

func isBlankOrEmpty(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// RemoveDocument deletes a document of the file with its marker. For the first document, a block of comments at the top
// that a blank line separates stays: such a block describes the file. Comments salint:ignore-file stay as well, as a part of
// the file without a document.
func (f *File) RemoveDocument(i int) Edit {
	d := f.Docs[i]
	span := d.Span
	if kept := d.fileDirectivesOf(span); kept != "" {
		return Edit{span, kept}
	}
	if isMarker(f.Data[span.Start:span.End], "---") || i == len(f.Docs)-1 {
		return Edit{span, ""}
	}
	span.Start = f.headerEnd(span)
	if isMarker(f.Data[span.End:], "---") && isBlankOrEmpty(f.Data[span.End+3:contentEnd(f.Data, span.End+3)]) {
		span.End = lineEnd(f.Data, span.End)
	}
	return Edit{span, ""}
}

// headerEnd is the end of the file's header of comments, including the blank line after it; without a header, the start of
// the span.
func (f *File) headerEnd(span Span) int {
	pos := span.Start
	for pos < span.End {
		end := lineEnd(f.Data, pos)
		switch line := bytes.TrimSpace(f.Data[pos:end]); {
		case len(line) == 0 && pos > span.Start:
			return end
		case len(line) == 0 || line[0] != '#':
			return span.Start
		}
		pos = end
	}
	return span.Start
}
