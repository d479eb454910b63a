package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// Guard is a block around a position.
type Guard struct {
	// Word is if, with, range, define or block.
	Word string
	// Span is the whole block, including its end.
	Span manifest.Span
	// Line is the line in which it begins.
	Line int
	// Opening are the actions that lead to the arm, as written: the one that begins the block, and every else before the
	// position.
	Opening []string
	// Define is the name of the template that a define or block defines, otherwise "".
	Define string

	variables []variable // declared in the arm before the position
}

// variable is a declared variable.
type variable struct {
	name, action string
}

// Scope is the context of a position in a file.
type Scope struct {
	File *File
	// Guards are the blocks around the position, the outermost first.
	Guards []Guard

	variables []variable // declared at the top of the file before the position
}

// Scope returns the scope of a byte of the file.
func (f *File) Scope(offset int) Scope {
	declared := f.declared(f.FirstBehind(offset))
	scope := Scope{File: f, variables: declared[place{}]}
	for at := f.innermost(offset); at.block != nil; at = at.block.outer {
		scope.Guards = append(scope.Guards, f.guard(at, declared[at]))
	}
	slices.Reverse(scope.Guards)
	return scope
}

// Implies reports whether the text at outer is always rendered if that at inner is: outer is in the same arm of a block, or
// in a surrounding one.
func (f *File) Implies(inner, outer int) bool {
	wanted := f.innermost(outer)
	for at := f.innermost(inner); ; at = at.block.outer {
		if at == wanted {
			return true
		}
		if at.block == nil || at.block.Defines() {
			return false
		}
	}
}

// Excluded returns the texts that are not rendered together with a byte into the document that begins at start: the other arms of
// the blocks around the byte, within one call of its definition. In the iterations of a range inside of the document, different arms can
// be rendered.
func (f *File) Excluded(offset, start int) []manifest.Span {
	var spans []manifest.Span
	for at := f.innermost(offset); at.block != nil; at = at.block.outer {
		if at.block.Defines() {
			break
		}
		if at.block.Word == "range" && at.arm == 0 && at.block.Span.Start >= start {
			spans = nil
		}
		for i, arm := range at.block.Arms {
			if i != at.arm {
				spans = append(spans, manifest.Span{Start: f.Tokens[arm.Open].Span.End, End: f.Tokens[arm.Next].Span.Start})
			}
		}
	}
	return spans
}

// Repeats reports whether a range in the document that begins at start repeats a byte.
func (f *File) Repeats(offset, start int) bool {
	for at := f.innermost(offset); at.block != nil; at = at.block.outer {
		if at.block.Word == "range" && at.arm == 0 && at.block.Span.Start >= start {
			return true
		}
	}
	return false
}

// innermost returns the innermost block around a byte. The actions of a block are outside of it.
func (f *File) innermost(offset int) place {
	if i := f.FirstBehind(offset); i < len(f.Tokens) {
		return f.around[i]
	}
	return place{}
}

// FirstBehind returns the index of the first token that does not end before a byte.
func (f *File) FirstBehind(offset int) int {
	i, _ := slices.BinarySearchFunc(f.Tokens, offset, func(t Token, at int) int {
		if t.Span.End <= at {
			return -1
		}
		return 1
	})
	return i
}

func (f *File) guard(at place, variables []variable) Guard {
	block := at.block
	line, _ := f.Position(block.Span.Start)
	guard := Guard{Word: block.Word, Span: block.Span, Line: line, variables: variables}
	for _, arm := range block.Arms[:at.arm+1] {
		guard.Opening = append(guard.Opening, f.Slice(f.Tokens[arm.Open].Span))
	}
	if block.Defines() {
		guard.Define = definedName(guard.Opening[0])
	}
	return guard
}

var quoted = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

func definedName(action string) string {
	text := quoted().FindString(action)
	if len(text) < 2 {
		return ""
	}
	return text[1 : len(text)-1]
}

// declared returns the variables that are declared before a token, by scope.
func (f *File) declared(before int) map[place][]variable {
	found := map[place][]variable{}
	for i, token := range f.Tokens[:before] {
		action, ok := token.Node.(*parse.ActionNode)
		if !ok || action.Pipe.IsAssign {
			continue
		}
		for _, name := range action.Pipe.Decl {
			found[f.around[i]] = append(found[f.around[i]], variable{name.Ident[0], f.Slice(token.Span)})
		}
	}
	return found
}

// Define returns the name of the template in whose definition the position is; "" outside definitions.
func (s Scope) Define() string {
	if len(s.Guards) == 0 {
		return ""
	}
	return s.Guards[0].Define
}

