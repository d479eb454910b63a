package block

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/render/templates/source"
)

// Meaning returns a normalized form of a value, independent of the chart's values: two scalars with the same meaning always
// have the same value. root stands for the root context of the chart's templates. Defaults of values that are known to be
// set are ignored; see Asked. It is "" if it cannot be determined.
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
			return "" // the block changes the dot
		}
	}
	return meaning.String()
}

// Asked returns the meanings of the conditions of the blocks around the origin: inside these blocks they are set.
func (o Origin) Asked(root string) map[string]bool { return o.Scope.Asked(o.top(root)) }

// top returns the context of the template that contains the origin.
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
