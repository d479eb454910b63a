package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

func sameCalls(a, b block.Origin) bool {
	return slices.EqualFunc(a.Calls, b.Calls, func(a, b block.Call) bool { return a.Source.Name == b.Source.Name && a.Span == b.Span })
}

// dotBlocks returns the blocks around a place that change the dot.
func dotBlocks(s source.Scope) []source.Guard {
	return slices.DeleteFunc(slices.Clone(withoutDefine(s.Guards)), func(g source.Guard) bool { return g.Word == "if" })
}

// sameDots reports whether the dot is the same at two places: in the same blocks, or in blocks over the same values, such as
// the rules and the extensions of one list.
func sameDots(a, b block.Origin) bool {
	return sameBlocks(dotBlocks(a.Scope), dotBlocks(b.Scope), a.Source.Name == b.Source.Name)
}

// sameBlocks compares blocks. Blocks with the same span are the same only within one file.
func sameBlocks(a, b []source.Guard, oneFile bool) bool {
	return slices.EqualFunc(a, b, func(x, y source.Guard) bool {
		if oneFile && x.Span == y.Span {
			return slices.Equal(x.Opening, y.Opening)
		}
		one, plain := pipeline(x)
		other, alsoPlain := pipeline(y)
		return x.Word == y.Word && plain && alsoPlain && one == other
	})
}

// dotIsRoot reports whether the dot at a place is the one with which the templates of the chart begin.
func dotIsRoot(o block.Origin) bool { return dollarIsRoot(o) && len(dotBlocks(o.Scope)) == 0 }

func dollarIsRoot(o block.Origin) bool {
	return !slices.ContainsFunc(o.Calls, func(c block.Call) bool {
		return c.Argument != "$" && !(c.Argument == "." && len(dotBlocks(c.Scope)) == 0)
	})
}

// sameTop reports whether $, and the dot outside of all blocks, are the same at two places.
func sameTop(a, b block.Origin) bool {
	return sameCalls(a, b) && a.Scope.Define() == b.Scope.Define() || dollarIsRoot(a) && dollarIsRoot(b)
}

// isDotFree reports whether a text does not depend on the dot.
func isDotFree(text string) bool {
	moved, ok := withDot(text, "$")
	return ok && moved == text
}

// withDot replaces the dot in the actions of a text with a variable. ok is false if a block in the text changes the dot.
func withDot(text, variable string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		end := actionEnd(rest)
		if end < 0 || changesDot(rest) {
			return "", false
		}
		b.WriteString("{{" + replaceDot(rest[:end], variable))
		text = rest[end:]
	}
}

// changesDot reports whether an action begins a block in which the dot is another one.
func changesDot(action string) bool {
	action = strings.TrimLeft(action, "- ")
	word, _, _ := strings.Cut(strings.TrimPrefix(action, "else "), " ")
	return word == "with" || word == "range" || word == "define" || word == "block"
}

// actionEnd returns the end of an action, after any quotations in it; -1 if there is none.
func actionEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "}}"):
			return i
		case strings.IndexByte("\"'`", text[i]) >= 0:
			if i = closingQuote(text, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// closingQuote returns the index of the quote that ends the quotation at a byte; -1 if there is none.
func closingQuote(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i
		case text[i] == '\\' && quote != '`':
			i++
		}
	}
	return -1
}

// replaceDot replaces the dot with a variable in the text between the delimiters of an action.
func replaceDot(action, variable string) string {
	var b strings.Builder
	for i := 0; i < len(action); i++ {
		c := action[i]
		switch {
		case strings.IndexByte("\"'`", c) >= 0:
			end := closingQuote(action, i)
			b.WriteString(action[i : end+1])
			i = end
			continue
		case c == '.' && (i == 0 || !continuesChain(action[i-1])):
			b.WriteString(variable)
			if i+1 == len(action) || !isName(action[i+1]) {
				continue // the dot alone
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// continuesChain reports whether a dot after a byte continues a chain of fields.
func continuesChain(c byte) bool { return isName(c) || c == ')' || c == '$' || c >= 0x80 }

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func withoutDefine(guards []source.Guard) []source.Guard {
	if len(guards) > 0 && guards[0].Define != "" {
		return guards[1:]
	}
	return guards
}
