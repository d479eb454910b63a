package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Meaning is the normalized form of an expression, relative to the context of the chart's templates: two expressions with
// the same Text always have the same value, if they have one and rendering does not fail. Text is "" if it cannot be
// determined.
type Meaning struct {
	Text string

	fields map[string]Meaning // of a dict that is passed to the template
}

// Limits on the depth of variables, and on the length of a text.
const (
	maxMeaningDepth = 50
	maxMeaningText  = 10_000
)

func (m Meaning) field(names ...string) Meaning {
	for _, name := range names {
		switch below, isDict := m.fields[name]; {
		case isDict:
			m = below
		case m.fields != nil || m.Text == "" || len(m.Text) > maxMeaningText:
			return Meaning{}
		default:
			m = Meaning{Text: m.Text + "." + name}
		}
	}
	return m
}

// item returns the element of a range. A range nested in one over the same list has separate elements.
func (m Meaning) item(outer Meaning) Meaning {
	if m.Text == "" {
		return Meaning{}
	}
	item := m.Text + "[]"
	for strings.HasPrefix(outer.Text, item) {
		item += "[]"
	}
	return Meaning{Text: item}
}

// Meaning returns the meaning of an action's text, or of an argument, in the scope. top is the dot at the start of the
// template. Defaults of values that are known to be set, given by their texts, are ignored.
func (s Scope) Meaning(expression string, top Meaning, set map[string]bool) Meaning {
	return s.solver(top, set).of(expression)
}

// Asked returns the meanings of the conditions of the surrounding ifs and withs that test a single value.
func (s Scope) Asked(top Meaning) map[string]bool {
	r, found := s.solver(top, nil), map[string]bool{}
	for i, layer := range r.layers {
		if len(layer.Opening) == 1 && (layer.Word == "if" || layer.Word == "with") {
			outer := r
			outer.layers = r.layers[:i]
			if asked := outer.of(layer.Opening[0]); asked.Text != "" {
				found[asked.Text] = true
			}
		}
	}
	return found
}

// solver resolves expressions in some layers of a scope.
type solver struct {
	file   *File
	layers []Guard
	top    Meaning
	set    map[string]bool
	depth  int
}

func (s Scope) solver(top Meaning, set map[string]bool) solver {
	return solver{file: s.File, layers: s.layers(), top: top, set: set}
}

func (r solver) of(expression string) Meaning {
	pipe, err := pipeOf(expression)
	if r.depth++; err != nil || r.depth > maxMeaningDepth {
		return Meaning{}
	}
	return r.pipe(pipe)
}

// pipeOf parses the pipeline of an action, without its keyword and the variables that it declares.
func pipeOf(action string) (*parse.PipeNode, error) {
	text := Inner(action)
	if rest, ok := strings.CutPrefix(text, "else "); ok {
		text = strings.TrimSpace(rest)
	}
	switch word := keyword(text); word {
	case "if", "with", "range":
		text = strings.TrimSpace(strings.TrimPrefix(text, word))
	}
	declared := ""
	for _, name := range Variables(text) {
		declared += "{{" + name + ":=0}}"
	}
	tree := parse.New("expression")
	tree.Mode = parse.SkipFuncCheck
	// Parsed as the head of a block, because a range can declare two variables.
	if _, err := tree.Parse(declared+"{{range "+text+"}}{{end}}", "", "", map[string]*parse.Tree{}); err != nil {
		return nil, err
	}
	nodes := tree.Root.Nodes
	block, ok := nodes[len(nodes)-1].(*parse.RangeNode)
	if !ok {
		return nil, fmt.Errorf("not an expression")
	}
	return block.Pipe, nil
}

// pipe returns the meaning of a pipeline: `b | f a` is `f a b`.
func (r solver) pipe(pipe *parse.PipeNode) Meaning {
	if pipe.IsAssign {
		return Meaning{}
	}
	m := r.command(pipe.Cmds[0])
	for _, command := range pipe.Cmds[1:] {
		if m.Text == "" || len(m.Text) > maxMeaningText {
			return Meaning{}
		}
		m = r.command(command, m)
	}
	return m
}

// command returns the meaning of a call or a single value. piped is the result of the command before it, which a call takes
// as its last argument.
func (r solver) command(command *parse.CommandNode, piped ...Meaning) Meaning {
	name, isCall := command.Args[0].(*parse.IdentifierNode)
	switch {
	case !isCall && len(command.Args) == 1 && len(piped) == 0:
		return r.node(command.Args[0])
	case !isCall && len(piped) > 0: // a value takes no argument
		return Meaning{}
	case isCall && name.Ident == "dict" && len(piped) == 0:
		return r.dict(command.Args[1:])
	case isCall && Unsteady(name.Ident):
		return Meaning{}
	}
	var arguments []Meaning
	for _, argument := range command.Args {
		arguments = append(arguments, r.node(argument))
	}
	return r.call(append(arguments, piped...))
}

