package block

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/render/templates/source"
)

// Meaning says what a value stands for, whatever the values of the chart are: of two that have the same meaning, each is
// always what the other is. Root stands for what the templates of the chart begin with. Of values that are known to be set
// the default does not matter; see Asked. It is "" where it cannot be told.
func (s Scalar) Meaning(root string, set map[string]bool) string {
	text := s.Bare
	if text == "" {
		text = s.Text
	}
	declared := ""
	for _, name := range source.Variables(text) {
		declared += "{{" + name + ":=0}}"
	}
	f, err := source.Parse("value", declared+text)
	if err != nil {
		return ""
	}
	top, meaning := s.top(root), strings.Builder{}
	for _, token := range f.Tokens[2*strings.Count(declared, "{{"):] {
		switch inner := f.Slice(token.Span); {
		case token.Kind == source.Text:
			if inner != "" {
				meaning.WriteString(strconv.Quote(inner))
			}
		case token.Kind == source.Comment:
		case token.Word == "end", token.Word == "else" && source.Inner(inner) == "else":
			meaning.WriteString("{" + token.Word + "}")
		case token.Word == "" || token.Word == "if" || token.Word == "else":
			found := s.Scope.Meaning(inner, top, set).Text
			if found == "" || token.Word == "" && !f.Writes(token) {
				return ""
			}
			meaning.WriteString("{" + token.Word + " " + found + "}")
		default:
			return "" // the dot is another in it
		}
	}
	return meaning.String()
}

// Asked are the meanings of what the blocks around the place ask for: where it is written, they are set.
func (o Origin) Asked(root string) map[string]bool { return o.Scope.Asked(o.top(root)) }

// top is what the template that the place lies in is given.
func (o Origin) top(root string) source.Meaning {
	top := source.Meaning{Text: root}
	for i := len(o.Calls) - 1; i >= 0; i-- {
		call := o.Calls[i]
		if call.Argument == "" {
			return source.Meaning{}
		}
		top = call.Scope.Meaning(call.Argument, top, nil)
	}
	return top
}
