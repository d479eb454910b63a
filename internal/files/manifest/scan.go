package manifest

import "bytes"

// Scan finds the documents of a file without parsing them. In YAML a marker in the first column ends everything before it,
// so document boundaries can be read from the lines.
func Scan(path string, data []byte) *File {
	f := &File{Path: path, Data: data}
	start := 0
	if bytes.HasPrefix(data, byteOrderMark) {
		start = len(byteOrderMark)
	}
	for line := start; line < len(data); {
		end := lineEnd(data, line)
		switch {
		case line > start && isMarker(data[line:end], "---"):
			if f.addDocument(Span{start, line}) || !hasDirective(data[start:line]) {
				start = afterMark(data, line, end) // otherwise the directive belongs to the document that begins here
			}
		case isMarker(data[line:end], "..."):
			f.addDocument(Span{start, end})
			start = end
		}
		line = nextMarkerCandidate(data, end)
	}
	f.addDocument(Span{start, len(data)})
	return f
}

// afterMark returns where the document of a marker line begins: at the marker, or after a byte order mark that follows it. Kustomize and kubectl
// divide a file before they parse it, so that they ignore such a mark, which a parser of the whole file takes for a part of the first key.
func afterMark(data []byte, line, end int) int {
	if bytes.HasPrefix(data[end:], byteOrderMark) && !hasContent(data[line:end]) {
		return end + len(byteOrderMark)
	}
	return line
}

// addDocument adds the span if it is a document, and reports whether it is.
func (f *File) addDocument(span Span) bool {
	if !hasContent(f.Data[span.Start:span.End]) {
		return false
	}
	f.Docs = append(f.Docs, &Document{File: f, Index: len(f.Docs), Span: span})
	return true
}

// hasDirective reports whether text without content has a directive, such as %YAML.
func hasDirective(data []byte) bool {
	return bytes.HasPrefix(data, []byte("%")) || bytes.Contains(data, []byte("\n%"))
}

// nextMarkerCandidate returns the start of the first line, of those that begin at `from` or later, that could be a marker.
func nextMarkerCandidate(data []byte, from int) int {
	for from < len(data) && data[from] != '-' && data[from] != '.' {
		from = lineEnd(data, from)
	}
	return from
}

// isMarker reports whether a line is a document marker: three characters, then white space or nothing.
func isMarker(line []byte, marker string) bool {
	if !bytes.HasPrefix(line, []byte(marker)) {
		return false
	}
	return len(line) == len(marker) || isBlank(line[len(marker)]) || isBreak(line[len(marker)])
}

// hasContent reports whether a text holds more than markers, directives, comments, and white space.
func hasContent(data []byte) bool {
	for pos := 0; pos < len(data); {
		end := bytes.IndexAny(data[pos:], "\r\n") // a lone carriage return ends a comment, too
		if end < 0 {
			end = len(data) - pos - 1
		}
		line := data[pos : pos+end+1]
		pos += end + 1
		if isMarker(line, "---") || isMarker(line, "...") {
			line = line[3:]
		}
		line = bytes.TrimLeft(line, " \t\r\n")
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return true
		}
	}
	return false
}

// lineEnd returns the offset after the line break that ends the line at pos.
func lineEnd(data []byte, pos int) int {
	if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(data)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