// call returns the meaning of a call from those of the function and its arguments.
func (r solver) call(arguments []Meaning) Meaning {
	var parts []string
	for _, m := range arguments {
		if m.Text == "" {
			return Meaning{}
		}
		parts = append(parts, m.Text)
	}
	switch {
	case len(parts) != 3:
	case parts[0] == "required": // the value, or nothing is rendered at all
		return arguments[2]
	case parts[0] == "default" && r.set[parts[2]]:
		return arguments[2]
	}
	return Meaning{Text: "(" + strings.Join(parts, " ") + ")"}
}

// Unsteady reports whether the result of a function differs from call to call, or from cluster to cluster.
func Unsteady(function string) bool {
	return strings.HasPrefix(function, "rand") || strings.HasPrefix(function, "gen") ||
		function == "lookup" || function == "now" || function == "uuidv4" || function == "getHostByName" || function == "shuffle"
}

func (r solver) dict(args []parse.Node) Meaning {
	m, text := Meaning{fields: map[string]Meaning{}}, "(dict"
	for i := 0; i+1 < len(args); i += 2 {
		key, ok := args[i].(*parse.StringNode)
		if !ok {
			return Meaning{}
		}
		value := r.node(args[i+1])
		m.fields[key.Text] = value
		text += " " + key.Quoted + " " + value.Text
		if value.Text == "" {
			text = ""
			break
		}
	}
	if text != "" {
		m.Text = text + ")"
	}
	return m
}

func (r solver) node(node parse.Node) Meaning {
	switch node := node.(type) {
	case *parse.DotNode:
		return r.dot()
	case *parse.FieldNode:
		return r.dot().field(node.Ident...)
	case *parse.VariableNode:
		return r.variable(node.Ident[0]).field(node.Ident[1:]...)
	case *parse.ChainNode:
		return r.node(node.Node).field(node.Field...)
	case *parse.PipeNode:
		return r.pipe(node)
	case *parse.IdentifierNode:
		if Unsteady(node.Ident) {
			return Meaning{}
		}
		return Meaning{Text: node.Ident}
	case *parse.StringNode:
		return Meaning{Text: strconv.Quote(node.Text)}
	case *parse.BoolNode, *parse.NumberNode, *parse.NilNode:
		return Meaning{Text: node.String()}
	}
	return Meaning{}
}

// dot returns the meaning of the dot in the innermost layer.
func (r solver) dot() Meaning {
	for i := len(r.layers) - 1; i >= 0; i-- {
		layer := r.layers[i]
		if layer.Word != "with" && layer.Word != "range" {
			continue
		}
		last := layer.Opening[len(layer.Opening)-1]
		if len(layer.Opening) > 1 && Inner(last) == "else" {
			continue // the dot is the same as outside
		}
		r.layers = r.layers[:i]
		if layer.Word == "range" {
			return r.of(last).item(r.dot())
		}
		return r.of(last)
	}
	return r.top
}

// variable returns the meaning of a variable, from the action that declares it.
func (r solver) variable(name string) Meaning {
	if name == "$" {
		return r.top
	}
	if _, line := r.file.reassigned(map[string]bool{name: true}); line > 0 {
		return Meaning{}
	}
	for i := len(r.layers) - 1; i >= 0; i-- {
		layer := r.layers[i]
		for j := len(layer.variables) - 1; j >= 0; j-- {
			if layer.variables[j].name == name {
				action := layer.variables[j].action
				layer.variables = layer.variables[:j] // declarations before it
				r.layers = append(slices.Clone(r.layers[:i]), layer)
				return r.of(action)
			}
		}
		for j := len(layer.Opening) - 1; j >= 0; j-- {
			if declared, _, ok := strings.Cut(layer.Opening[j], ":="); ok && mentioned(declared)[name] {
				r.layers = r.layers[:i]
				return r.opened(layer, layer.Opening[j], name, declared)
			}
		}
	}
	return Meaning{}
}

// opened returns the meaning of a variable that the head of a block declares.
func (r solver) opened(layer Guard, action, name, declared string) Meaning {
	of := r.of(action)
	if layer.Word != "range" {
		return of
	}
	item := of.item(r.dot())
	if names := variableName().FindAllString(declared, -1); len(names) > 1 && names[0] == name && item.Text != "" {
		return Meaning{Text: "(key " + item.Text + ")"}
	}
	return item
}
