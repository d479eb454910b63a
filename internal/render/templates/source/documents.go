package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

var (
	separatorLine = lazyregexp.New(`(?m)^---(?:[ \t][^\n]*)?\r?(?:\n|\z)`)
	kindLine      = lazyregexp.New(`(?m)^kind:([^\n]*)`)
	headerWords   = lazyregexp.New(`(?i)copyright|licen[cs]e|spdx`)
)

// item is a part of an arm of a block: a line that separates documents, a block inside the arm, or anything else that the
// template contains there.
type item struct {
	manifest.Span
	kind  itemKind
	token int // of an action, and of the opening of a block
}

type itemKind int

const (
	textItem itemKind = iota
	separatorItem
	actionItem
	blockItem
	commentItem
)

// items returns the parts of an arm in order, without blank texts.
func (f *File) items(at place) []item {
	var all []item
	inside := 0 // the end of the block that was added last
	for i, token := range f.Tokens {
		switch {
		case f.around[i] != at || token.Span.Start < inside:
			continue
		case token.Kind == Comment:
			all = append(all, item{token.Span, commentItem, i})
		case token.Kind == Text:
			all = f.textItems(all, token.Span, i)
		case token.Word == "else" || token.Word == "end":
			continue
		default:
			whole := f.Whole(token)
			found := item{whole, actionItem, i}
			if whole != token.Span {
				found.kind, inside = blockItem, whole.End
			}
			all = append(all, found)
		}
	}
	return all
}

// textItems adds the lines of a text that separate documents, and the texts between them.
func (f *File) textItems(all []item, span manifest.Span, token int) []item {
	add := func(start, end int) {
		if strings.TrimSpace(f.Text[start:end]) != "" {
			start += len(f.Text[start:end]) - len(strings.TrimLeft(f.Text[start:end], spaces))
			all = append(all, item{manifest.Span{Start: start, End: f.trimmed(start, end)}, textItem, token})
		}
	}
	at := span.Start
	for _, found := range separatorLine().FindAllStringIndex(f.Text[f.lineStart(span.Start):span.End], -1) {
		start, end := found[0]+f.lineStart(span.Start), found[1]+f.lineStart(span.Start)
		if start < span.Start {
			continue
		}
		add(at, start)
		all = append(all, item{manifest.Span{Start: start, End: end}, separatorItem, token})
		at = end
	}
	if at < span.End {
		add(at, span.End)
	}
	return all
}

func (f *File) lineStart(at int) int { return strings.LastIndexByte(f.Text[:at], '\n') + 1 }

// lineEnd returns the end of the line around the byte before an offset, with its line break.
func (f *File) lineEnd(at int) int {
	if at > 0 && f.Text[at-1] == '\n' {
		return at
	}
	length := strings.IndexByte(f.Text[at:], '\n')
	if length < 0 {
		return len(f.Text)
	}
	return at + length + 1
}

// separates reports how the separators inside a block divide what is around it: before and after are true if each of its arms
// with contents begins or ends with one. any is true if there is a separator anywhere in the block.
func (f *File) separates(i item) (before, after, found bool) {
	if i.kind != blockItem {
		return false, false, false
	}
	block := f.blockAt(i.Start)
	before, after = true, true
	for arm := range block.Arms {
		inner := slices.DeleteFunc(f.items(place{block, arm}), func(i item) bool { return f.isSilent(i) })
		if len(inner) == 0 {
			continue
		}
		first, last := inner[0], inner[len(inner)-1]
		firstBefore, _, _ := f.separates(first)
		_, lastAfter, _ := f.separates(last)
		before = before && (first.kind == separatorItem || firstBefore)
		after = after && (last.kind == separatorItem || lastAfter)
		found = found || slices.ContainsFunc(inner, func(i item) bool {
			_, _, nested := f.separates(i)
			return i.kind == separatorItem || nested
		})
	}
	return before && found, after && found, found
}

func (f *File) blockAt(start int) *Block {
	i, _ := slices.BinarySearchFunc(f.Blocks, start, func(b *Block, at int) int { return b.Span.Start - at })
	return f.Blocks[i]
}

// isSilent reports whether an item never writes anything but comments of YAML.
func (f *File) isSilent(i item) bool {
	switch i.kind {
	case commentItem:
		return true
	case actionItem:
		return !f.Writes(f.Tokens[i.token])
	case textItem:
		for line := range strings.Lines(f.Slice(i.Span)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				return false
			}
		}
		return true
	}
	return false
}

