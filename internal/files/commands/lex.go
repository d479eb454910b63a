package commands

import "strings"

// token is a word or an operator of a shell.
type token struct {
	line int
	word word
	op   string // such as |, &&, (, a line feed, > with its file as the next word
}

// lexer divides a script into tokens.
type lexer struct {
	text   string
	at     int
	line   int
	tokens []token
	ends   []string // the ends of heredocs that begin after the line
}

// lex returns the tokens of a script whose first line has a number.
func lex(text string, line int) []token {
	l := &lexer{text: text, line: line}
	for l.at < len(l.text) {
		l.next()
	}
	return append(l.tokens, token{line: l.line, op: "\n"})
}

// lexWords returns the words of a text without operators.
func lexWords(text string) []word {
	var words []word
	for _, t := range lex(text, 1) {
		if t.op == "" {
			words = append(words, t.word)
		}
	}
	return words
}

// operators are those of a shell, longer ones first.
var operators = []string{"<<<", "<<-", "&>>", "<<", ">>", "&&", "||", "|&", "&>", ">&", ";;", ">|", "|", "&", ";", "(", ")", ">", "<"}

func (l *lexer) next() {
	switch c := l.text[l.at]; {
	case strings.HasPrefix(l.text[l.at:], "\\\n"):
		l.at, l.line = l.at+2, l.line+1
	case strings.HasPrefix(l.text[l.at:], "\\\r\n"):
		l.at, l.line = l.at+3, l.line+1
	case c == '\n':
		l.op("\n")
		l.line++
		l.skipHeredocs()
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case c == '#':
		l.skipComment()
	case strings.HasPrefix(l.text[l.at:], "<("), strings.HasPrefix(l.text[l.at:], ">("):
		l.word()
	default:
		for _, op := range operators {
			if strings.HasPrefix(l.text[l.at:], op) {
				l.op(op)
				return
			}
		}
		l.word()
	}
}

func (l *lexer) op(op string) {
	l.tokens = append(l.tokens, token{line: l.line, op: op})
	l.at += len(op)
	if op == "<<" || op == "<<-" {
		for l.at < len(l.text) && l.text[l.at] == ' ' {
			l.at++
		}
		from := len(l.tokens)
		l.word()
		if len(l.tokens) > from {
			l.ends = append(l.ends, l.tokens[from].word.literal())
		}
	}
}

func (l *lexer) skipComment() {
	end := strings.IndexByte(l.text[l.at:], '\n')
	if end < 0 {
		end = len(l.text) - l.at
	}
	l.at += end
}

// skipHeredocs skips the texts of heredocs, which are no commands.
func (l *lexer) skipHeredocs() {
	for _, end := range l.ends {
		for l.at < len(l.text) {
			line, _, _ := strings.Cut(l.text[l.at:], "\n")
			l.at, l.line = min(l.at+len(line)+1, len(l.text)), l.line+1
			if strings.Trim(line, " \t\r") == end {
				break
			}
		}
	}
	l.ends = nil
}

// word reads a word.
func (l *lexer) word() {
	t := token{line: l.line}
	for l.at < len(l.text) {
		c := l.text[l.at]
		isProcess := (c == '<' || c == '>') && strings.HasPrefix(l.text[l.at+1:], "(") && len(t.word) == 0
		if !isProcess && strings.IndexByte(" \t\r\n|&;()<>", c) >= 0 {
			break
		}
		switch {
		case isProcess:
			l.at++
			p := l.parenthesized()
			p.process = true
			t.word = append(t.word, p)
		case c == '\'':
			t.word = append(t.word, part{text: l.until('\'')})
		case c == '"':
			t.word = append(t.word, l.doubleQuoted()...)
		case c == '`':
			t.word = append(t.word, part{script: l.until('`')})
		case c == '$' || strings.HasPrefix(l.text[l.at:], "{{"):
			t.word = append(t.word, l.reference())
		case c == '\\' && l.at+1 < len(l.text):
			t.word = append(t.word, part{text: l.text[l.at+1 : l.at+2]})
			l.at += 2
		default:
			t.word = append(t.word, part{text: string(c)})
			l.at++
		}
	}
	if len(t.word) > 0 || l.at > 0 && (l.text[l.at-1] == '\'' || l.text[l.at-1] == '"') {
		l.tokens = append(l.tokens, t)
		return
	}
	l.at++ // not reached for valid scripts, but the lexer must go on
}

