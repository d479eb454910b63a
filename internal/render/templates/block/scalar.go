package block

import (
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// Scalar is the source of a field's value.
type Scalar struct {
	Origin
	// Text is the source of the value: literal text, actions, or both, including surrounding quotes.
	Text string
	// Bare is Text without quotes, for use inside another value; "" if the quotes cannot be removed.
	Bare string
}

// Scalar returns the source of a value on one line, such as {{ .Values.name }}-installer. Origin is the scope of the
// expression. The error is a *RefusedError.
func (r *Reader) Scalar(t render.Template, doc *manifest.Document, path manifest.Path) (Scalar, error) {
	f, err := r.field(t, doc, path)
	if err != nil {
		if s, ok := r.inserted(t, doc, path); ok {
			return s, nil
		}
		return Scalar{}, err
	}
	if !f.value.IsScalar() || strings.Contains(t.Text[f.span.Start:f.span.End], "\n") {
		return Scalar{}, f.refuse("it is not a value on one line")
	}
	span, ok := f.valueSpan()
	if !ok {
		return Scalar{}, f.refuse("its value does not follow its key in the template")
	}
	if !f.isBalanced(span) {
		return Scalar{}, f.refuse("its value begins or ends inside a block")
	}
	for _, piece := range t.Pieces {
		isOfValue := piece.Parent == f.key.Parent && piece.Start < f.value.Span().End && piece.End > f.value.Span().Start
		if isOfValue && (piece.Source != f.key.Source || piece.To <= span.Start || piece.From >= span.End) {
			return Scalar{}, f.refuse("its value comes from several places")
		}
	}
	origin, err := r.origin(t, f.key, f.file, span)
	text := f.file.Slice(span)
	return Scalar{Origin: origin, Text: text, Bare: bare(text)}, err
}

// valueSpan returns what follows the key: up to the end of the line, without a comment; in braces, up to the end of the
// value.
func (f *field) valueSpan() (manifest.Span, bool) {
	text := f.file.Text
	key := f.key.From + f.span.Start - f.key.Start
	start := key + strings.Index(f.template.Text[f.span.Start:], ":") + 1
	if start <= key || start > f.key.To || !strings.HasPrefix(text[key:], f.template.Text[f.span.Start:f.span.Start+start-key]) {
		return manifest.Span{}, false
	}
	start += len(text[start:]) - len(strings.TrimLeft(text[start:], " "))
	end, inBraces := start, f.isFlow()
	for end < len(text) {
		i := f.file.FirstBehind(end)
		if i < len(f.file.Tokens) && f.file.Tokens[i].Kind != source.Text && f.file.Tokens[i].Span.Start <= end {
			end = f.file.Tokens[i].Span.End
			continue
		}
		c := text[end]
		if c == '\n' || c == '#' && end > start && text[end-1] == ' ' || inBraces && (c == ',' || c == '}') {
			break
		}
		if quote := c; end == start && (quote == '"' || quote == '\'') {
			if end = f.closing(end+1, quote); end < 0 {
				return manifest.Span{}, false
			}
		}
		end++
	}
	end = start + len(strings.TrimRight(text[start:end], " \t\r"))
	return manifest.Span{Start: start, End: end}, end > start
}

// isFlow reports whether the field is in braces: only then its line begins with something other than a dash.
func (f *field) isFlow() bool {
	before := f.file.Text[lineStart(f.file.Text, f.key.From):f.key.From]
	inPiece := f.source(f.key)[:f.span.Start-f.key.Start]
	return strings.Trim(before+inPiece, " -") != ""
}

// closing returns the end of a quotation, skipping actions in it; -1 if there is none in the line.
func (f *field) closing(at int, quote byte) int {
	for text := f.file.Text; at < len(text) && text[at] != '\n'; at++ {
		if i := f.file.TokenAt(at); i >= 0 && f.file.Tokens[i].Kind != source.Text {
			at = f.file.Tokens[i].Span.End - 1
			continue
		}
		if text[at] == quote {
			return at
		}
		if text[at] == '\\' && quote == '"' {
			at++
		}
	}
	return -1
}

// isBalanced reports whether each block that begins or ends in a span does both.
func (f *field) isBalanced(span manifest.Span) bool {
	depth := 0
	for i := f.file.FirstBehind(span.Start); i < len(f.file.Tokens) && f.file.Tokens[i].Span.Start < span.End; i++ {
		switch f.file.Tokens[i].Word {
		case "if", "with", "range":
			depth++
		case "else":
			if depth == 0 {
				return false
			}
		case "end":
			if depth--; depth < 0 {
				return false
			}
		case "define", "block":
			return false
		}
	}
	return depth == 0
}

// bare removes the quotes of a value: those around it, or those that its only action adds.
func bare(text string) string {
	f, err := source.Parse("value", text)
	if err != nil { // it uses a variable of the template
		return bareUnread(text)
	}
	return bareOf(f)
}

// bareUnread declares the variables of a value before parsing it.
func bareUnread(text string) string {
	declared := ""
	for _, name := range source.Variables(text) {
		declared += "{{" + name + ":=0}}"
	}
	f, err := source.Parse("value", declared+text)
	if err != nil {
		return ""
	}
	// Each declaration is an action with a preceding empty text.
	f.Tokens = f.Tokens[2*strings.Count(declared, "{{"):]
	return bareOf(f)
}

func bareOf(f *source.File) string {
	literal, whole, actions := "", "", 0
	var only source.Token
	for _, token := range f.Tokens {
		whole += f.Slice(token.Span)
		if token.Kind == source.Text {
			literal += f.Slice(token.Span)
		} else if actions++; actions == 1 {
			only = token
		}
	}
	for _, quote := range []string{`"`, `'`} {
		isQuoted := len(literal) > 1 && strings.HasPrefix(whole, quote) && strings.HasSuffix(whole, quote) && strings.HasPrefix(literal, quote) && strings.HasSuffix(literal, quote)
		if isQuoted && strings.Count(literal, quote) == 2 && !strings.Contains(literal, `\`) {
			return whole[1 : len(whole)-1]
		}
	}
	switch {
	case strings.ContainsAny(literal, `"'`):
		return ""
	case literal == "" && actions == 1:
		return unquoted(f, only)
	}
	return whole
}

// unquoted returns an action without the final function that adds quotes.
func unquoted(f *source.File, token source.Token) string {
	text := f.Slice(token.Span)
	action, ok := token.Node.(*parse.ActionNode)
	if !ok {
		return ""
	}
	commands := action.Pipe.Cmds
	first, last := commands[0].Args[0].String(), commands[len(commands)-1]
	isQuote := func(name string) bool { return name == "quote" || name == "squote" }
	switch {
	case len(commands) > 1 && len(last.Args) == 1 && isQuote(last.String()):
		at := strings.LastIndex(text, "|")
		return strings.TrimRight(text[:at], " ") + " }}"
	case len(commands) == 1 && isQuote(first) && len(commands[0].Args) == 2:
		inner := source.Inner(text)
		return "{{ " + strings.TrimSpace(strings.TrimPrefix(inner, first)) + " }}"
	case strings.Contains(text, "quote") || strings.Contains(text, "toJson") || strings.Contains(text, "toYaml") || strings.Contains(text, "%q"):
		return ""
	}
	return text
}
