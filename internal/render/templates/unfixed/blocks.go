package unfixed

import (
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// walk flattens a template: the texts of all branches, one after the other, and what named templates make.
type walk struct {
	chart *Chart
	file  string
	text  strings.Builder
	found []candidate
	depth int
	// indent is the space before the lines of a named template that is indented.
	indent string
}

// candidate is a part of the text that depends on what is not fixed.
type candidate struct {
	start, end int
	node       parse.Node
	pipe       *parse.PipeNode
	isBranch   bool
}

// maxDepth limits how deep named templates are followed.
const maxDepth = 12

func (w *walk) list(list *parse.ListNode, at parse.Node) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		w.node(n, at)
	}
}

// node adds a node. At is the node of the file that leads to it, if it is in a named template.
func (w *walk) node(n, at parse.Node) {
	place := at
	if at == nil {
		place = n
	}
	start := w.text.Len()
	switch n := n.(type) {
	case *parse.TextNode:
		w.text.WriteString(strings.ReplaceAll(string(n.Text), "\n", "\n"+w.indent))
	case *parse.ActionNode:
		w.action(n, place)
		if len(n.Pipe.Decl) == 0 && w.chart.of(n.Pipe) == open || w.chart.of(n.Pipe) == name && w.chart.compares(n.Pipe) {
			w.found = append(w.found, candidate{start, w.text.Len(), place, n.Pipe, false})
		}
	case *parse.TemplateNode:
		w.call(n.Name, place)
	case *parse.IfNode, *parse.WithNode, *parse.RangeNode:
		b := branch(n)
		w.list(b.List, at)
		w.list(b.ElseList, at)
		if l := w.chart.of(b.Pipe); l == open || l == name && w.chart.compares(n) && (at == nil || w.chart.choosesText(b.List) || w.chart.choosesText(b.ElseList) || grantingKind().MatchString(w.text.String()[start:])) {
			w.found = append(w.found, candidate{start, w.text.Len(), place, b.Pipe, true})
		}
	}
}

// value stands for what an action makes.
const value = "VALUE"

// unknown stands for what an action makes of texts that are not in the template.
const unknown = "UNKNOWN"

// action adds what an action makes: the text of the named template that it includes, otherwise a mark.
func (w *walk) action(n *parse.ActionNode, place parse.Node) {
	if len(n.Pipe.Decl) > 0 {
		return
	}
	added := false
	visit(n.Pipe, func(part parse.Node) {
		call, is := part.(*parse.CommandNode)
		if !is || len(call.Args) == 0 {
			return
		}
		id, is := call.Args[0].(*parse.IdentifierNode)
		switch {
		case !is || added:
		case id.Ident == "include" && len(call.Args) > 1:
			if text, is := call.Args[1].(*parse.StringNode); is {
				outer := w.indent
				if strings.Contains(n.Pipe.String(), "indent") {
					w.indent += "    "
				}
				w.call(text.Text, place)
				w.indent, added = outer, true
			}
		case id.Ident == "tpl", id.Ident == "toYaml":
			w.text.WriteString(unknown)
			added = true
		}
	})
	switch {
	case added:
	case strings.Contains(n.Pipe.String(), ".Files"):
		w.text.WriteString(unknown)
	default:
		w.text.WriteString(value)
	}
}

func (w *walk) call(named string, place parse.Node) {
	d := w.chart.defines[named]
	if d == nil || w.depth >= maxDepth {
		w.text.WriteString(value)
		return
	}
	w.depth++
	w.chart.within(named, func() { w.list(d.tree.Root, place) })
	w.depth--
}

var (
	// grantingKind is a kind of which an object grants something, or applies what does.
	grantingKind = lazyregexp.New(`(?m)^[ \t-]*["']?kind["']?:\s*["']?(?:ClusterRoleBinding|RoleBinding|ClusterRole|Role|ClusterExtension|AppProject|Application|ApplicationSet|Kustomization|HelmRelease)\b`)
	// kindName is such a kind anywhere, as in a branch that makes the kind alone.
	kindName = lazyregexp.New(`\b(?:ClusterRoleBinding|RoleBinding|ClusterRole)\b`)
	anyKind  = lazyregexp.New(`(?m)^["']?kind["']?:`)
	list     = lazyregexp.New(`(?m)^["']?kind["']?:\s*["']?List\b`)
	topField = lazyregexp.New(`(?m)^["']?(\w+)["']?:`)
	// version is the line of an API version, and setting a setting for workloads.
	version = lazyregexp.New(`^apiVersion:\s*\S+$`)
	account = lazyregexp.New(`serviceAccount(?:Name)?["']?:`)
	// aggregation is a label that adds a role to others.
	aggregation = lazyregexp.New(`rbac\.authorization\.k8s\.io/[\w-]+["']?:`)
)

// blocks returns the candidates that decide.
func (w *walk) blocks() (all []Block) {
	text := w.text.String()
	seen := map[int]bool{}
	for _, c := range w.found {
		if !w.decides(text, c) {
			continue
		}
		b := Block{File: w.file, Line: 1 + strings.Count(w.chart.texts[w.file][:c.node.Position()], "\n"), Because: c.pipe.String(), Content: c.node.String() + w.used(c.node)}
		if !seen[b.Line] { // an action and what the template that it includes does are one
			seen[b.Line] = true
			all = append(all, b)
		}
	}
	return all
}

// used returns the texts of the named templates that a node uses.
func (w *walk) used(n parse.Node) string {
	var b strings.Builder
	done := map[string]bool{}
	var add func(parse.Node)
	add = func(n parse.Node) {
		visit(n, func(part parse.Node) {
			named := ""
			switch part := part.(type) {
			case *parse.TemplateNode:
				named = part.Name
			case *parse.StringNode:
				named = part.Text
			}
			if d := w.chart.defines[named]; d != nil && !done[named] {
				done[named] = true
				b.WriteString(d.tree.Root.String())
				add(d.tree.Root)
			}
		})
	}
	add(n)
	return b.String()
}

// decides reports whether a part of the text is about what an object grants: it is one, or it is in one outside of its metadata.
func (w *walk) decides(text string, c candidate) bool {
	body := text[c.start:c.end]
	if strings.TrimSpace(body) == "" {
		return false
	}
	if grantingKind().MatchString(body) || kindName().MatchString(body) && c.isBranch {
		return true
	}
	from := max(0, strings.LastIndex(text[:c.start], "\n---")+1)
	to := len(text)
	if i := strings.Index(text[c.end:], "\n---"); i >= 0 {
		to = c.end + i
	}
	doc, before := text[from:to], text[from:c.start]
	fields := topField().FindAllStringSubmatch(before, -1)
	switch {
	case len(fields) > 0 && fields[len(fields)-1][1] == "kind" && !strings.Contains(body, ":"): // the kind itself
		return kindName().MatchString(c.node.String()+w.used(c.node)) || strings.Contains(c.pipe.String(), "lookup")
	case account().MatchString(body):
		return true
	case !grantingKind().MatchString(doc):
		return c.isBranch && strings.Contains(body, unknown) && (!anyKind().MatchString(doc) || list().MatchString(doc))
	case aggregation().MatchString(body):
		return true
	}
	if len(fields) > 0 && !topField().MatchString(body) {
		field := fields[len(fields)-1][1]
		return field != "metadata" && field != "apiVersion"
	}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !version().MatchString(line) {
			return true
		}
	}
	return false
}
