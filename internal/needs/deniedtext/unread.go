package deniedtext

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

var (
	// strong words indicate permissions in any text.
	strong = lazyregexp.New(`forbidden:|cannot set blockOwnerDeletion|cannot set an ownerRef|not currently held|` +
		`attempt to grant extra privileges|authorization evaluation error|requires the following permissions`)
	// weak words can indicate permissions, and count in a message of which nothing else was read.
	weak = lazyregexp.New(`(?i)forbidden|unauthorized|not authorized|permission denied|access denied|` +
		`insufficient permission|lacks? permission|pre-authorization failed`)
	// maybeMore is what a pre-authorization says if it could not evaluate everything.
	maybeMore = lazyregexp.New(`missing\s+rules\s+may\s+be\s+incomplete`)
	// introduction precedes the list of a pre-authorization, on a separate line if lines were broken.
	introduction = lazyregexp.New(`(?i)pre-authorization failed`)
	// reason is a line with only the kind of error; the message contains more.
	reason = lazyregexp.New(`(?i)^\W*(reason|status|code|type)\W+\w*\W*$`)
	// border separates errors in a list.
	border = lazyregexp.New(`; | && |\\+n`)
)

// leftovers records the text about permissions that was not read. It checks each line, and in it the parts between the
// sentences that were read.
func (r *reading) leftovers(quiet bool) {
	slices.SortFunc(r.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	slices.Sort(r.failed)
	spans, failed := r.spans, r.failed
	for start := 0; start < len(r.text); {
		end := start + strings.IndexByte(r.text[start:], '\n')
		if end < start {
			end = len(r.text)
		}
		for len(spans) > 0 && spans[0].end <= start {
			spans = spans[1:]
		}
		var bad []int
		for len(failed) > 0 && failed[0] < end {
			bad, failed = append(bad, failed[0]), failed[1:]
		}
		r.line(start, end, spans, bad, quiet)
		start = end + 1
	}
}

// line checks one line; the spans begin with the first one that overlaps it.
func (r *reading) line(start, end int, spans []span, failed []int, quiet bool) {
	whole := len(failed) == 0 && (len(spans) == 0 || spans[0].start >= end)
	if whole && !strong().MatchString(r.text[start:end]) {
		line := r.text[start:end]
		if len(r.spans)+len(r.failed) > 0 {
			line = introduction().ReplaceAllString(line, "")
		}
		if !quiet && weak().MatchString(line) && !reason().MatchString(line) {
			r.addUnread(tidy(line))
		}
		return
	}
	for at := start; at < end; {
		piece, next := end, end
		if len(spans) > 0 && spans[0].start < end {
			piece, next = max(spans[0].start, at), min(spans[0].end, end)
			spans = spans[1:]
		}
		r.piece(at, piece, failed)
		at = max(next, at+1)
	}
}

// piece checks the text between two sentences that were read. Text before the second with a colon at its end is its
// introduction.
func (r *reading) piece(start, end int, failed []int) {
	for _, part := range split(r.text, start, end) {
		text := r.text[part.start:part.end]
		first, _ := slices.BinarySearch(failed, part.start)
		bad := first < len(failed) && failed[first] < part.end
		if !bad && !strong().MatchString(text) {
			continue
		}
		if !bad && strings.HasSuffix(strings.TrimSpace(text), ":") && r.leads(part.end) {
			continue
		}
		r.addUnread(tidy(text))
	}
}

// leads reports whether a sentence that was read follows, on the same line or the next.
func (r *reading) leads(end int) bool {
	c := cursor{text: r.text, at: end}
	c.space()
	_, found := slices.BinarySearchFunc(r.spans, c.at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	return found
}

// split splits a piece between errors.
func split(text string, start, end int) []span {
	var parts []span
	from := start
	for _, match := range border().FindAllStringIndex(text[start:end], -1) {
		parts = append(parts, span{from, start + match[0]})
		from = start + match[1]
	}
	return append(parts, span{from, end})
}

// maxSentence is the number of bytes of a sentence that are shown.
const maxSentence = 300

// tidy shortens a sentence to one line.
func tidy(text string) string {
	if len(text) > 4*maxSentence {
		text = text[:4*maxSentence]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	text = strings.Map(func(r rune) rune {
		if !printable(string(r)) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxSentence {
		return string(runes[:maxSentence]) + "…"
	}
	return text
}
