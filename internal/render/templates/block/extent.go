package block

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// maxGuards limits how many blocks around a field can be removed with it.
const maxGuards = 100

// head is the first thing in a line of a template.
type head struct {
	offset int
	token  int
	class  class
}

// class is the relation of a line to a field.
type class int

const (
	neutral  class = iota // a comment or declaration, which writes nothing
	inside                // part of the field
	outside               // part of what follows
	unknown               // depends on values
	opens                 // a block begins
	switches              // else
	closes                // end
)

// extent returns the lines of the field: from its key to the last line before the next one with the same or less
// indentation. A block belongs to the field completely or not at all.
func (f *field) extent() (manifest.Span, error) {
	last, why := f.extentFrom(f.key.From, f.column)
	if why != "" {
		return manifest.Span{}, f.refuse(why)
	}
	return manifest.Span{Start: lineStart(f.file.Text, f.key.From), End: last}, nil
}

// extentFrom is extent for any key. It returns the end of the last line, or why that is uncertain.
func (f *field) extentFrom(key, column int) (last int, why string) {
	last = f.lineEnd(key)
	for at := last; ; {
		h, ok := f.head(at, column)
		if !ok {
			return last, ""
		}
		at = f.behind(h)
		if h.class == opens {
			whole := f.file.Whole(f.file.Tokens[h.token])
			h.class, at = f.classOf(whole, column), f.lineEnd(whole.End)
			if h.class == neutral {
				at = whole.End
			} else if h.class == inside && strings.TrimSpace(f.file.Text[whole.End:at]) != "" {
				h.class = unknown
			}
		}
		switch h.class {
		case outside, switches, closes:
			return last, ""
		case unknown:
			return 0, "it is uncertain whether this is part of it for all values: " + f.line(h)
		case inside:
			last = at
		}
	}
}

// classOf returns the class of a block's contents: neutral if it is empty, unknown if the contents are mixed.
func (f *field) classOf(block manifest.Span, column int) class {
	found := neutral
	for at := f.inner(block); ; {
		h, ok := f.head(at, column)
		switch {
		case !ok || h.offset >= block.End:
			return found
		case h.class == unknown, h.class == inside && found == outside, h.class == outside && found == inside:
			return unknown
		case h.class == inside || h.class == outside:
			found = h.class
		}
		at = f.behind(h)
	}
}

// inner returns the end of a block's opening action.
func (f *field) inner(block manifest.Span) int {
	return f.file.Tokens[f.file.TokenAt(block.Start)].Span.End
}

// behind returns where the search for the next head continues: after the line, or after an action that can be followed by
// something.
func (f *field) behind(h head) int {
	if token := f.file.Tokens[h.token]; token.Kind != source.Text && !f.file.Writes(token) {
		return token.Span.End
	}
	return f.lineEnd(h.offset)
}

// head returns the first thing at or after a byte.
func (f *field) head(at, column int) (head, bool) {
	text := f.file.Text
	offset := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
	if offset == len(text) {
		return head{}, false
	}
	h := head{offset: offset, token: f.file.FirstBehind(offset)}
	h.class = f.class(f.file.Tokens[h.token], h.token, offset, column)
	if beside := lineStart(text, offset) < at; beside && (h.class == inside || h.class == outside || h.class == neutral && f.file.Tokens[h.token].Kind == source.Text) {
		h.class = unknown // its column depends on the output of the preceding action
	}
	return h, true
}

func (f *field) class(token source.Token, index, offset, column int) class {
	switch {
	case token.Kind == source.Text:
		return f.classOfText(token, index, offset, column)
	case token.Word == "define":
		return outside
	case token.Word == "if" || token.Word == "with" || token.Word == "range":
		return opens
	case token.Word == "else":
		return switches
	case token.Word == "end":
		return closes
	case !f.file.Writes(token):
		return neutral
	}
	return f.classOfAction(token)
}

