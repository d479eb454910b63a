package manifest

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// setLiteral replaces the text of a literal block; unchanged lines keep their bytes. ok is false if the block is not
// written plainly or cannot hold the text: the text must then be quoted.
func (d *Document) setLiteral(n *Node, value string) (edit Edit, ok bool) {
	data := d.File.Data
	header := bytes.IndexByte(data[n.span.Start:n.span.End], '\n')
	if n.style&yaml.LiteralStyle == 0 || header < 0 || bytes.ContainsAny(data[n.span.Start:n.span.Start+header], "+123456789") {
		return Edit{}, false
	}
	body := Span{n.span.Start + header + 1, n.span.End}
	old := strings.Split(strings.TrimRight(n.value, "\n"), "\n")
	lines := strings.Split(strings.TrimRight(value, "\n"), "\n")
	written := strings.Split(string(data[body.Start:body.End]), "\n")
	if len(written) != len(old) || !fitsBlock(lines) {
		return Edit{}, false
	}
	indent := written[0][:len(written[0])-len(strings.TrimLeft(written[0], " "))]
	known := map[string]string{}
	for i, line := range written {
		known[old[i]] = strings.TrimSuffix(line, "\r")
	}
	for i, line := range lines {
		if kept, there := known[line]; there {
			lines[i] = kept
		} else if line != "" {
			lines[i] = indent + line
		}
	}
	return shorter(data, Edit{body, strings.Join(lines, d.File.newline())}), true
}

// fitsBlock reports whether lines fit into a literal block without an indentation indicator: the first line determines the
// indentation.
func fitsBlock(lines []string) bool {
	return lines[0] != "" && !strings.HasPrefix(lines[0], " ") && !strings.ContainsRune(strings.Join(lines, ""), '\r')
}

// shorter removes unchanged lines at the start and the end of an edit.
func shorter(data []byte, e Edit) Edit {
	for e.Start < e.End {
		line, _, whole := strings.Cut(e.New, "\n")
		if !whole || !bytes.HasPrefix(data[e.Start:e.End], []byte(line+"\n")) {
			break
		}
		e.Start, e.New = e.Start+len(line)+1, e.New[len(line)+1:]
	}
	for e.Start < e.End {
		i := strings.LastIndexByte(e.New, '\n')
		if i < 0 || !bytes.HasSuffix(data[e.Start:e.End], []byte(e.New[i:])) {
			break
		}
		e.End, e.New = e.End-(len(e.New)-i), e.New[:i]
	}
	return e
}
