package mark

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// A marker is a letter for its type and the number of a piece, with letters as digits: all of them printable, without case,
// and without meaning in YAML, so that quoting and indenting do not change them.
const (
	firstMark = '\u2801'
	lastMark  = '\u28FF'
	openMark  = '\u28C0'
	closeMark = '\u28C1'
	zeroMark  = '\u2840'

	digits    = 3
	base      = 64
	maxPieces = base * base * base
)

// Piece is a marked piece of a template: the text of one line, or an action that writes.
type Piece struct {
	Source int // the index of the file
	Span   manifest.Span
}

// Marker writes markers into the templates of a chart.
type Marker struct {
	// Files are the templates; nil is a template that cannot be parsed.
	Files []*source.File
	// Pieces are the marked pieces, by number.
	Pieces []Piece
}

// Mark returns the source of a template with a pair of markers around each piece. Definitions for which skip is true stay
// unmarked.
func (m *Marker) Mark(index int, skip func(define string) bool) string {
	f := m.Files[index]
	var out strings.Builder
	var ends []int // of the surrounding pieces, for blocks that write
	for i, token := range f.Tokens {
		for len(ends) > 0 && token.Span.Start >= m.Pieces[ends[len(ends)-1]].Span.End {
			writeMark(&out, closeMark, ends[len(ends)-1])
			ends = ends[:len(ends)-1]
		}
		text := f.Slice(token.Span)
		switch {
		case m.full() || token.Kind == source.Comment || skip(f.Definition(i)):
			out.WriteString(text)
		case token.Kind == source.Text:
			m.markText(&out, index, token.Span, text)
		case f.Writes(token):
			writeMark(&out, openMark, len(m.Pieces))
			ends = append(ends, len(m.Pieces))
			m.Pieces = append(m.Pieces, Piece{index, f.Whole(token)})
			out.WriteString(text)
		default:
			out.WriteString(text)
		}
	}
	for _, piece := range slices.Backward(ends) {
		writeMark(&out, closeMark, piece)
	}
	return out.String()
}

// full reports whether all numbers are used. Further pieces stay unmarked.
func (m *Marker) full() bool { return len(m.Pieces) >= maxPieces-1 }

// markText marks the contents of the lines of a text. Surrounding blanks stay outside, because templates add and remove
// them.
func (m *Marker) markText(out *strings.Builder, index int, span manifest.Span, text string) {
	at := span.Start
	for line := range strings.Lines(text) {
		inner := strings.Trim(line, " \t\r\n")
		if inner == "" || m.full() {
			out.WriteString(line)
			at += len(line)
			continue
		}
		start := strings.Index(line, inner)
		out.WriteString(line[:start])
		writeMark(out, openMark, len(m.Pieces))
		out.WriteString(inner)
		writeMark(out, closeMark, len(m.Pieces))
		out.WriteString(line[start+len(inner):])
		m.Pieces = append(m.Pieces, Piece{index, manifest.Span{Start: at + start, End: at + start + len(inner)}})
		at += len(line)
	}
}

func writeMark(out *strings.Builder, kind rune, piece int) {
	out.WriteRune(kind)
	for range digits {
		out.WriteRune(zeroMark + rune(piece%base))
		piece /= base
	}
}

// harmless are the functions that only move or quote marked text.
var harmless = lazyregexp.New(`^(?:indent|nindent|trim|quote|squote)$`)

// Opaque returns the definitions whose text is compared, cut or counted somewhere, and those that they use: markers in them
// would change what the chart renders.
func (m *Marker) Opaque() map[string]bool {
	found, uses := map[string]bool{}, map[string][]string{}
	for _, f := range m.Files {
		if f == nil {
			continue
		}
		for name, tree := range f.Trees() {
			uses[name] = append(uses[name], readUses(tree, found)...)
		}
	}
	todo := make([]string, 0, len(found))
	for name := range found {
		todo = append(todo, name)
	}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, used := range uses[name] {
			if !found[used] {
				found[used] = true
				todo = append(todo, used)
			}
		}
	}
	return found
}

// readUses returns the templates that a template uses, and records those whose text it processes.
func readUses(tree *parse.ListNode, opaque map[string]bool) []string {
	var used []string
	source.Inspect(tree, func(node parse.Node) {
		if named, ok := node.(*parse.TemplateNode); ok {
			used = append(used, named.Name)
		}
		pipe := source.PipeOf(node)
		if pipe == nil {
			return
		}
		_, writes := node.(*parse.ActionNode)
		plain := ""
		if writes && len(pipe.Decl) == 0 && onlyMoves(pipe.Cmds[1:]) {
			plain = included(pipe.Cmds[0])
		}
		for i, name := range allIncluded(pipe) {
			used = append(used, name)
			if i > 0 || name != plain {
				opaque[name] = true
			}
		}
	})
	return used
}

func onlyMoves(commands []*parse.CommandNode) bool {
	return !slices.ContainsFunc(commands, func(c *parse.CommandNode) bool { return !harmless().MatchString(c.Args[0].String()) })
}

// included returns the name in `include "name" …`, or "".
func included(command *parse.CommandNode) string {
	function, ok := command.Args[0].(*parse.IdentifierNode)
	if !ok || function.Ident != "include" || len(command.Args) < 2 {
		return ""
	}
	if name, ok := command.Args[1].(*parse.StringNode); ok {
		return name.Text
	}
	return ""
}

// allIncluded returns the names that a pipeline includes, those in parentheses last.
func allIncluded(pipe *parse.PipeNode) []string {
	var names, inner []string
	for _, command := range pipe.Cmds {
		if name := included(command); name != "" {
			names = append(names, name)
		}
		for _, argument := range command.Args {
			if chain, ok := argument.(*parse.ChainNode); ok {
				argument = chain.Node
			}
			if below, ok := argument.(*parse.PipeNode); ok {
				inner = append(inner, allIncluded(below)...)
			}
		}
	}
	return append(names, inner...)
}
