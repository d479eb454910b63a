package mark

import (
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// A marker is a letter that says what it is and the number of a piece, in digits that are letters as well: all of them
// printable, without upper and lower case, and nothing special to YAML, so that quoting and indenting leaves them alone.
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

// Piece is a piece of a template that leaves its mark: the text of one line, or an action that writes.
type Piece struct {
	Source int // the index of the file
	Span   manifest.Span
}

// Marker writes markers into the templates of a chart.
type Marker struct {
	// Files are the templates; nil stands for one that is not understood.
	Files []*source.File
	// Pieces are what has markers, by their numbers.
	Pieces []Piece
}

// Mark gives the source of a template, with a pair of markers around each piece of it. What stands in a definition is left
// as it is where skip says so.
func (m *Marker) Mark(index int, skip func(define string) bool) string {
	f := m.Files[index]
	var out strings.Builder
	var ends []int // of the pieces around, for blocks that write
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

// full tells whether there are no numbers left. What is not marked is not known.
func (m *Marker) full() bool { return len(m.Pieces) >= maxPieces-1 }

// markText marks what is in the lines of a text. Blanks around it stay outside: they come and go.
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

// harmless are the functions that leave marked text as it is, or only move it.
var harmless = regexp.MustCompile(`^(?:indent|nindent|trim|quote|squote)$`)

// Opaque finds the definitions whose text is not only written out but compared, cut or counted somewhere: there, marks
// would change what the chart does. Those that they use are opaque as well.
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

// readUses lists the templates that one names, and notes those whose text it works with.
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
	return !slices.ContainsFunc(commands, func(c *parse.CommandNode) bool { return !harmless.MatchString(c.Args[0].String()) })
}

// included is the name in `include "name" …`, or "".
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

// allIncluded lists the names that a pipeline includes, those in parentheses behind those that are not.
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
