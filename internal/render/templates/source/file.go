package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
)

// File is a parsed template file.
type File struct {
	// Name is the file's name in messages.
	Name, Text string
	// Tokens are its texts and actions in order: there is a text before, between and after all actions.
	Tokens []Token
	// Blocks are the actions that have an end, sorted by start.
	Blocks []*Block

	trees map[string]*parse.Tree
	// definitions are the names of the templates in whose definition tokens are, "" for those outside definitions.
	definitions []string
	// around are the innermost blocks that contain the tokens. The actions of a block itself are in the block around it.
	around []place
	lines  []int
}

// place is an arm of a block; Block is nil at the top of the file.
type place struct {
	block *Block
	arm   int
}

// Block is an action with an end: if, with, range, define or block.
type Block struct {
	Word string
	// Span reaches from the opening action to the end of the closing one.
	Span manifest.Span
	// Arms are the parts between its actions: one, and one for each else.
	Arms []Arm

	outer   place
	defined string // the definition that it begins
}

// Defines reports whether the contents of the block are a separate template.
func (b *Block) Defines() bool { return b.Word == "define" || b.Word == "block" }

// Arm is a part of a block.
type Arm struct {
	// Open is the token of the action that begins it, and Next that of the one that ends it.
	Open, Next int
}

const (
	// maxActions and maxSize are far above what charts have. They limit the recursion of the parser, which calls itself for
	// each block.
	maxActions = 20_000
	maxSize    = 4 << 20
)

var errTooLarge = errors.New("the template is too large to be parsed")

// Parse parses a template. It accepts unknown functions. The error is why the template cannot be parsed exactly.
func Parse(name, text string) (*File, error) {
	if len(text) > maxSize || strings.Count(text, leftDelim) > maxActions {
		return nil, errTooLarge
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return nil, err
	}
	tokens, err := scan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{Name: name, Text: text, Tokens: tokens, trees: trees, around: make([]place, len(tokens)), definitions: make([]string, len(tokens))}
	for at := range text {
		if text[at] == '\n' {
			f.lines = append(f.lines, at)
		}
	}
	if !f.agrees() || !f.nest() {
		return nil, fmt.Errorf("%s: the actions of the template cannot be located exactly", name)
	}
	return f, nil
}

// agrees sets the nodes of the tokens, and reports whether the parser found the same texts, except for blank ones, which
// are dropped if they would redefine a template.
func (f *File) agrees() bool {
	texts := map[parse.Pos]string{}
	for _, tree := range f.trees {
		if tree.Root == nil {
			continue
		}
		Inspect(tree.Root, func(node parse.Node) {
			switch node := node.(type) {
			case *parse.TextNode:
				texts[node.Pos] = string(node.Text)
			case *parse.ActionNode, *parse.TemplateNode, *parse.IfNode, *parse.WithNode, *parse.RangeNode:
				if i := f.TokenAt(int(node.Position())); i >= 0 && f.Tokens[i].Kind == Action {
					f.Tokens[i].Node = node
				}
			}
		})
	}
	for _, token := range f.Tokens {
		if token.Kind != Text {
			continue
		}
		at, text := parse.Pos(token.Span.Start), f.Slice(token.Span)
		if found, ok := texts[at]; ok && found == text {
			delete(texts, at)
		} else if ok || strings.Trim(text, spaces) != "" {
			return false
		}
	}
	return len(texts) == 0
}

// nest finds the blocks.
func (f *File) nest() bool {
	var open place
	defined := ""
	for i, token := range f.Tokens {
		f.around[i], f.definitions[i] = open, defined
		switch token.Word {
		case "if", "with", "range", "define", "block":
			block := &Block{Word: token.Word, Span: token.Span, Arms: []Arm{{Open: i}}, outer: open}
			f.Blocks = append(f.Blocks, block)
			if open = (place{block, 0}); block.Defines() {
				block.defined, defined = defined, definedName(f.Slice(token.Span))
			}
		case "else", "end":
			block := open.block
			if block == nil {
				return false
			}
			f.around[i] = block.outer
			if block.Defines() {
				defined = block.defined
				f.definitions[i] = defined
			}
			block.Arms[open.arm].Next = i
			block.Span.End = token.Span.End
			if open = block.outer; token.Word == "else" {
				block.Arms = append(block.Arms, Arm{Open: i})
				open = place{block, len(block.Arms) - 1}
			}
		}
	}
	return open.block == nil
}

// TokenAt returns the index of the token that contains a byte, or -1.
func (f *File) TokenAt(offset int) int {
	i, found := slices.BinarySearchFunc(f.Tokens, offset, func(t Token, at int) int {
		switch {
		case t.Span.End <= at:
			return -1
		case t.Span.Start > at:
			return 1
		}
		return 0
	})
	if !found {
		return -1
	}
	return i
}

// Definition returns the name of the template in whose definition a token is; "" outside definitions.
func (f *File) Definition(token int) string { return f.definitions[token] }

// Trees returns the templates that the file defines, by name, including its own.
func (f *File) Trees() map[string]*parse.ListNode {
	lists := map[string]*parse.ListNode{}
	for name, tree := range f.trees {
		if tree.Root != nil {
			lists[name] = tree.Root
		}
	}
	return lists
}

// Slice returns the text of a span.
func (f *File) Slice(s manifest.Span) string { return f.Text[s.Start:s.End] }

// Position returns the line and column of a byte, both 1-based; columns count code points.
func (f *File) Position(offset int) (line, column int) {
	line, _ = slices.BinarySearch(f.lines, offset)
	start := 0
	if line > 0 {
		start = f.lines[line-1] + 1
	}
	return line + 1, len([]rune(f.Text[start:offset])) + 1
}

// Writes reports whether an action can write text.
func (f *File) Writes(t Token) bool {
	switch node := t.Node.(type) {
	case *parse.ActionNode:
		return len(node.Pipe.Decl) == 0
	case *parse.TemplateNode:
		return true
	}
	return false
}

// Whole returns the span of an action; for one that begins a block, that of the block.
func (f *File) Whole(t Token) manifest.Span {
	i, found := slices.BinarySearchFunc(f.Blocks, t.Span.Start, func(b *Block, at int) int { return b.Span.Start - at })
	if found {
		return f.Blocks[i].Span
	}
	return t.Span
}

// Inspect calls a function with every node of a tree outside pipelines.
func Inspect(node parse.Node, visit func(parse.Node)) {
	visit(node)
	switch node := node.(type) {
	case *parse.ListNode:
		if node == nil {
			return
		}
		for _, below := range node.Nodes {
			Inspect(below, visit)
		}
	case *parse.IfNode:
		inspectBranch(&node.BranchNode, visit)
	case *parse.WithNode:
		inspectBranch(&node.BranchNode, visit)
	case *parse.RangeNode:
		inspectBranch(&node.BranchNode, visit)
	}
}

func inspectBranch(branch *parse.BranchNode, visit func(parse.Node)) {
	Inspect(branch.List, visit)
	if branch.ElseList != nil {
		Inspect(branch.ElseList, visit)
	}
}

// ActionAt returns the action at an offset, and the name of the template in whose definition it is; "" outside of definitions.
func (f *File) ActionAt(offset int) (token Token, definition string, ok bool) {
	i := f.TokenAt(offset)
	if i < 0 || f.Tokens[i].Kind != Action {
		return Token{}, "", false
	}
	return f.Tokens[i], f.definitions[i], true
}
