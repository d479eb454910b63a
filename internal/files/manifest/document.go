package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"
	"unique"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Document is one document of a file. It is parsed on demand, by one goroutine. Others may take over the result.
type Document struct {
	File  *File
	Index int
	// Span covers the document with its marker.
	Span Span
	// Root is the top node once Parse has succeeded.
	Root *Node
	// Exact is true if the bytes of every node are known for certain. If not, the document can be read, with the positions
	// of the parser, but it cannot be edited.
	Exact bool

	// LastKeys is set before Parse to keep the last value of a key that a mapping has several times. Otherwise such a document is an error.
	LastKeys bool

	parsed atomic.Bool
	// known is what else Parse found out; nil before. Most documents of a large repository are never parsed.
	known *parseResult
	// header has the results of Kind and APIVersion, once they are read.
	header unique.Handle[header]
}

// parseResult is what is known of a document after it was parsed, beside its nodes.
type parseResult struct {
	err       error
	inexact   error         // why Exact is false
	anchorUse map[*Node]int // how many aliases point to an anchored node
	expansion int           // the result of Expansion
	repeated  []int         // where the fields that LastKeys left out begin
}

// result returns what is known of the document; that is nothing before it was parsed.
func (d *Document) result() parseResult {
	if d.known == nil {
		return parseResult{}
	}
	return *d.known
}

// Bytes are the bytes of the document, its marker included.
func (d *Document) Bytes() []byte { return d.File.Data[d.Span.Start:d.Span.End] }

// maxDepth is the deepest nesting of a document that is read. The deepest CRD schemas in use have about fifty levels.
const maxDepth = 1000

// Parse reads the document. The error is a *SyntaxError. Further calls return the first result.
func (d *Document) Parse() error {
	if !d.parsed.Load() {
		d.known = &parseResult{}
		d.known.err = d.parse()
		d.parsed.Store(true)
	}
	return d.known.err
}

// Parsed reports whether the document is parsed.
func (d *Document) Parsed() bool { return d.parsed.Load() }

// TakeOver takes over the result of another document with the same bytes at the same place, if that one is parsed without an error: both
// have the same nodes. Errors have the line of the document, and that can be another one.
func (d *Document) TakeOver(other *Document) {
	if !other.Parsed() || other.known.err != nil || other.known.inexact != nil || d.Parsed() || d.Span != other.Span || !bytes.Equal(d.Bytes(), other.Bytes()) {
		return
	}
	d.Root, d.Exact, d.known = other.Root, other.Exact, other.known
	d.parsed.Store(true)
}

// TakeOver takes over the results of those documents of another file that have the same bytes at the same place.
func (f *File) TakeOver(other *File) {
	if other == nil {
		return
	}
	for i := range min(len(f.Docs), len(other.Docs)) {
		f.Docs[i].TakeOver(other.Docs[i])
	}
}

func (d *Document) parse() error {
	if at := notUTF8(d.Bytes()); at >= 0 { // the parser detects it too, but reports no position
		at += d.Span.Start
		return d.syntaxError(at, fmt.Sprintf("not UTF-8: byte 0x%02x", d.File.Data[at]))
	}
	if d.tooLarge() {
		return d.limitError(d.Span.Start, fmt.Sprintf("the document was not checked: it has more than %dk values; divide it", maxNodes/1000))
	}
	decoder := yaml.NewDecoder(bytes.NewReader(d.Bytes()))
	var parsed yaml.Node
	if err := decoder.Decode(&parsed); err != nil {
		return d.parserError(err)
	}
	if len(parsed.Content) != 1 {
		return d.syntaxError(d.Span.Start, "the document is empty")
	}
	if tooDeep(&parsed, maxDepth) {
		return d.syntaxError(d.Span.Start, fmt.Sprintf("nested deeper than %d levels", maxDepth))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return d.syntaxError(d.Span.Start, "a further document begins without a marker line (---)")
	}
	d.build(parsed.Content[0])
	if d.LastKeys {
		d.keepLastKeys(d.Root)
	} else if err := d.checkDuplicates(d.Root); err != nil {
		return err
	}
	return d.measure()
}

// build joins the parser's tree with the scanner's spans. If the two disagree, the parser's tree is used and the document
// cannot be edited.
func (d *Document) build(parsed *yaml.Node) {
	builder := &builder{doc: d, anchors: map[*yaml.Node]*Node{}, lines: parserLines(d.Bytes())}
	scanned, err := scanTree(d.File.Data, d.Span)
	if err == nil {
		d.Root, err = builder.join(parsed, scanned)
	}
	if err != nil {
		d.known.inexact = err
		builder.anchors, builder.aliases, builder.free = map[*yaml.Node]*Node{}, nil, nil
		d.Root = builder.approximate(parsed)
	}
	d.Exact = err == nil
	d.known.anchorUse = builder.resolve()
}

