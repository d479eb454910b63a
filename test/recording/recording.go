package recording

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/output/terminal"
)

const (
	columns    = 100
	lines      = 34
	charWidth  = 8.4
	lineHeight = 19
	padding    = 16
	seconds    = 5 // for each screen
)

// SVG returns an animated picture of screens, one after the other. What does not fit on one is cut, and said.
func SVG(title string, screens []string) string {
	width, height := int(columns*charWidth)+2*padding, lines*lineHeight+2*padding
	total := seconds * len(screens)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n", width, height, html.EscapeString(title))
	b.WriteString("<style>\ntext{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#d8dee9}\n" +
		".b{font-weight:bold}.f{fill:#8a93a3}.r{fill:#ff7b85}.g{fill:#8fd18a}.y{fill:#f0c674}.u{fill:#82b1ff}.c{fill:#7fdbca}\n")
	if len(screens) > 1 {
		share := 100 / float64(len(screens))
		fmt.Fprintf(&b, "g{opacity:0;animation:screen %ds step-end infinite}\n@keyframes screen{0%%{opacity:1}%.4g%%{opacity:0}}\n", total, share)
		for i := range screens {
			fmt.Fprintf(&b, "#s%d{animation-delay:%ds}\n", i, i*seconds)
		}
		b.WriteString("@media (prefers-reduced-motion:reduce){g{animation:none}#s0{opacity:1}}\n")
	}
	fmt.Fprintf(&b, "</style>\n<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#1b2129\"/>\n", width, height)
	for i, screen := range screens {
		fmt.Fprintf(&b, "<g id=\"s%d\">\n", i)
		for n, line := range cut(wrapped(screen)) {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", padding, padding+(n+1)*lineHeight-5, colored(line))
		}
		b.WriteString("</g>\n")
	}
	return b.String() + "</svg>\n"
}

func wrapped(screen string) []string {
	var out bytes.Buffer
	w := terminal.NewWrapped(&out, columns)
	_, _ = w.Write([]byte(strings.TrimRight(screen, "\n") + "\n")) // a buffer has no errors
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func cut(all []string) []string {
	if len(all) <= lines {
		return all
	}
	return append(all[:lines-1:lines-1], fmt.Sprintf("\x1b[2m… %d more lines\x1b[0m", len(all)-lines+1))
}

var escape = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// classes are the styles of the picture by the codes of a terminal.
var classes = map[string]string{"1": "b", "2": "f", "31": "r", "32": "g", "33": "y", "34": "u", "36": "c"}

// colored turns the colors of a line into spans.
func colored(line string) string {
	var b strings.Builder
	class, at := "", 0
	write := func(text string) {
		switch {
		case text == "":
		case class == "":
			b.WriteString(html.EscapeString(text))
		default:
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(text))
		}
	}
	for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
		write(line[at:m[0]])
		at, class = m[1], ""
		for code := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			class = strings.TrimSpace(class + " " + classes[code])
		}
	}
	write(line[at:])
	return b.String()
}