func (f *field) classOfText(token source.Token, index, offset, column int) class {
	text, at := f.file.Text, offset-lineStart(f.file.Text, offset)
	if index > 0 && offset == token.Span.Start && strings.HasSuffix(f.file.Slice(f.file.Tokens[index-1].Span), " -}}") {
		return unknown // the trim marker joins it to the previous line
	}
	switch {
	case strings.Contains(text[offset-at:offset], "\t"):
		return unknown
	case text[offset] == '#' && at <= column:
		return neutral
	case at > column, at == column && strings.HasPrefix(text[offset:], "- ") && f.value.IsSequence():
		return inside
	}
	return outside
}

// classOfAction returns where the output of an action belongs: to this field or not.
func (f *field) classOfAction(token source.Token) class {
	if f.written == nil {
		f.written = map[int]class{}
		for _, piece := range f.template.Pieces {
			if piece.Source == f.key.Source && f.written[piece.From] != inside {
				f.written[piece.From] = outside
				if f.overlaps(piece) {
					f.written[piece.From] = inside
				}
			}
		}
	}
	if found, ok := f.written[token.Span.Start]; ok {
		return found
	}
	return unknown
}

// lineEnd returns the offset after the line break that ends a byte's line. Line breaks inside actions do not count.
func (f *field) lineEnd(at int) int {
	text := f.file.Text
	for at < len(text) {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return len(text)
		}
		at += length
		i := f.file.TokenAt(at)
		if i < 0 || f.file.Tokens[i].Kind == source.Text {
			return at + 1
		}
		at = f.file.Tokens[i].Span.End
	}
	return at
}

func (f *field) line(h head) string {
	return strings.TrimSpace(f.file.Text[h.offset:f.lineEnd(h.offset)])
}

// withComments adds the comment lines directly above, in the same column.
func (f *field) withComments(span manifest.Span) manifest.Span {
	text := f.file.Text
	for span.Start > 0 {
		start := lineStart(text, span.Start-1)
		line := text[start:span.Start]
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "#") || strings.Index(line, "#") != f.column || strings.Contains(line, "{{") {
			break
		}
		if i := f.file.TokenAt(start + f.column); i < 0 || f.file.Tokens[i].Kind != source.Text {
			break // inside an action
		}
		span.Start = start
	}
	return span
}

// withGuards adds the surrounding if and with blocks that contain only fields of this name.
func (f *field) withGuards(span manifest.Span) manifest.Span {
	for range maxGuards {
		guards := f.file.Scope(span.Start).Guards
		if len(guards) == 0 {
			return span
		}
		guard := guards[len(guards)-1]
		if guard.Word != "if" && guard.Word != "with" {
			return span
		}
		text := f.file.Text
		start := lineStart(text, guard.Span.Start)
		end := f.lineEnd(guard.Span.End)
		isAlone := strings.TrimSpace(text[start:guard.Span.Start]) == "" && strings.TrimSpace(text[guard.Span.End:end]) == ""
		if !isAlone || !f.onlyFields(guard.Span) {
			return span
		}
		span = manifest.Span{Start: start, End: end}
	}
	return span
}

// onlyFields reports whether all arms of a block contain only fields of this name.
func (f *field) onlyFields(block manifest.Span) bool {
	text := f.file.Text
	for at := f.inner(block); ; {
		h, ok := f.head(at, -1)
		if !ok || h.offset >= block.End {
			return true
		}
		at = f.behind(h)
		if token := f.file.Tokens[h.token]; token.Kind != source.Text && !f.file.Writes(token) {
			continue
		}
		rest := text[h.offset:]
		isComment := strings.HasPrefix(rest, "#")
		if h.class == unknown || !isComment && (h.offset-lineStart(text, h.offset) != f.column || !startsField(rest, f.name)) {
			return false
		}
		if isComment {
			continue
		}
		last, why := f.extentFrom(h.offset, f.column)
		if why != "" {
			return false
		}
		at = last
	}
}
