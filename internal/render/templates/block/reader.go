package block

import (
	"fmt"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// Reader finds the sources of fields. It parses each template once. It is not safe for concurrent use.
type Reader struct {
	templates []render.Template
	files     map[string]*source.File
	fails     map[string]error
	mentions  map[string][]source.Mention // with paths from the top chart's values
}

// NewReader returns a reader for the templates of one traced rendering.
func NewReader(templates []render.Template) *Reader {
	return &Reader{templates: templates, files: map[string]*source.File{}, fails: map[string]error{},
		mentions: map[string][]source.Mention{}}
}

// RefusedError is why the source of a field is uncertain.
type RefusedError struct {
	// Place is the position of the field's source, as far as known.
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

// Origin is a part of a source, with its context.
type Origin struct {
	// Source is the template, and Span the bytes in it.
	Source render.Source
	Span   manifest.Span
	// Scope contains the surrounding guards, and the declared variables.
	Scope source.Scope
	// Calls lead to the rendered template if that is another one, the innermost first.
	Calls []Call
	// Wrote are all fields that these lines rendered, including this one: several if they are inside a range, or if several
	// templates include them. It is set for fields, not for values.
	Wrote []Written
	// Key is the start of the field's key in the source. An if around the field alone is part of Span, and not of Scope.
	Key int

	name string // the key as written
}

// Written is a field of a rendered template: Start is the start of its key in the text.
type Written struct {
	Template string
	Start    int
}

// Call is an action that includes a template.
type Call struct {
	Source render.Source
	Span   manifest.Span
	Scope  source.Scope
	// Argument is the argument of the included template, as written; "" if it cannot be determined.
	Argument string
}

// Wrap returns a separate template of the chart that renders body as if it were written at the origin: inside the same
// guards, once for each time that they are passed. If the origin is in an included template, the result defines one with
// the given name. The error is why that is not possible.
func (o Origin) Wrap(name, body string) (string, error) {
	text, err := o.Scope.Wrap(body)
	if err != nil {
		return "", err
	}
	definitions := ""
	for i, call := range o.Calls {
		if call.Argument == "" {
			return "", fmt.Errorf("the argument of %s is unknown", call.Scope.File.Slice(call.Span))
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

// origin returns a span of the source of a piece.
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

// argument returns the argument that an action passes to the template that it includes.
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
