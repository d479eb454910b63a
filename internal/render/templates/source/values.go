package source

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
)

// Mention is a place where a template names a value of the chart.
type Mention struct {
	// Path leads to the value from .Values; "[]" stands for the items of a sequence or mapping that is ranged over. It is
	// empty for .Values itself.
	Path []string
	// Whole is true when the value goes on with all that is in it, and false when it is only asked for, as by if, with and
	// range.
	Whole bool
	// Offset is where in the file it is named.
	Offset int
}

// String is the path as people write it: extensions[].name.
func (m Mention) String() string { return strings.ReplaceAll(strings.Join(m.Path, "."), ".[]", "[]") }

// Keeps tells whether a value is in use because of this mention of that value, of one in it, or of one that it is a part
// of.
func (m Mention) Keeps(path []string) bool {
	if len(m.Path) >= len(path) {
		return slices.Equal(m.Path[:len(path)], path)
	}
	return m.Whole && slices.Equal(m.Path, path[:len(m.Path)])
}

// Mentions lists the values that a part of the file names, in the order of the file. What is handed on in a way that cannot
// be followed counts as used as a whole.
func (f *File) Mentions(within manifest.Span) []Mention {
	r := &reader{}
	for _, tree := range f.trees {
		r.variables = map[string]binding{"$": {kind: root}}
		r.list(tree.Root, binding{kind: root})
	}
	found := slices.DeleteFunc(r.found, func(m Mention) bool { return m.Offset < within.Start || m.Offset >= within.End })
	slices.SortStableFunc(found, func(a, b Mention) int { return a.Offset - b.Offset })
	return found
}

// binding is what a name stands for.
type binding struct {
	kind bindingKind
	path []string
}

type bindingKind int

const (
	unknown bindingKind = iota
	root                // what a template is rendered with: .Values, .Release, …
	values              // a value of the chart
)

// reader walks through a template and notes what it mentions.
type reader struct {
	found []Mention
	// variables are what is known at the place, and hidden what to put back at the end of their block.
	variables map[string]binding
	hidden    []hidden
}

// hidden is what a name stood for before it was declared anew.
type hidden struct {
	name    string
	binding binding
}

func (r *reader) declare(name string, b binding) {
	r.hidden = append(r.hidden, hidden{name, r.variables[name]})
	r.variables[name] = b
}

func (r *reader) forget(count int) {
	for _, old := range slices.Backward(r.hidden[count:]) {
		r.variables[old.name] = old.binding
	}
	r.hidden = r.hidden[:count]
}

// list reads what stands one after the other; dot is what the dot stands for.
func (r *reader) list(list *parse.ListNode, dot binding) {
	if list == nil {
		return
	}
	known := len(r.hidden)
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			r.action(node.Pipe, dot)
		case *parse.TemplateNode:
			r.pipe(node.Pipe, dot)
		case *parse.IfNode:
			r.branch(&node.BranchNode, dot)
		case *parse.WithNode:
			r.branch(&node.BranchNode, dot)
		case *parse.RangeNode:
			r.branch(&node.BranchNode, dot)
		}
	}
	r.forget(known)
}

func (r *reader) action(pipe *parse.PipeNode, dot binding) {
	bound := r.bindingOf(pipe, dot)
	if len(pipe.Decl) == 0 || bound.kind == unknown {
		r.pipe(pipe, dot)
	}
	if len(pipe.Decl) == 0 {
		return
	}
	name := pipe.Decl[0].Ident[0]
	if !pipe.IsAssign {
		r.declare(name, bound)
		return
	}
	// From now on it may stand for either.
	r.whole(bound, pipe)
	r.whole(r.variables[name], pipe)
	r.variables[name] = binding{}
}

func (r *reader) branch(branch *parse.BranchNode, dot binding) {
	bound, known := r.bindingOf(branch.Pipe, dot), len(r.hidden)
	switch bound.kind {
	case values:
		r.found = append(r.found, Mention{Path: bound.path, Offset: int(branch.Pipe.Position())})
	case unknown:
		r.pipe(branch.Pipe, dot)
	}
	inner := dot
	switch branch.NodeType {
	case parse.NodeRange:
		bound = bound.item()
		inner = bound
	case parse.NodeWith:
		inner = bound
	}
	for i, name := range branch.Pipe.Decl {
		if last := i == len(branch.Pipe.Decl)-1; last {
			r.declare(name.Ident[0], bound)
		} else {
			r.declare(name.Ident[0], binding{}) // the index
		}
	}
	r.list(branch.List, inner)
	r.list(branch.ElseList, dot)
	r.forget(known)
}

func (b binding) item() binding {
	if b.kind != values {
		return binding{}
	}
	return binding{values, append(slices.Clip(b.path), "[]")}
}

// pipe notes all that a pipeline hands on.
func (r *reader) pipe(pipe *parse.PipeNode, dot binding) {
	if pipe == nil {
		return
	}
	if bound := r.bindingOf(pipe, dot); bound.kind != unknown {
		r.whole(bound, pipe)
		return
	}
	for _, command := range pipe.Cmds {
		for _, argument := range command.Args {
			r.argument(argument, dot)
		}
	}
}

func (r *reader) argument(node parse.Node, dot binding) {
	if bound := r.nodeBinding(node, dot); bound.kind != unknown {
		r.whole(bound, node)
		return
	}
	switch node := node.(type) {
	case *parse.PipeNode:
		r.pipe(node, dot)
	case *parse.ChainNode:
		r.argument(node.Node, dot)
	}
}

// whole notes a value. The root is handed to every template, each of which is read by itself.
func (r *reader) whole(b binding, at parse.Node) {
	if b.kind == values {
		r.found = append(r.found, Mention{Path: b.path, Whole: true, Offset: int(at.Position())})
	}
}

// bindingOf says what a pipeline stands for, when it only names something.
func (r *reader) bindingOf(pipe *parse.PipeNode, dot binding) binding {
	if pipe == nil || len(pipe.Cmds) != 1 {
		return binding{}
	}
	args := pipe.Cmds[0].Args
	if len(args) == 1 {
		return r.nodeBinding(args[0], dot)
	}
	name, isName := args[0].(*parse.IdentifierNode)
	if !isName || name.Ident != "index" {
		return binding{}
	}
	bound := r.nodeBinding(args[1], dot)
	for _, key := range args[2:] {
		text, ok := key.(*parse.StringNode)
		if !ok {
			return binding{}
		}
		bound = bound.fields([]string{text.Text})
	}
	return bound
}

func (r *reader) nodeBinding(node parse.Node, dot binding) binding {
	switch node := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return dot.fields(node.Ident)
	case *parse.VariableNode:
		return r.variables[node.Ident[0]].fields(node.Ident[1:])
	case *parse.ChainNode:
		return r.nodeBinding(node.Node, dot).fields(node.Field)
	case *parse.PipeNode:
		return r.bindingOf(node, dot)
	}
	return binding{}
}

// fields goes down. What a template was handed is not known; a field Values in it can only be the chart's.
func (b binding) fields(names []string) binding {
	if len(names) == 0 {
		return b
	}
	if b.kind == values {
		return binding{values, slices.Concat(b.path, names)}
	}
	if at := slices.Index(names, "Values"); at >= 0 {
		return binding{values, slices.Clone(names[at+1:])}
	}
	return binding{}
}