// ParsedNode returns kyaml's node for one of the document's nodes, with comments: the bytes are parsed again. It is nil for a node of
// another document, and of one from which LastKeys left out nodes.
func (d *Document) ParsedNode(n *Node) *yaml.Node {
	var parsed yaml.Node
	if d.Root == nil || len(d.known.repeated) > 0 || yaml.Unmarshal(d.Bytes(), &parsed) != nil || len(parsed.Content) != 1 {
		return nil
	}
	return counterpart(d.Root, parsed.Content[0], n)
}

// counterpart walks two trees of the same structure at once.
func counterpart(n *Node, parsed *yaml.Node, wanted *Node) *yaml.Node {
	if n == wanted {
		return parsed
	}
	children := slices.Clone(n.items)
	for _, field := range n.fields {
		children = append(children, field.Key, field.Value)
	}
	for i, child := range children {
		if found := counterpart(child, parsed.Content[i], wanted); found != nil {
			return found
		}
	}
	return nil
}

var parserErrorLine = lazyregexp.New(`^yaml: (?:line (\d+): )?`)

// notUTF8 is the offset of the first byte that is not UTF-8, or -1.
func notUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return -1
}

// parserError returns the parser's error with its position in the file: the parser counts from the document's first line.
func (d *Document) parserError(err error) error {
	message := err.Error()
	if match := parserErrorAnchor().FindStringSubmatch(message); match != nil {
		return d.syntaxError(d.aliasStart(match[1]), "an alias without an anchor before it")
	}
	match := parserErrorLine().FindStringSubmatch(message)
	if match == nil {
		return d.syntaxError(d.Span.Start, message)
	}
	message = strings.TrimPrefix(message, match[0])
	line, _ := strconv.Atoi(match[1])
	return d.syntaxError(d.lineStart(line), message)
}

// parserErrorAnchor matches the only errors of the parser that quote a text of the document. The text can be one of a Secret.
var parserErrorAnchor = lazyregexp.New(`^yaml: unknown anchor '(.*)' referenced$`)

// aliasStart is the offset of the first alias with a name, or of the document: the parser does not report the position.
func (d *Document) aliasStart(name string) int {
	alias := regexp.MustCompile(`(?m)(?:^|[\s\[{,:?-])(\*` + regexp.QuoteMeta(name) + `)(?:[\s,\]}]|$)`)
	if at := alias.FindSubmatchIndex(d.Bytes()); at != nil {
		return d.Span.Start + at[2]
	}
	return d.Span.Start
}

// lineStart is the offset of the n-th line of the document, or of its last line if there are fewer.
func (d *Document) lineStart(n int) int {
	pos := d.Span.Start
	for ; n > 1 && pos < d.Span.End; n-- {
		pos = lineEnd(d.File.Data[:d.Span.End], pos)
	}
	return pos
}

func (d *Document) syntaxError(offset int, message string) error {
	line, column := d.File.Position(offset)
	return &SyntaxError{File: d.File.Path, Line: line, Column: column, Message: message}
}

// checkDuplicates rejects mappings that set a key twice, as the API server's strict decoding, kubectl, and kustomize do.
func (d *Document) checkDuplicates(n *Node) error {
	if n == nil {
		return nil
	}
	seen := make(map[string]*Node, len(n.fields))
	for _, field := range n.fields {
		key := field.Key.String()
		if first, twice := seen[key]; twice && key != mergeKey {
			line, _ := d.File.Position(first.span.Start)
			return d.syntaxError(field.Key.span.Start, fmt.Sprintf("the key is already set on line %d", line))
		}
		seen[key] = field.Key
		if err := d.checkDuplicates(field.Value); err != nil {
			return err
		}
	}
	for _, item := range n.items {
		if err := d.checkDuplicates(item); err != nil {
			return err
		}
	}
	return nil
}

// keepLastKeys leaves out all but the last field of a key, in all mappings.
func (d *Document) keepLastKeys(n *Node) {
	if n == nil {
		return
	}
	last := make(map[string]int, len(n.fields))
	for i, field := range n.fields {
		last[field.Key.String()] = i
	}
	if len(last) < len(n.fields) {
		var kept []Field
		for i, field := range n.fields {
			if key := field.Key.String(); last[key] == i || key == mergeKey {
				kept = append(kept, field)
			} else {
				d.known.repeated = append(d.known.repeated, field.Key.span.Start)
			}
		}
		n.fields = kept
	}
	for _, field := range n.fields {
		d.keepLastKeys(field.Value)
	}
	for _, item := range n.items {
		d.keepLastKeys(item)
	}
}

// RepeatedKeys returns the offsets in the file of the fields that LastKeys left out.
func (d *Document) RepeatedKeys() []int { return d.result().repeated }

// tooDeep reports whether a tree has more than `levels` levels. The parser itself stops at 10,000.
func tooDeep(n *yaml.Node, levels int) bool {
	if levels < 0 {
		return true
	}
	for _, child := range n.Content {
		if tooDeep(child, levels-1) {
			return true
		}
	}
	return false
}