// Declares returns the action that declares a variable in the scope; "" for an undeclared one.
func (s Scope) Declares(name string) string {
	for _, layer := range slices.Backward(s.layers()) {
		for _, declared := range slices.Backward(layer.variables) {
			if declared.name == name {
				return declared.action
			}
		}
		for _, opening := range slices.Backward(layer.Opening) {
			if mentioned(opening)[name] && strings.Contains(opening, ":=") {
				return opening
			}
		}
	}
	return ""
}

// Wrap returns a text that renders body, at the top of a file or definition, as in this scope: inside the same guards, and
// after the declarations of the variables that it and the guards use. A surrounding define is left out. The error is the
// variable whose value changes in between.
func (s Scope) Wrap(body string) (string, error) {
	layers := s.layers()
	names := mentioned(body)
	for i := len(layers) - 1; i >= 0; i-- {
		for _, opening := range layers[i].Opening {
			addMentioned(names, opening)
		}
		for _, declared := range slices.Backward(layers[i].variables) {
			if names[declared.name] {
				addMentioned(names, declared.action)
			}
		}
	}
	if name, line := s.File.reassigned(names); line > 0 {
		return "", fmt.Errorf("the variable %s is assigned another value in line %d", name, line)
	}
	return wrap(layers, names, body), nil
}

// layers returns the guards, preceded by one for the variables declared outside of all.
func (s Scope) layers() []Guard {
	if s.Define() == "" {
		return append([]Guard{{variables: s.variables}}, s.Guards...)
	}
	return append([]Guard{{variables: s.Guards[0].variables}}, s.Guards[1:]...)
}

func wrap(layers []Guard, names map[string]bool, body string) string {
	var text strings.Builder
	written := map[string]bool{}
	for _, layer := range layers {
		for _, opening := range layer.Opening {
			text.WriteString(tidy(opening))
		}
		for _, declared := range layer.variables {
			if names[declared.name] && !written[declared.action] {
				text.WriteString(tidy(declared.action))
				written[declared.action] = true
			}
		}
	}
	text.WriteString(body)
	if body != "" && !strings.HasSuffix(body, "\n") {
		text.WriteString("\n")
	}
	for range layers[1:] {
		text.WriteString("{{- end }}\n")
	}
	return text.String()
}

// tidy returns an action on a separate line that renders to nothing.
func tidy(action string) string { return leftDelim + "- " + Inner(action) + " " + rightDelim + "\n" }

// Inner returns the text between the delimiters and trim markers of an action.
func Inner(action string) string {
	text := strings.TrimSuffix(strings.TrimPrefix(action, leftDelim), rightDelim)
	if len(text) > 1 && text[0] == '-' && isSpace(text[1]) {
		text = text[1:]
	}
	if last := len(text) - 1; last > 0 && text[last] == '-' && isSpace(text[last-1]) {
		text = text[:last]
	}
	return strings.Trim(text, spaces)
}

// variableName also matches names inside quotations: a superfluous declaration is harmless.
var variableName = lazyregexp.New(`\$[\pL_][\pL\pN_]*`)

func mentioned(text string) map[string]bool {
	names := map[string]bool{}
	addMentioned(names, text)
	return names
}

func addMentioned(names map[string]bool, text string) {
	for _, name := range variableName().FindAllString(text, -1) {
		names[name] = true
	}
}

// reassigned returns the first of some variables that is assigned another value, and the line; 0 if there is none.
func (f *File) reassigned(names map[string]bool) (name string, line int) {
	for _, token := range f.Tokens {
		pipe := PipeOf(token.Node)
		if pipe == nil || !pipe.IsAssign {
			continue
		}
		for _, variable := range pipe.Decl {
			if names[variable.Ident[0]] {
				line, _ := f.Position(token.Span.Start)
				return variable.Ident[0], line
			}
		}
	}
	return "", 0
}

// PipeOf returns the pipeline of an action; nil if it has none.
func PipeOf(node parse.Node) *parse.PipeNode {
	switch node := node.(type) {
	case *parse.ActionNode:
		return node.Pipe
	case *parse.TemplateNode:
		return node.Pipe
	case *parse.IfNode:
		return node.Pipe
	case *parse.WithNode:
		return node.Pipe
	case *parse.RangeNode:
		return node.Pipe
	}
	return nil
}

// Variables returns the variables in a text, except $, each once.
func Variables(text string) []string {
	return slices.Sorted(maps.Keys(mentioned(text)))
}
