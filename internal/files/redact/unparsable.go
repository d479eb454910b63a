package redact

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

var (
	// dataField finds a field that can hold secret data in a text that cannot be parsed.
	dataField = lazyregexp.New(`(?m)(?:^|[\s{,"'])(?:data|stringData)["']?\s*:`)
	// secretKind finds a field kind that says Secret, or says it in a form of YAML other than a plain or quoted text.
	secretKind = lazyregexp.New(`(?im)(?:^|[\s{,"'\\])kind[\\"']*\s*:\s*(?:#.*\s*)?(?:[\\"'\s]*secret(?:list|generator)?(?:\W|$)|[>|&*!?])`)
	// secretPart finds what a generator or a patch of a Secret has, and a part of a template that is named after one.
	secretPart = lazyregexp.New(`(?is)secretGenerator|define\s+"[^"]*secret|(?:path|from)["']?\s*:\s*["']?/(?:data|stringData)|\?\s*["']?kind|patch["']?\s*:.*secret|secret.*patch["']?\s*:`)
	// escapedLetter finds letters of a quoted text that are written as escapes, or a line end within it that YAML leaves out.
	escapedLetter = lazyregexp.New(`(?i)\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})|"[^"\n]*\\\r?\n`)
)

// unparsableSpans hides a document that cannot be parsed, such as a template, if it can be a Secret; otherwise what is below fields that
// can hold data.
func unparsableSpans(doc *manifest.Document) []manifest.Span {
	text := doc.Bytes()
	if secretKind().Match(text) || secretPart().Match(text) || escapedLetter().Match(text) {
		return []manifest.Span{doc.Span}
	}
	var hidden []manifest.Span
	end := 0 // of what is hidden so far
	for _, found := range dataField().FindAllIndex(text, -1) {
		if found[1] <= end {
			continue
		}
		start := bytes.LastIndexByte(text[:found[1]], '\n') + 1
		end = blockEnd(text, start)
		hidden = append(hidden, manifest.Span{Start: doc.Span.Start + start, End: doc.Span.Start + end})
	}
	return hidden
}

// blockEnd returns the end of the line that begins at a place, with the lines that are indented further, blank, or actions of a template.
func blockEnd(text []byte, start int) int {
	indent := indentation(text[start:])
	end := lineEnd(text, start)
	for end < len(text) {
		line := text[end:lineEnd(text, end)]
		content := bytes.TrimSpace(line)
		if len(content) > 0 && indentation(line) <= indent && !bytes.HasPrefix(content, []byte("{{")) && content[0] != '}' && content[0] != '#' {
			break
		}
		end += len(line)
	}
	return end
}

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t-")) }

func lineEnd(text []byte, start int) int {
	if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
		return start + i + 1
	}
	return len(text)
}
