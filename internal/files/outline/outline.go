package outline

import (
	"bytes"
	"slices"
	"strconv"
	"sync"
)

// Scalar is a scalar as it appears in a plainly written document.
type Scalar struct {
	Text []byte
	// Quoted texts are strings, whatever they look like.
	Quoted bool
	// Block is true for block scalars, whose text is not assembled.
	Block bool
}

// Read reads a document that is written plainly, as most are: mappings and sequences by indentation, simple keys, each
// once, scalars and flow collections on one line each, blocks of text. It costs a fraction of parsing. Read calls visit
// with every scalar that is not an implied null, and the path to it, which is valid only during the call. Items of
// sequences are counted from 0, and no key begins with a digit.
//
// Read returns false if it meets anything else, such as an anchor, a tag, an escape, or a character beyond ASCII: the
// document must then be parsed, whatever visit was called with. If it returns true, parsing succeeds and yields the same
// scalars.
func Read(data []byte, visit func(path [][]byte, value Scalar)) bool {
	if !isPlainText(data) {
		return false
	}
	o := outlines.Get().(*outline)
	*o = outline{visit: visit, block: noBlock, open: o.open[:0], path: o.path[:0]}
	defer func() {
		o.visit = nil
		outlines.Put(o)
	}()
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		if !o.line(line) {
			return false
		}
	}
	return len(o.open) > 0
}

// isPlainText reports whether a text holds only printable ASCII, spaces, and line feeds.
func isPlainText(data []byte) bool {
	for _, c := range data {
		if c < ' ' && c != '\n' || c > '~' {
			return false
		}
	}
	return true
}

// outlines keep the memory of outlines.
var outlines = sync.Pool{New: func() any { return new(outline) }}

// level is a mapping or sequence that is still open.
type level struct {
	indent   int
	sequence bool
	keys     [][]byte // of a mapping, as long as they are few
	many     map[string]bool
	items    int // of a sequence
	depth    int // the length of its path
}

// outline reads line by line.
type outline struct {
	visit func(path [][]byte, value Scalar)
	open  []level
	path  [][]byte
	begun bool // the marker, or a line of content, was read
	// waiting is true after a key without a value: its value is on the lines below.
	waiting bool
	// block is the indentation of the parent of the block of text that is being read, and text is the indentation of its
	// lines.
	block, text int
}

const noBlock, noText = -1, -1

func (o *outline) line(line []byte) bool {
	rest := bytes.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	if o.block != noBlock {
		within, ok := o.ofBlock(indent, len(rest) == 0)
		if !ok || within {
			return ok
		}
	}
	rest = bytes.TrimRight(rest, " ")
	switch {
	case len(rest) == 0 || rest[0] == '#':
		return true
	case !o.begun && indent == 0 && string(rest) == "---":
		o.begun = true
		return true
	}
	o.begun = true
	return o.place(indent, isItem(rest)) && o.content(indent, rest)
}

// ofBlock reports whether a line belongs to a block of text. ok is false if the indentation does not show it.
func (o *outline) ofBlock(indent int, blank bool) (within, ok bool) {
	switch {
	case blank:
		return true, o.text != noText || indent == 0
	case indent <= o.block:
		o.block = noBlock
		return false, true
	case o.text == noText:
		o.text = indent
	}
	return true, indent >= o.text
}

func isItem(text []byte) bool { return text[0] == '-' && (len(text) == 1 || text[1] == ' ') }

// place closes the collections that end before a line of the given indentation, and opens the one that begins with it. A
// sequence below a key can be in the column of the key.
func (o *outline) place(indent int, item bool) bool {
	if o.waiting || len(o.open) == 0 {
		o.waiting = false
		parent := -1
		if len(o.open) > 0 {
			parent = o.open[len(o.open)-1].indent
		} else if indent > 0 {
			return false
		}
		if indent > parent || indent == parent && item {
			o.push(indent, item)
			return true
		}
	}
	for len(o.open) > 0 {
		top := o.open[len(o.open)-1]
		if top.indent < indent || top.indent == indent && top.sequence == item {
			break
		}
		o.open = o.open[:len(o.open)-1]
	}
	return len(o.open) > 0 && o.open[len(o.open)-1].indent == indent && o.open[len(o.open)-1].sequence == item
}

// push opens a collection, with the memory of one that was closed.
func (o *outline) push(indent int, sequence bool) {
	last := len(o.open)
	o.open = slices.Grow(o.open, 1)[:last+1]
	o.open[last] = level{indent: indent, sequence: sequence, depth: len(o.path), keys: o.open[last].keys[:0]}
}

