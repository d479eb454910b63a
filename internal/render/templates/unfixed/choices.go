package unfixed

import (
	"slices"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// comparing are functions that compare a text, or select by one.
var comparing = lazyregexp.New(`^(?:eq|ne|contains|has|hasPrefix|hasSuffix|hasKey|(?:must)?[rR]egex\w*|get|index|dig|dict|empty|replace)$`)

// compares reports whether an action or a condition compares the name of the release.
func (c *Chart) compares(n parse.Node) (is bool) {
	if b := branch(n); b != nil {
		if _, isIf := n.(*parse.IfNode); isIf {
			return true
		}
		n = b.Pipe
	}
	visit(n, func(part parse.Node) {
		pipe, isPipe := part.(*parse.PipeNode)
		if !isPipe {
			return
		}
		for i, cmd := range pipe.Cmds {
			id, isCall := cmd.Args[0].(*parse.IdentifierNode)
			var given []parse.Node
			switch {
			case isCall && id.Ident == "ternary" && len(cmd.Args) == 4:
				given = cmd.Args[3:]
			case isCall && id.Ident == "ternary" && i > 0:
				given = []parse.Node{pipe.Cmds[i-1]}
			case isCall && comparing().MatchString(id.Ident):
				given = cmd.Args[1:]
				if i > 0 {
					given = append(slices.Clone(given), pipe.Cmds[i-1])
				}
			}
			is = is || slices.ContainsFunc(given, func(arg parse.Node) bool { return c.of(arg) == name })
		}
	})
	return is
}

// selecting are functions that select a value by a text.
var selecting = lazyregexp.New(`^(?:ternary|get|index|dig)$`)

// selects reports whether the name of the release selects what a pipeline makes among values that are not built from it.
func (c *Chart) selects(n *parse.PipeNode) (is bool) {
	visit(n, func(part parse.Node) {
		cmd, isCommand := part.(*parse.CommandNode)
		if !isCommand {
			return
		}
		id, isCall := cmd.Args[0].(*parse.IdentifierNode)
		if !isCall || !selecting().MatchString(id.Ident) {
			return
		}
		values := cmd.Args[1:min(2, len(cmd.Args))]
		if id.Ident == "ternary" {
			values = cmd.Args[1:min(3, len(cmd.Args))]
		}
		is = is || slices.ContainsFunc(values, func(arg parse.Node) bool { return c.of(arg) == fixed })
	})
	return is
}
