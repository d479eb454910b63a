package block

import (
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// inserted returns the source of a scalar inside a mapping that one action writes as a whole: with
// `account: {{ toYaml .Values.account | nindent 2 }}`, the source of account.name is {{ .Values.account.name }}. ok is false
// if the field is not written like this.
func (r *Reader) inserted(t render.Template, doc *manifest.Document, path manifest.Path) (s Scalar, ok bool) {
	found, ok := doc.Root.Field(path)
	if !ok || !found.Value.IsScalar() {
		return Scalar{}, false
	}
	around, n := r.innermostWritten(t, doc, path)
	i := t.At(found.Key.Span().Start)
	if around == nil || i < 0 {
		return Scalar{}, false
	}
	action := t.Pieces[i]
	isWhole := action.Start <= around.value.Span().Start && around.value.Span().End <= action.End
	if !t.IsAction(action) || !isWhole || action.Source != around.key.Source || action.Parent != around.key.Parent {
		return Scalar{}, false
	}
	value, ok := mappingOf(around.file, action.From)
	if !ok || !isPlainKeys(path[n:]) {
		return Scalar{}, false
	}
	origin, err := r.origin(t, action, around.file, manifest.Span{Start: action.From, End: action.To})
	text := "{{ " + strings.TrimSuffix(value, ".") + "." + strings.Join(path[n:], ".") + " }}"
	return Scalar{Origin: origin, Text: text, Bare: text}, err == nil
}

// innermostWritten returns the innermost mapping around a field whose key is written in a template, and the length of its
// path.
func (r *Reader) innermostWritten(t render.Template, doc *manifest.Document, path manifest.Path) (*field, int) {
	for n := len(path) - 1; n > 0; n-- {
		if f, err := r.field(t, doc, path[:n]); err == nil {
			return f, n
		}
	}
	return nil, 0
}

// mappingOf returns the value that an action writes as YAML, as it is named there.
func mappingOf(f *source.File, at int) (string, bool) {
	i := f.TokenAt(at)
	if i < 0 {
		return "", false
	}
	node, ok := f.Tokens[i].Node.(*parse.ActionNode)
	if !ok || len(node.Pipe.Decl) > 0 {
		return "", false
	}
	commands := node.Pipe.Cmds
	value := commands[0].Args[0]
	switch {
	case value.String() == "toYaml" && len(commands[0].Args) == 2:
		value = commands[0].Args[1]
	case len(commands) > 1 && len(commands[0].Args) == 1 && commands[1].String() == "toYaml":
		commands = commands[1:]
	default:
		return "", false
	}
	for _, command := range commands[1:] {
		if name := command.Args[0].String(); name != "nindent" && name != "indent" {
			return "", false
		}
	}
	switch value.(type) {
	case *parse.DotNode, *parse.FieldNode, *parse.VariableNode:
		return value.String(), true
	}
	return "", false
}

var plainKey = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// isPlainKeys reports whether a template can name fields by their keys.
func isPlainKeys(keys manifest.Path) bool {
	for _, key := range keys {
		if !plainKey().MatchString(key) {
			return false
		}
	}
	return true
}
