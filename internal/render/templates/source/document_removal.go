package source

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// WithoutDocuments returns what is removed from the template if some documents are, which [File.Document] returned: also the lines
// that separate them from others, and the blocks that contain nothing else. empty is true if nothing is left, except for a license.
func (f *File) WithoutDocuments(documents []manifest.Span) (removed []manifest.Span, empty bool) {
	r := documentRemoval{f, map[manifest.Span]bool{}}
	documents = slices.Clone(documents)
	slices.SortFunc(documents, func(a, b manifest.Span) int { return a.Start - b.Start })
	for len(documents) > 0 {
		d := documents[0]
		documents = documents[1:]
		if i := slices.IndexFunc(r.spans(), func(s manifest.Span) bool { return s.Start <= d.Start && d.End <= s.End }); i >= 0 {
			continue
		}
		if block := r.onlyContents(f.innermost(d.Start), append(documents, d)); block != nil {
			documents = append([]manifest.Span{{Start: f.lineStart(block.Span.Start), End: f.lineEnd(block.Span.End)}},
				slices.DeleteFunc(documents, func(o manifest.Span) bool { return block.Span.Start <= o.Start && o.Start < block.Span.End })...)
			r.forget(block.Span)
			continue
		}
		r.remove(d)
	}
	return r.result()
}

// documentRemoval collects what is removed.
type documentRemoval struct {
	file *File
	gone map[manifest.Span]bool
}

func (r documentRemoval) spans() []manifest.Span {
	var all []manifest.Span
	for s := range r.gone {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b manifest.Span) int { return a.Start - b.Start })
	return all
}

func (r documentRemoval) forget(inside manifest.Span) {
	for s := range r.gone {
		if inside.Start <= s.Start && s.End <= inside.End {
			delete(r.gone, s)
		}
	}
}

// onlyContents returns the block around an arm if nothing is left in it without some documents; otherwise nil.
func (r documentRemoval) onlyContents(at place, documents []manifest.Span) *Block {
	if at.block == nil || at.block.Defines() || len(at.block.Arms) > 1 {
		return nil
	}
	all := append(r.spans(), documents...)
	for _, i := range r.file.items(at) {
		covered := slices.ContainsFunc(all, func(d manifest.Span) bool { return d.Start <= i.Start && i.End <= d.End })
		if !covered && i.kind != separatorItem && i.kind != commentItem {
			return nil
		}
	}
	text := r.file.Text
	start, end := r.file.lineStart(at.block.Span.Start), r.file.lineEnd(at.block.Span.End)
	if strings.TrimSpace(text[start:at.block.Span.Start]) != "" || strings.TrimSpace(text[at.block.Span.End:end]) != "" {
		return nil
	}
	return at.block
}

// remove removes a document with one of the lines that separate it from others. A block that contains separators needs none.
func (r documentRemoval) remove(d manifest.Span) {
	r.gone[d] = true
	items := r.file.items(r.file.innermost(d.Start))
	first := slices.IndexFunc(items, func(i item) bool { return i.End > d.Start })
	last := first
	for last+1 < len(items) && items[last+1].Start < d.End {
		last++
	}
	if first < 0 {
		return
	}
	if _, _, separate := r.file.separates(items[first]); separate {
		return
	}
	before, after := first-1, last+1
	for before > 0 && items[before].kind == commentItem {
		before--
	}
	switch {
	case before >= 0 && items[before].kind == separatorItem && !r.gone[items[before].Span]:
		r.gone[items[before].Span] = true
	case after < len(items) && items[after].kind == separatorItem && !r.gone[items[after].Span]:
		r.gone[items[after].Span] = true
	}
}

// result returns the removed parts with the blank lines that they leave side by side.
func (r documentRemoval) result() (removed []manifest.Span, empty bool) {
	text := r.file.Text
	for _, s := range r.spans() {
		if last := len(removed) - 1; last >= 0 && strings.TrimSpace(text[removed[last].End:max(s.Start, removed[last].End)]) == "" {
			removed[last].End = max(removed[last].End, s.End)
			continue
		}
		removed = append(removed, s)
	}
	var rest strings.Builder
	at := 0
	for i, s := range removed {
		above := text[at:s.Start]
		if s.Start == 0 || strings.HasSuffix(above, "\n\n") || strings.HasSuffix(above, "\n\r\n") {
			removed[i].End = r.file.behindBlankLines(s.End)
		}
		rest.WriteString(above)
		at = removed[i].End
	}
	rest.WriteString(text[at:])
	return removed, isEmptyRest(rest.String())
}

func (f *File) behindBlankLines(at int) int {
	for at < len(f.Text) {
		end := f.lineEnd(at + 1)
		if strings.TrimSpace(f.Text[at:end]) != "" {
			break
		}
		at = end
	}
	return at
}

var commentAction = lazyregexp.New(`(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}`)

// isEmptyRest reports whether a text contains nothing but blanks, separators, and a license.
func isEmptyRest(text string) bool {
	comments := commentAction().FindAllString(text, -1)
	for line := range strings.Lines(commentAction().ReplaceAllString(text, "")) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line == "---":
		case line[0] == '#':
			comments = append(comments, line)
		default:
			return false
		}
	}
	return len(comments) == 0 || headerWords().MatchString(strings.Join(comments, "\n"))
}
