package main

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/alecthomas/chroma/v2"
	formatter "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

var classes = formatter.New(formatter.WithClasses(true), formatter.PreventSurroundingPre(true))

// writeCode writes a block of code. The element scrolls, and the keyboard reaches it.
func writeCode(w io.Writer, language, text string) error {
	isRun := strings.HasPrefix(text, "$ ")
	label := language
	if isRun {
		label = "console"
	}
	fmt.Fprintf(w, `<div class="code" data-language="%s"><pre tabindex="0"><code>`, html.EscapeString(label))
	if isRun {
		writeRun(w, text)
	} else if err := highlight(w, language, text); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</code></pre></div>\n")
	return err
}

func highlight(w io.Writer, language, text string) error {
	lexer := lexers.Get(language)
	if language == "" || lexer == nil {
		_, err := io.WriteString(w, html.EscapeString(text))
		return err
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return err
	}
	return classes.Format(w, styles.Fallback, tokens)
}

// writeRun writes commands and their output. The prompt is drawn by the style, so that a selection does not have it, and one click on
// a command selects it.
func writeRun(w io.Writer, text string) {
	inDiff, continued := false, false
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		escaped := html.EscapeString(strings.TrimSuffix(command, "\n"))
		switch {
		case isCommand:
			inDiff = false
			fmt.Fprintf(w, `<span class="cmd prompt">%s</span>`+"\n", escaped)
		case continued:
			fmt.Fprintf(w, `<span class="cmd">%s</span>`+"\n", escaped)
		default:
			inDiff = inDiff || strings.HasPrefix(line, "diff --git ")
			fmt.Fprintf(w, `<span class="%s">%s</span>`+"\n", outputClass(line, inDiff), escaped)
		}
		continued = (isCommand || continued) && strings.HasSuffix(line, "\\\n")
	}
}

func outputClass(line string, inDiff bool) string {
	switch {
	case inDiff && strings.HasPrefix(line, "+"):
		return "out gi"
	case inDiff && strings.HasPrefix(line, "-"):
		return "out gd"
	default:
		return "out"
	}
}
