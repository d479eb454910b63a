package block

import (
	"fmt"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// Reader finds sources. It reads each of them once; one goroutine may use it.
type Reader struct {
	templates []render.Template
	files     map[string]*source.File
	fails     map[string]error
	mentions  map[string][]source.Mention // with paths from the top chart's values
}

// NewReader makes a reader for the templates of one rendering, which was asked for a trace.
func NewReader(templates []render.Template) *Reader {
	return &Reader{templates: templates, files: map[string]*source.File{}, fails: map[string]error{},
		mentions: map[string][]source.Mention{}}
}

// RefusedError says why it is not certain what wrote a field.
type RefusedError struct {
	// Place is where the field comes from, as far as that is known.
	Place  render.Place
	Reason string
}

func (e *RefusedError) Error() string {
	at := e.Place.File
	if e.Place.Inside != "" {
		at += ": " + e.Place.Inside
	}
	if e.Place.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Place.Line)
	}
	return at + ": " + e.Reason
}

// Origin is a part of a source, and what it depends on.
type Origin struct {
	// Source is the template that it stands in, and Span its bytes there.
	Source render.Source
	Span   manifest.Span
	// Scope holds the guards around it and the variables that it knows.
	Scope source.Scope
	// Calls lead to the template that was rendered, when it stands in another: the innermost first.
	Calls []Call
	// Wrote are the fields that came from these lines in the rendering, this one among them: there are several where they
	// are ranged over, or where several templates include them. It is set for fields, not for values.
	Wrote []Written
	// Key is where the key of the field begins in the source. An if around the field alone lies in Span, and not in Scope.
	Key int

	name string // the key as it is written
}

// Written is a field of a rendered template: Start is where its key begins in the text.
type Written struct {
	Template string
	Start    int
}

// Call is an action that includes a template.
type Call struct {
	Source render.Source
	Span   manifest.Span
	Scope  source.Scope
	// Argument is what the template is given, as it stands in the action; "" when that cannot be told.
	Argument string
}

// Wrap writes a text, which may have actions, so that it means in a template of the chart of its own what it would mean at
// the origin: inside the same guards, and once for each time that those are passed. Where the origin is in a template that
// others include, one of the name given is defined. The error says what stands against it.
func (o Origin) Wrap(name, body string) (string, error) {
	text, err := o.Scope.Wrap(body)
	if err != nil {
		return "", err
	}
	definitions := ""
	for i, call := range o.Calls {
		if call.Argument == "" {
			return "", fmt.Errorf("it cannot be told what %s is given", call.Scope.File.Slice(call.Span))
		}
		if i > 0 {
			name = fmt.Sprintf("%s.%d", name, i)
		}
		definitions += fmt.Sprintf("{{- define %q }}\n%s{{- end }}\n", name, text)
		if text, err = call.Scope.Wrap(fmt.Sprintf("{{- include %q %s }}\n", name, call.Argument)); err != nil {
			return "", err
		}
	}
	return definitions + text, nil
}

func (r *Reader) file(s render.Source) (*source.File, error) {
	if f, ok := r.files[s.Name]; ok {
		return f, r.fails[s.Name]
	}
	f, err := source.Parse(s.Name, s.Text)
	r.files[s.Name], r.fails[s.Name] = f, err
	return f, err
}

// origin describes a span of the source of a piece.
func (r *Reader) origin(t render.Template, piece render.Piece, f *source.File, span manifest.Span) (Origin, error) {
	o := Origin{Source: t.Sources[piece.Source], Span: span, Scope: f.Scope(span.Start), Key: piece.From}
	for parent := piece.Parent; parent >= 0; parent = t.Pieces[parent].Parent {
		action := t.Pieces[parent]
		caller, err := r.file(t.Sources[action.Source])
		if err != nil {
			return Origin{}, err
		}
		call := Call{Source: t.Sources[action.Source], Span: manifest.Span{Start: action.From, End: action.To}, Scope: caller.Scope(action.From)}
		for _, token := range caller.Tokens {
			if token.Kind == source.Action && token.Span.Start == action.From {
				call.Argument = argument(token.Node)
			}
		}
		o.Calls = append(o.Calls, call)
	}
	return o, nil
}

// argument is what an action gives to the template that it includes.
func argument(node parse.Node) string {
	switch node := node.(type) {
	case *parse.TemplateNode:
		if node.Pipe == nil {
			return "nil"
		}
		return "(" + node.Pipe.String() + ")"
	case *parse.ActionNode:
		args := node.Pipe.Cmds[0].Args
		if len(args) != 3 || args[0].String() != "include" {
			return ""
		}
		if _, isPipe := args[2].(*parse.PipeNode); isPipe {
			return "(" + args[2].String() + ")"
		}
		return args[2].String()
	}
	return ""
}