// content reads an item or a key of the innermost collection, in the given column.
func (o *outline) content(column int, text []byte) bool {
	top := &o.open[len(o.open)-1]
	o.path = o.path[:top.depth]
	if top.sequence {
		return o.item(top, text)
	}
	key, value, ok := cutKey(text)
	if !ok || !top.add(key) {
		return false
	}
	o.path = append(o.path, key)
	if len(value) == 0 || value[0] == '#' {
		o.waiting = true
		return true
	}
	return o.value(column, value)
}

func (o *outline) item(in *level, text []byte) bool {
	column := in.indent
	o.path = append(o.path, itemName(in.items))
	in.items++
	value := bytes.TrimLeft(text[1:], " ")
	if len(value) == 0 || value[0] == '#' {
		return false
	}
	inner := column + len(text) - len(value)
	if _, _, mapping := cutKey(value); mapping || isItem(value) {
		if len(o.open) > maxOutline {
			return false
		}
		o.push(inner, !mapping)
		return o.content(inner, value)
	}
	return o.value(column, value)
}

// maxOutline limits the nesting of collections. Documents beyond it are parsed.
const maxOutline = 200

// fewKeys is the number of keys up to which a list of them is searched faster than a map.
const fewKeys = 16

// add records a key; it returns false if the key is already recorded.
func (l *level) add(key []byte) bool {
	if l.many != nil {
		before := len(l.many)
		l.many[string(key)] = true
		return len(l.many) > before
	}
	for _, known := range l.keys {
		if bytes.Equal(known, key) {
			return false
		}
	}
	if l.keys = append(l.keys, key); len(l.keys) > fewKeys {
		l.many = make(map[string]bool, 4*fewKeys)
		for _, known := range l.keys {
			l.many[string(known)] = true
		}
	}
	return true
}

var itemNames = func() (names [32][]byte) {
	for i := range names {
		names[i] = strconv.AppendInt(nil, int64(i), 10)
	}
	return names
}()

func itemName(i int) []byte {
	if i < len(itemNames) {
		return itemNames[i]
	}
	return strconv.AppendInt(nil, int64(i), 10)
}

// maxKey is far below the length that YAML allows for a key.
const maxKey = 256

// cutKey splits a line into its key and the rest.
func cutKey(text []byte) (key, value []byte, ok bool) {
	end := 0
	for end < len(text) && isKeyByte(text[end], end) {
		end++
	}
	if end == 0 || end > maxKey || end == len(text) || text[end] != ':' || isNull(text[:end]) {
		return nil, nil, false
	}
	if end+1 < len(text) && text[end+1] != ' ' {
		return nil, nil, false
	}
	return text[:end], bytes.TrimLeft(text[end+1:], " "), true
}

func isKeyByte(c byte, at int) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
		return true
	}
	return at > 0 && ('0' <= c && c <= '9' || c == '.' || c == '/' || c == '-')
}

func isNull(text []byte) bool {
	switch string(text) {
	case "null", "Null", "NULL":
		return true
	}
	return false
}

// value reads the text after a key or a dash of the given column.
func (o *outline) value(column int, text []byte) bool {
	switch text[0] {
	case '"', '\'', '[', '{':
		end, ok := o.flow(text, 0)
		return ok && isRest(text[end:])
	case '|', '>':
		if header := text[1:]; len(header) > 1 || len(header) == 1 && header[0] != '-' && header[0] != '+' {
			return false
		}
		o.block, o.text = column, noText
		o.visit(o.path, Scalar{Block: true})
		return true
	}
	if comment := bytes.Index(text, []byte(" #")); comment >= 0 {
		text = bytes.TrimRight(text[:comment], " ")
	}
	if !isPlainStart(text) || bytes.Contains(text, []byte(": ")) || text[len(text)-1] == ':' {
		return false
	}
	o.visit(o.path, Scalar{Text: text})
	return true
}

// isRest reports whether only a comment, or nothing, follows a value.
func isRest(text []byte) bool {
	rest := bytes.TrimLeft(text, " ")
	return len(rest) == 0 || rest[0] == '#' && len(rest) < len(text)
}

// isPlainStart reports whether a plain scalar begins with text that has no other meaning in YAML.
func isPlainStart(text []byte) bool {
	c := text[0]
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '/', c == '.', c == '$', c == '(':
		return true
	}
	return c == '-' && len(text) > 1 && text[1] != ' '
}
