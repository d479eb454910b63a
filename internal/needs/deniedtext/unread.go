package deniedtext

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

var (
	// strong words begin what is about permissions wherever they stand.
	strong = regexp.MustCompile(`forbidden:|cannot set blockOwnerDeletion|cannot set an ownerRef|not currently held|` +
		`attempt to grant extra privileges|authorization evaluation error|requires the following permissions`)
	// weak words may be about permissions, and count in a message of which nothing else was read.
	weak = regexp.MustCompile(`(?i)forbidden|unauthorized|not authorized|permission denied|access denied|` +
		`insufficient permission|lacks? permission|pre-authorization failed`)
	// introduction stands before the list of a pre-authorization, on a line of its own where lines were broken.
	introduction = regexp.MustCompile(`(?i)pre-authorization failed`)
	// reason is a line that says by one word what kind of error there was; the message says more.
	reason = regexp.MustCompile(`(?i)^\W*(reason|status|code|type)\W+\w*\W*$`)
	// border is where a list of errors goes on with the next one.
	border = regexp.MustCompile(`; | && |\\+n`)
)

// leftovers enters what speaks of permissions and was not read. A text is looked at line by line, and a line piece by
// piece: what was read, and what stands between.
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

// line looks at one line; the spans begin with the first that reaches into it.
func (r *reading) line(start, end int, spans []span, failed []int, quiet bool) {
	whole := len(failed) == 0 && (len(spans) == 0 || spans[0].start >= end)
	if whole && !strong.MatchString(r.text[start:end]) {
		line := r.text[start:end]
		if len(r.spans)+len(r.failed) > 0 {
			line = introduction.ReplaceAllString(line, "")
		}
		if !quiet && weak.MatchString(line) && !reason.MatchString(line) {
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

// piece looks at what stands between two sentences that were read. What leads up to the second, with a colon at its end,
// is its introduction.
func (r *reading) piece(start, end int, failed []int) {
	for _, part := range split(r.text, start, end) {
		text := r.text[part.start:part.end]
		first, _ := slices.BinarySearch(failed, part.start)
		bad := first < len(failed) && failed[first] < part.end
		if !bad && !strong.MatchString(text) {
			continue
		}
		if !bad && strings.HasSuffix(strings.TrimSpace(text), ":") && r.leads(part.end) {
			continue
		}
		r.addUnread(tidy(text))
	}
}

// leads tells whether a sentence that was read follows, on the same line or the next.
func (r *reading) leads(end int) bool {
	c := cursor{text: r.text, at: end}
	c.space()
	_, found := slices.BinarySearchFunc(r.spans, c.at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	return found
}

// split takes a piece apart where one error ends and the next begins.
func split(text string, start, end int) []span {
	var parts []span
	from := start
	for _, match := range border.FindAllStringIndex(text[start:end], -1) {
		parts = append(parts, span{from, start + match[0]})
		from = start + match[1]
	}
	return append(parts, span{from, end})
}

// maxSentence is how much is shown of a sentence.
const maxSentence = 300

// tidy makes one short line of a sentence.
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
