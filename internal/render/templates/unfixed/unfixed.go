package unfixed

import (
	"maps"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// level is how a value depends on what is not fixed. A name is the name or the namespace of the release, which charts build names from.
type level int

const (
	fixed level = iota
	name
	open
)

// Chart is the parsed templates of a chart and its dependencies.
type Chart struct {
	// nameIsFixed is set if the name and the namespace of the release are known.
	nameIsFixed bool
	trees       map[string]*parse.Tree
	texts       map[string]string
	defines     map[string]*define
	// stored are the keys of values under which templates store what is not fixed (`set`), and variables, see variable.
	stored map[string]level
	// scope is the template that is read.
	scope string
	// rendersTexts is set while the texts that tpl renders are read.
	rendersTexts bool
}

// define is a named template.
type define struct {
	tree  *parse.Tree
	level level
	busy  bool
}

// Block is a part of a template that decides what is granted, and depends on what is not fixed.
type Block struct {
	// File is the template, and Line the line of the block.
	File string
	Line int
	// Because is what it depends on, as it is written.
	Because string
	// Content identifies the block and the named templates that it uses.
	Content string
}

// New parses the templates of a chart by their name. Those that cannot be parsed are left out: rendering reports them.
func New(templates map[string]string, nameIsFixed bool) *Chart {
	c := &Chart{nameIsFixed: nameIsFixed, trees: map[string]*parse.Tree{}, texts: templates, defines: map[string]*define{}, stored: map[string]level{}}
	for _, file := range slices.Sorted(maps.Keys(templates)) {
		found := map[string]*parse.Tree{}
		tree := parse.New(file)
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(templates[file], "", "", found); err != nil {
			continue
		}
		for defined, t := range found {
			if defined != file {
				c.defines[defined] = &define{tree: t}
			}
		}
		if found[file] != nil {
			c.trees[file] = found[file]
		}
	}
	for range 2 { // a template can read what a later one stores
		for file, t := range c.trees {
			c.within(file, func() { c.store(t.Root) })
		}
		for named, d := range c.defines {
			c.within(named, func() { c.store(d.tree.Root) })
		}
	}
	return c
}

// within calls a function while a template is read.
func (c *Chart) within(scope string, f func()) {
	outer := c.scope
	c.scope = scope
	f()
	c.scope = outer
}

// variable returns the key of a variable of the template that is read.
func (c *Chart) variable(ident string) string { return c.scope + "\x00" + ident }

// functions are those of templates whose result is not fixed: that read the cluster, the clock, or chance.
var functions = lazyregexp.New(`^(?:lookup|now|ago|(?:must)?(?:[tT]o)?[dD]ate(?:Modify|InZone)?|(?:must_)?date_(?:modify|in_zone)|htmlDate(?:InZone)?|unixEpoch|` +
	`gen[A-Z]\w*|htpasswd|bcrypt|rand\w*|shuffle|uuidv4|getHostByName)$`)

// ofFields returns the level of a chain of fields, such as that of .Release.Name.
func (c *Chart) ofFields(fields []string) level {
	for i, field := range fields {
		next := ""
		if i+1 < len(fields) {
			next = fields[i+1]
		}
		switch {
		case field == "Capabilities", field == "IsRoot" && i > 0 && fields[i-1] == "Chart":
			return open
		case field == "Release" && (next == "Name" || next == "Namespace"):
			return c.ofName()
		case field == "Release" && next != "Service":
			return open
		case c.stored[field] != fixed:
			return c.stored[field]
		}
	}
	return fixed
}

func (c *Chart) ofName() level {
	if c.nameIsFixed {
		return fixed
	}
	return name
}

// store records the keys and variables of values that are not fixed. Where they are read does not matter.
func (c *Chart) store(node parse.Node) {
	visit(node, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.PipeNode:
			for _, v := range n.Decl {
				if v.Ident[0] != "$" && v.Ident[0] != "$_" {
					l := c.of(n)
					if l == name && c.selects(n) {
						l = open
					}
					c.keep(c.variable(v.Ident[0]), l)
				}
			}
		case *parse.CommandNode:
			if id, is := n.Args[0].(*parse.IdentifierNode); is && id.Ident == "set" && len(n.Args) == 4 {
				c.set(n.Args[1], n.Args[2], c.of(n.Args[3]))
			}
		}
	})
}

// set records a call of set: for a key of the values, or for all of a variable.
func (c *Chart) set(target, key parse.Node, l level) {
	text, isText := key.(*parse.StringNode)
	v, isVariable := target.(*parse.VariableNode)
	switch {
	case isVariable && len(v.Ident) == 1:
		c.keep(c.variable(v.Ident[0]), l)
	case isText && strings.Contains(target.String(), "Values"):
		c.keep(text.Text, l)
	}
}

func (c *Chart) keep(key string, l level) { c.stored[key] = max(l, c.stored[key]) }

// of returns the level of a pipeline, or of a part of it.
func (c *Chart) of(node parse.Node) level {
	found := fixed
	visit(node, func(n parse.Node) {
		l := fixed
		switch n := n.(type) {
		case *parse.FieldNode:
			l = c.ofFields(n.Ident)
		case *parse.VariableNode:
			if l = c.ofFields(n.Ident[1:]); c.stored[c.variable(n.Ident[0])] > l {
				l = c.stored[c.variable(n.Ident[0])]
			}
		case *parse.ChainNode:
			l = c.ofFields(n.Field)
		case *parse.IdentifierNode:
			if functions().MatchString(n.Ident) {
				l = open
			}
		case *parse.CommandNode:
			l = c.ofCall(n)
		}
		found = max(found, l)
	})
	return found
}

