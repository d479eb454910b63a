package template

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// stepFunction is called at the start of every list of nodes, so that every loop and recursion charges the budget.
const stepFunction = "salintStep"

func (e Engine) fillGo(text string, params map[string]any) (string, error) {
	key := strings.Join(e.Options, "\n") + "\n" + text
	parsed := e.Budget.parsed[key]
	if parsed == nil {
		var err error
		if parsed, err = e.parse(text); err != nil {
			return "", err
		}
		if len(e.Budget.parsed) < maxParsed {
			e.Budget.parsed[key] = parsed
		}
	}
	out := &writer{budget: e.Budget}
	if err := parsed.Execute(out, params); err != nil {
		return "", cleanError(err)
	}
	return out.text.String(), nil
}

func (e Engine) parse(text string) (*template.Template, error) {
	t := template.New("")
	for _, option := range e.Options {
		if !slices.Contains(knownOptions, option) {
			return nil, fmt.Errorf("text/template has no option %q", option)
		}
		t.Option(option)
	}
	if e.Budget.functions == nil {
		e.Budget.functions = bounded(e.Budget)
	}
	parsed, err := t.Funcs(e.Budget.functions).Parse(text)
	if err != nil {
		return nil, cleanError(err)
	}
	if parsed.Tree == nil {
		return nil, errors.New("the template is empty")
	}
	return parsed, addSteps(parsed.Root)
}

// knownOptions are those of text/template, which panics for others.
var knownOptions = []string{"missingkey=default", "missingkey=invalid", "missingkey=zero", "missingkey=error"}

// writer stores the output of a template, up to a limit.
type writer struct {
	text   strings.Builder
	budget *Budget
}

func (w *writer) Write(data []byte) (int, error) {
	if w.text.Len()+len(data) > maxValue {
		return 0, tooLarge()
	}
	if err := w.budget.spend(len(data)); err != nil {
		return 0, err
	}
	return w.text.Write(data)
}

// addSteps inserts a call of stepFunction at the start of a list and of all nested lists. It refuses calls of other
// templates, because recursion uses the stack.
func addSteps(list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		var err error
		switch node := node.(type) {
		case *parse.IfNode:
			err = countBranch(&node.BranchNode)
		case *parse.RangeNode:
			err = countBranch(&node.BranchNode)
		case *parse.WithNode:
			err = countBranch(&node.BranchNode)
		case *parse.TemplateNode:
			err = &UnsupportedError{"salint does not support nested templates"}
		}
		if err != nil {
			return err
		}
	}
	list.Nodes = slices.Insert(list.Nodes, 0, step().Copy())
	return nil
}

func countBranch(branch *parse.BranchNode) error {
	if err := addSteps(branch.List); err != nil {
		return err
	}
	return addSteps(branch.ElseList)
}

// step is a parsed call of stepFunction.
var step = sync.OnceValue(func() parse.Node {
	trees, err := parse.Parse("step", "{{"+stepFunction+"}}", "", "", map[string]any{stepFunction: func() string { return "" }})
	if err != nil {
		panic(err) // the text is a constant
	}
	return trees["step"].Root.Nodes[0]
})

// templatePlace is the prefix of text/template's errors. The template has no name, because the user knows it as a field.
var templatePlace = lazyregexp.New(`^template: :\d+(:\d+)?: (executing "" )?(at )?`)

// cleanError returns the limit or refusal that caused an error, or the error without the name of a template.
func cleanError(err error) error {
	var limit *LimitError
	var unsupported *UnsupportedError
	switch {
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &unsupported):
		return unsupported
	}
	return errors.New(templatePlace().ReplaceAllString(err.Error(), ""))
}
