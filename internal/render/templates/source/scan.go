package source

import (
	"errors"
	"strings"
	"text/template/parse"

	"github.com/salint/salint/internal/files/manifest"
)

// Kind is the kind of a token.
type Kind int

// The kinds of tokens.
const (
	Text Kind = iota
	Action
	Comment
)

// Token is literal text, or an action with its delimiters.
type Token struct {
	Kind Kind
	// Span is the extent of the token. That of a text excludes what adjacent trim markers remove; it can be empty.
	Span manifest.Span
	// Word is the keyword of an action, such as if, range or define; "" for actions without one.
	Word string
	// Node is the parser's node of an action: a parse.ActionNode, TemplateNode, IfNode, WithNode or RangeNode; nil for
	// else, end and define. For an `else if` it is that of the if.
	Node parse.Node
}

const (
	leftDelim, rightDelim     = "{{", "}}"
	leftComment, rightComment = "/*", "*/"
	spaces                    = " \t\r\n"
)

var errUnclosed = errors.New("an action is not closed")

// scan returns the tokens of a template that the parser has accepted.
func scan(text string) ([]Token, error) {
	var tokens []Token
	at, trimmed := 0, false
	for {
		open := strings.Index(text[at:], leftDelim)
		if open < 0 {
			return append(tokens, textToken(text, at, len(text), trimmed, false)), nil
		}
		open += at
		action, inner, err := scanAction(text, open)
		if err != nil {
			return nil, err
		}
		trimsLeft := len(inner) > 1 && inner[0] == '-' && isSpace(inner[1])
		tokens = append(tokens, textToken(text, at, open, trimmed, trimsLeft), action)
		at = action.Span.End
		last := len(inner) - 1
		trimmed = last > 0 && inner[last] == '-' && isSpace(inner[last-1]) || action.Kind == Comment && strings.HasSuffix(inner, " -")
	}
}

func textToken(text string, start, end int, trimLeft, trimRight bool) Token {
	if trimLeft {
		start = end - len(strings.TrimLeft(text[start:end], spaces))
	}
	if trimRight {
		end = start + len(strings.TrimRight(text[start:end], spaces))
	}
	return Token{Kind: Text, Span: manifest.Span{Start: start, End: end}}
}

// scanAction scans the action that begins at open, and also returns the text between its delimiters.
func scanAction(text string, open int) (Token, string, error) {
	start := open + len(leftDelim)
	body := text[start:]
	if len(body) > 1 && body[0] == '-' && isSpace(body[1]) {
		body = body[2:]
	}
	begin := len(text) - len(body)
	if strings.HasPrefix(body, leftComment) {
		length := strings.Index(body[len(leftComment):], rightComment)
		if length < 0 {
			return Token{}, "", errUnclosed
		}
		after := begin + 2*len(leftComment) + length
		end := strings.Index(text[after:], rightDelim)
		if end < 0 {
			return Token{}, "", errUnclosed
		}
		end += after
		return Token{Kind: Comment, Span: manifest.Span{Start: open, End: end + len(rightDelim)}}, text[start:end], nil
	}
	end := endOfAction(text, begin)
	if end < 0 {
		return Token{}, "", errUnclosed
	}
	token := Token{Kind: Action, Span: manifest.Span{Start: open, End: end + len(rightDelim)}, Word: keyword(text[begin:end])}
	return token, text[start:end], nil
}

// endOfAction returns the offset of the closing delimiter, skipping those in quotations; -1 if there is none.
func endOfAction(text string, at int) int {
	for at < len(text) {
		switch c := text[at]; {
		case strings.HasPrefix(text[at:], rightDelim):
			return at
		case c == '"' || c == '\'':
			at = endOfQuotation(text, at+1, c)
		case c == '`':
			length := strings.IndexByte(text[at+1:], '`')
			if length < 0 {
				return -1
			}
			at += length + 2
		default:
			at++
		}
	}
	return -1
}

func endOfQuotation(text string, at int, quote byte) int {
	for at < len(text) && text[at] != quote {
		if text[at] == '\\' {
			at++
		}
		at++
	}
	return at + 1
}

// keyword returns the keyword at the start of an action, or "".
func keyword(inner string) string {
	inner = strings.TrimLeft(inner, spaces)
	end := strings.IndexFunc(inner, func(r rune) bool { return r < 'a' || r > 'z' })
	if end >= 0 {
		if next := inner[end]; !isSpace(next) && !strings.ContainsRune(`$.("'-`+"`", rune(next)) {
			return ""
		}
		inner = inner[:end]
	}
	switch inner {
	case "if", "with", "range", "else", "end", "define", "block", "template", "break", "continue":
		return inner
	}
	return ""
}

func isSpace(c byte) bool { return strings.IndexByte(spaces, c) >= 0 }