// ofCall returns the level of a call of a named template, and of a function that takes the names of fields as texts.
func (c *Chart) ofCall(n *parse.CommandNode) level {
	id, is := n.Args[0].(*parse.IdentifierNode)
	if !is {
		return fixed
	}
	switch id.Ident {
	case "tpl":
		return c.ofRendered(n.String())
	case "include":
		if len(n.Args) > 1 {
			if text, is := n.Args[1].(*parse.StringNode); is {
				return c.ofDefine(text.Text)
			}
			return open // which one is not known
		}
	case "index", "get", "dig", "pick", "pluck":
		var fields []string
		for _, arg := range n.Args[1:] {
			switch arg := arg.(type) {
			case *parse.StringNode:
				fields = append(fields, arg.Text)
			case *parse.FieldNode:
				if len(arg.Ident) == 1 && arg.Ident[0] == "Release" {
					continue // its field is named by the other arguments
				}
			}
		}
		return c.ofFields(fields)
	}
	return fixed
}

// ofRendered returns the level of the texts that a call of `tpl` can render: those in values, or in other files, by what its argument names, or in both.
func (c *Chart) ofRendered(call string) level {
	if c.rendersTexts {
		return fixed // it is one of these texts
	}
	c.rendersTexts = true
	defer func() { c.rendersTexts = false }()
	ofValues, ofFiles := strings.Contains(call, ".Values"), strings.Contains(call, ".Files")
	for file, t := range c.trees {
		isValues := path.Base(file) == "values.yaml"
		if strings.Contains("/"+file, "/templates/") || ofValues != ofFiles && isValues != ofValues {
			continue
		}
		if c.ofBody(t.Root) == open {
			return open
		}
	}
	return fixed
}

// ofDefine returns the level of what a named template makes.
func (c *Chart) ofDefine(called string) level {
	d := c.defines[called]
	if d == nil || d.busy {
		return fixed
	}
	if d.level == fixed {
		d.busy = true
		c.within(called, func() { d.level = c.ofBody(d.tree.Root) })
		d.busy = false
	}
	return d.level
}

// ofBody returns the level of the text that nodes make: that of its actions and conditions. A name that conditions only build from the name of the
// release is a name.
func (c *Chart) ofBody(list *parse.ListNode) level {
	found := fixed
	visit(list, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.ActionNode:
			found = max(found, c.of(n.Pipe))
		case *parse.TemplateNode:
			found = max(found, c.ofDefine(n.Name))
		case *parse.IfNode, *parse.WithNode, *parse.RangeNode:
			b := branch(n)
			l := c.of(b.Pipe)
			if l == name && c.compares(n) && (c.choosesText(b.List) || c.choosesText(b.ElseList)) {
				l = open
			}
			found = max(found, l)
		}
	})
	return found
}

// choosesText reports whether a branch makes a text that is not built from the name of the release.
func (c *Chart) choosesText(list *parse.ListNode) bool {
	if list == nil {
		return false
	}
	content, named := false, false
	visit(list, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.TextNode:
			content = content || strings.TrimSpace(string(n.Text)) != ""
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 {
				content, named = true, named || c.of(n.Pipe) == name
			}
		}
	})
	return content && !named
}

func branch(n parse.Node) *parse.BranchNode {
	switch n := n.(type) {
	case *parse.IfNode:
		return &n.BranchNode
	case *parse.WithNode:
		return &n.BranchNode
	case *parse.RangeNode:
		return &n.BranchNode
	}
	return nil
}

// visit calls a function with a node and all nodes in it.
func visit(node parse.Node, f func(parse.Node)) {
	all := func(lists ...*parse.ListNode) {
		for _, list := range lists {
			if list != nil {
				visit(list, f)
			}
		}
	}
	if node == nil {
		return
	}
	f(node)
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			visit(child, f)
		}
	case *parse.ActionNode:
		visit(n.Pipe, f)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			visit(n.Pipe, f)
		}
	case *parse.PipeNode:
		for _, cmd := range n.Cmds {
			visit(cmd, f)
		}
	case *parse.CommandNode:
		for _, arg := range n.Args {
			visit(arg, f)
		}
	case *parse.ChainNode:
		visit(n.Node, f)
	case *parse.IfNode, *parse.WithNode, *parse.RangeNode:
		b := branch(n)
		visit(b.Pipe, f)
		all(b.List, b.ElseList)
	}
}

// notes are not rendered to objects.
const notes = "NOTES.txt"

// Blocks returns the blocks of all templates, sorted by file and line.
func (c *Chart) Blocks() (all []Block) {
	for _, file := range slices.Sorted(maps.Keys(c.trees)) {
		if path.Base(file) == notes || strings.HasPrefix(path.Base(file), "_") {
			continue
		}
		w := &walk{chart: c, file: file}
		c.within(file, func() { w.list(c.trees[file].Root, nil) })
		all = append(all, w.blocks()...)
	}
	return all
}
