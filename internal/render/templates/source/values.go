package source

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
)

// Mention is a use of a chart's value in a template.
type Mention struct {
	// Path is the path of the value in .Values; "[]" stands for the items of a sequence or mapping in a range. It is empty
	// for .Values itself.
	Path []string
	// Whole is set if the complete value is used, and not only tested, as by if, with and range.
	Whole bool
	// Offset is the position in the file.
	Offset int
}

// String returns the path as users write it: extensions[].name.
func (m Mention) String() string { return strings.ReplaceAll(strings.Join(m.Path, "."), ".[]", "[]") }

// Keeps reports whether this mention uses a value: the value itself, one in it, or one that contains it.
func (m Mention) Keeps(path []string) bool {
	if len(m.Path) >= len(path) {
		return slices.Equal(m.Path[:len(path)], path)
	}
	return m.Whole && slices.Equal(m.Path, path[:len(m.Path)])
}

// Mentions returns the values that a part of the file uses, in the order of the file. A value that is passed on in an
// unsupported way counts as used completely.
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

// binding is the meaning of a name.
type binding struct {
	kind bindingKind
	path []string
}

type bindingKind int

const (
	unknown bindingKind = iota
	root                // the root context: .Values, .Release, …
	values              // a value of the chart
)

// reader walks through a template and collects mentions.
type reader struct {
	found []Mention
	// variables are those in scope; hidden are those to restore at the end of their block.
	variables map[string]binding
	hidden    []hidden
}

// hidden is the meaning of a name before it was redeclared.
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

// list reads a list of nodes; dot is the meaning of the dot.
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
	// From here on it can be either.
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

// pipe records all values that a pipeline passes on.
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

// whole records the use of a complete value. The root is passed to every template, and each template is read separately.
func (r *reader) whole(b binding, at parse.Node) {
	if b.kind == values {
		r.found = append(r.found, Mention{Path: b.path, Whole: true, Offset: int(at.Position())})
	}
}

// bindingOf returns the meaning of a pipeline that is only a name.
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

// fields returns the binding of a field. The argument of a template is unknown; only the chart's values have a field
// Values.
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
