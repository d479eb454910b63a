package terminal

import (
	"bytes"
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// hanging is how much further than a line its continuation is indented, and leastText the width that the indentation leaves.
const (
	hanging   = 4
	leastText = 20
)

// Wrapped is a writer that breaks lines between words so that none is wider than the terminal. Commands, which begin with a dollar sign, are
// never broken: they are there to be copied. The last line is written by Flush if it does not end.
type Wrapped struct {
	to    io.Writer
	width int
	line  []byte // the line that has not ended
}

// NewWrapped returns a writer that writes to another one lines of at most a width; 0 does not break lines.
func NewWrapped(to io.Writer, width int) *Wrapped { return &Wrapped{to: to, width: width} }

// Exact makes the writer write all that follows as it is.
func (w *Wrapped) Exact() { w.width = 0 }

// Unwrap returns the writer to which lines are written.
func (w *Wrapped) Unwrap() io.Writer { return w.to }

// Write writes the lines of a text that end. What moves the cursor back, as a progress line does, is written as it is.
func (w *Wrapped) Write(text []byte) (int, error) {
	if w.width <= 0 || bytes.IndexByte(text, '\r') >= 0 {
		if err := w.Flush(); err != nil {
			return 0, err
		}
		return w.to.Write(text)
	}
	var out bytes.Buffer
	w.line = append(w.line, text...)
	for {
		end := bytes.IndexByte(w.line, '\n')
		if end < 0 {
			break
		}
		out.WriteString(wrapLine(string(w.line[:end]), w.width))
		out.WriteByte('\n')
		w.line = w.line[end+1:]
	}
	if _, err := w.to.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes a line that has not ended.
func (w *Wrapped) Flush() error {
	if len(w.line) == 0 {
		return nil
	}
	line := wrapLine(string(w.line), w.width)
	w.line = nil
	_, err := io.WriteString(w.to, line)
	return err
}

// wrapLine breaks a line at spaces. What follows is indented further than the line.
func wrapLine(line string, width int) string {
	if visible(line) <= width || strings.HasPrefix(strings.TrimLeft(line, " "), "$ ") {
		return line
	}
	text := strings.TrimLeft(line, " ")
	margin := len(line) - len(text)
	indent := strings.Repeat(" ", min(margin+hanging, max(0, width-leastText)))
	first, _, _ := strings.Cut(text, " ")
	margin = fitting(margin, width, visible(parts(first, width-len(indent))[0]))
	var lines []string
	current, used := line[:margin], margin
	for i, word := range strings.Split(text, " ") {
		space := 1
		if i == 0 {
			space = 0
		}
		for _, part := range parts(word, width-len(indent)) {
			n := visible(part)
			if used+space+n > width && part != "" && used > margin {
				lines = append(lines, strings.TrimRight(current, " "))
				used = fitting(len(indent), width, n)
				current = indent[:used]
			} else if space > 0 {
				current, used = current+" ", used+1
			}
			current, used, space = current+part, used+n, 0
		}
	}
	return strings.Join(append(lines, current), "\n")
}

// fitting returns how far a word is indented: less than wanted if it would not fit, as the last column of a table does not.
func fitting(wanted, width, word int) int { return min(wanted, max(0, width-word)) }

// parts divides a word that is wider than a line after its commas.
func parts(word string, width int) []string {
	if visible(word) <= width {
		return []string{word}
	}
	return strings.SplitAfter(word, ",")
}

// visible returns the columns of a text without its colors.
func visible(text string) int {
	plain := text
	for {
		begin := strings.Index(plain, "\x1b[")
		if begin < 0 {
			return uniseg.StringWidth(plain)
		}
		end := strings.IndexByte(plain[begin:], 'm')
		if end < 0 {
			return uniseg.StringWidth(plain)
		}
		plain = plain[:begin] + plain[begin+end+1:]
	}
}