// Document returns the part of the template that writes the whole document of which the bytes at some offsets write something:
// the text between two lines that separate documents, in the innermost block that contains all the offsets. The error is why the
// part is not certain.
func (f *File) Document(offsets []int) (manifest.Span, error) {
	at := f.innermost(offsets[0])
	for _, offset := range offsets[1:] {
		at = common(at, f.innermost(offset))
	}
	first, last := slices.Min(offsets), slices.Max(offsets)
	items := f.items(at)
	from := slices.IndexFunc(items, func(i item) bool { return i.Start <= first && first < i.End })
	to := slices.IndexFunc(items, func(i item) bool { return i.Start <= last && last < i.End })
	if from < 0 || to < 0 {
		return manifest.Span{}, fmt.Errorf("its lines are not found")
	}
	for _, i := range items[from : to+1] {
		if _, _, found := f.separates(i); found || i.kind == separatorItem {
			return manifest.Span{}, fmt.Errorf("its lines belong to several documents")
		}
	}
	for ; from > 0; from-- {
		_, ends, found := f.separates(items[from-1])
		if f.isBoundary(items[from-1]) || ends {
			break
		}
		if found {
			return manifest.Span{}, fmt.Errorf("the block before it can write a part of it: write --- between them")
		}
	}
	for ; to+1 < len(items); to++ {
		begins, _, found := f.separates(items[to+1])
		if f.isBoundary(items[to+1]) || begins {
			break
		}
		if found {
			return manifest.Span{}, fmt.Errorf("the block behind it can write a part of it: write --- between them")
		}
	}
	if err := f.checkDocument(items[from:to+1], first, last); err != nil {
		return manifest.Span{}, err
	}
	start := f.withoutHeader(items[from:to+1], at, first)
	end := f.trimmed(start, items[to].End)
	span := manifest.Span{Start: f.lineStart(start), End: f.lineEnd(end)}
	if strings.TrimSpace(f.Text[span.Start:start]+f.Text[end:span.End]) != "" {
		return manifest.Span{}, fmt.Errorf("its lines contain something else")
	}
	return span, nil
}

// trimmed returns the end of a span without blanks at its end.
func (f *File) trimmed(start, end int) int {
	return start + len(strings.TrimRight(f.Text[start:end], spaces))
}

// isBoundary reports whether a document ends at an item: at a separator, or at a definition or declaration, which stays.
func (f *File) isBoundary(i item) bool {
	switch i.kind {
	case separatorItem:
		return true
	case actionItem:
		return !f.Writes(f.Tokens[i.token])
	case blockItem:
		return f.blockAt(i.Start).Defines()
	}
	return false
}

// checkDocument refuses a document whose kind depends on values, or into which an action can write other documents.
func (f *File) checkDocument(items []item, first, last int) error {
	text := f.Text[items[0].Start:items[len(items)-1].End]
	kinds := kindLine().FindAllStringSubmatch(text, -1)
	if len(kinds) > 1 || len(kinds) == 1 && strings.Contains(kinds[0][1], leftDelim) {
		return fmt.Errorf("its kind depends on values")
	}
	for _, i := range items {
		beyond := i.End <= first || i.Start > last
		if beyond && i.kind == actionItem && i.Start == f.lineStart(i.Start) && !strings.Contains(f.Slice(i.Span), "indent") {
			return fmt.Errorf("%s can write other objects with other values", f.Slice(i.Span))
		}
	}
	return nil
}

// withoutHeader returns the start of a document. What is above the first document of a file and separated from it by an empty
// line, or is a license, belongs to the file.
func (f *File) withoutHeader(items []item, at place, first int) int {
	start := items[0].Start
	if start < first && at.block == nil && strings.TrimSpace(f.Text[:start]) == "" {
		above := f.Text[start:f.lineStart(first)]
		if end := strings.LastIndex(strings.ReplaceAll(above, "\r\n", " \n"), "\n\n"); end >= 0 && f.onlyComments(above) {
			start += end + len("\n\n")
		} else if end := strings.LastIndex(above, "\n \n"); end >= 0 && f.onlyComments(above) {
			start += end + len("\n \n")
		} else if headerWords().MatchString(above) && f.onlyComments(above) {
			start += len(above)
		}
	}
	return start + len(f.Text[start:]) - len(strings.TrimLeft(f.Text[start:], spaces))
}

func (f *File) onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, leftDelim) {
			return false
		}
	}
	return true
}

// common returns the innermost arm that contains two others.
func common(a, b place) place {
	around := map[place]bool{{}: true}
	for at := a; at.block != nil; at = at.block.outer {
		around[at] = true
	}
	for !around[b] {
		b = b.block.outer
	}
	return b
}
