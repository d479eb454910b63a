package manifest

import (
	"bytes"
	"errors"
	"fmt"
)

const (
	// maxNodes is how many nodes a document can have, as written. The largest CRDs in use have about 60,000. A node takes
	// about 500 bytes of memory.
	maxNodes = 500_000
	// maxExpansion is how many nodes aliases and merge keys can add to a document. A few lines of them can stand for billions
	// of nodes; manifests in use add some hundreds.
	maxExpansion = 50_000
)

// errTooManyNodes reports a document with more than maxNodes nodes.
var errTooManyNodes = errors.New("too many nodes")

// structure are the bytes of which at least one comes with every node but the first.
const structure = "\n,:[{?-"

// tooLarge reports whether a document has more than maxNodes nodes. It is asked before the document is parsed, which would take the
// memory. Documents that the scanner does not support are estimated by their bytes.
func (d *Document) tooLarge() bool {
	data := d.Bytes()
	if len(data) <= maxNodes {
		return false
	}
	estimate := 1
	for i := range len(structure) {
		estimate += bytes.Count(data, []byte{structure[i]})
	}
	if estimate <= maxNodes {
		return false
	}
	_, err := scanTree(d.File.Data, d.Span)
	return err != nil
}

// Expansion returns how many nodes aliases and merge keys add to the document once Parse has succeeded.
func (d *Document) Expansion() int { return d.result().expansion }

// measure counts the nodes that aliases and merge keys add, and rejects a document with too many: what is decoded of it would
// have to be cut off.
func (d *Document) measure() error {
	if len(d.known.anchorUse) == 0 {
		return nil
	}
	m := &measurer{sizes: map[*Node]int{}, used: d.known.anchorUse}
	m.size(d.Root)
	d.known.expansion = m.added
	if m.over == nil {
		return nil
	}
	what := fmt.Sprintf("its aliases stand for more than %dk values", maxExpansion/1000)
	if m.endless {
		what = "the alias stands for a value that contains it"
	}
	return d.limitError(m.over.span.Start, "the document was not checked: "+what+"; write out the values")
}

// measurer visits every node of a document once. An anchor precedes its aliases, so the size of what an alias stands for is known
// when the alias is reached; if not, the alias is inside what it stands for.
type measurer struct {
	sizes map[*Node]int
	used  map[*Node]int
	added int
	over  *Node // the alias with which the document exceeds maxExpansion
	// endless is true if that alias is inside what it stands for.
	endless bool
}

func (m *measurer) size(n *Node) int {
	if n == nil || m.over != nil {
		return 0
	}
	if n.target != nil {
		return m.alias(n)
	}
	total := 1
	for _, field := range n.fields {
		total += m.size(field.Key) + m.size(field.Value)
	}
	for _, item := range n.items {
		total += m.size(item)
	}
	if m.used[n] > 0 {
		m.sizes[n] = total
	}
	return total
}

func (m *measurer) alias(n *Node) int {
	size, known := m.sizes[n.target]
	if m.added += size; !known || m.added > maxExpansion {
		m.over, m.endless = n, !known
	}
	return size
}

// limitError returns the error of a document that exceeds a limit.
func (d *Document) limitError(offset int, message string) error {
	line, column := d.File.Position(offset)
	return &SyntaxError{File: d.File.Path, Line: line, Column: column, Message: message, Limit: true}
}