// until reads a text in quotes.
func (l *lexer) until(quote byte) string {
	l.at++
	end := strings.IndexByte(l.text[l.at:], quote)
	if end < 0 {
		end = len(l.text) - l.at
	}
	text := l.text[l.at : l.at+end]
	l.line += strings.Count(text, "\n")
	l.at = min(l.at+end+1, len(l.text))
	return text
}

func (l *lexer) doubleQuoted() []part {
	parts := []part{{}}
	for l.at++; l.at < len(l.text) && l.text[l.at] != '"'; {
		switch c := l.text[l.at]; {
		case c == '\\' && l.at+1 < len(l.text):
			parts = append(parts, part{text: l.text[l.at+1 : l.at+2]})
			l.at += 2
		case c == '$' || strings.HasPrefix(l.text[l.at:], "{{"):
			parts = append(parts, l.reference())
		case c == '`':
			parts = append(parts, part{script: l.until('`')})
		default:
			if c == '\n' {
				l.line++
			}
			parts = append(parts, part{text: string(c)})
			l.at++
		}
	}
	l.at = min(l.at+1, len(l.text))
	return parts
}

// reference reads a variable, what a program fills in, or the output of a command.
func (l *lexer) reference() part {
	rest := l.text[l.at:]
	for _, brackets := range [][2]string{{"${{", "}}"}, {"{{", "}}"}} {
		if inner, is := strings.CutPrefix(rest, brackets[0]); is {
			end := strings.Index(inner, brackets[1])
			if end < 0 {
				break
			}
			l.at += len(brackets[0]) + end + len(brackets[1])
			return part{variable: templateName(inner[:end])}
		}
	}
	switch {
	case strings.HasPrefix(rest, "$("):
		l.at++
		p := l.parenthesized()
		if isName(p.script) || isExpression(p.script) { // of make, or of a pipeline
			return part{variable: templateName(p.script)}
		}
		return p
	case strings.HasPrefix(rest, "${"):
		l.at++
		inner := l.until('}')
		return parameter(inner)
	case len(rest) > 1 && (isNameByte(rest[1]) || strings.IndexByte("@*#?!<^", rest[1]) >= 0):
		end := 2
		for isNameByte(rest[1]) && end < len(rest) && isNameByte(rest[end]) {
			end++
		}
		l.at += end
		return part{variable: rest[1:end]}
	}
	l.at++
	return part{text: rest[:1]}
}

// isExpression reports whether $(TEXT) is filled in by a pipeline, as $(params.NAME) is.
func isExpression(text string) bool {
	before, after, dotted := strings.Cut(text, ".")
	return dotted && isName(before) && isName(strings.NewReplacer(".", "", "-", "").Replace(after))
}

// templateName returns the name of what {{ .NAME }}, ${{ env.NAME }}, $(params.NAME), or {{ NAME }} fills in.
func templateName(inner string) string {
	inner = strings.TrimSpace(strings.Trim(inner, "-"))
	if before, is := strings.CutSuffix(inner, ".path"); is && strings.HasPrefix(before, "workspaces.") {
		return checkout
	}
	for _, prefix := range []string{"env.", "vars.", "matrix.", "params.", "inputs.params.", "inputs.parameters.", "workflow.parameters.", "."} {
		if name, is := strings.CutPrefix(inner, prefix); is && isName(strings.ReplaceAll(name, "-", "")) {
			return name
		}
	}
	return inner
}

// parameter returns the variable of ${NAME}, ${NAME:-FALLBACK}, or ${NAME[@]}. What other forms change of the value is unknown.
func parameter(inner string) part {
	end := 0
	for end < len(inner) && isNameByte(inner[end]) {
		end++
	}
	name, rest := inner[:end], inner[end:]
	switch {
	case name == "":
		return part{variable: inner}
	case rest == "" || rest == "[@]" || rest == "[*]":
		return part{variable: name}
	}
	for _, form := range []string{":-", ":=", "-", "="} {
		if fallback, is := strings.CutPrefix(rest, form); is {
			return part{variable: name, fallback: &fallback}
		}
	}
	return part{variable: inner}
}

// parenthesized reads a script in parentheses.
func (l *lexer) parenthesized() part {
	from, depth := l.at+1, 0
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case '(':
			depth++
		case ')':
			depth--
		case '\n':
			l.line++
		case '\'':
			l.until('\'')
			continue
		}
		l.at++
		if depth == 0 {
			return part{script: l.text[from : l.at-1]}
		}
	}
	return part{script: l.text[min(from, len(l.text)):]}
}

func isName(text string) bool {
	for i := range len(text) {
		if !isNameByte(text[i]) {
			return false
		}
	}
	return text != ""
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
