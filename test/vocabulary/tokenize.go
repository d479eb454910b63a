package main

import (
	"bytes"
	"strings"
)

// word is a word in lower case, a comma, a stop, or a limit.
type word struct {
	text        string
	offset, end int
}

const (
	// stop is the end of a sentence or clause: a full stop, colon, semicolon, or empty line.
	stop = "."
	// limit is the start or end of a text, and all other punctuation but commas.
	limit = "#"
)

// placeholder stands for code in backquotes and for verbs of formats such as %s.
const placeholder = "`"

// tokenize splits a text into words. There is a limit before the first.
func tokenize(text []byte) []word {
	words := []word{{limit, 0, 0}}
	add := func(text string, from, to int) {
		if last := words[len(words)-1].text; text != limit || last != limit && last != stop {
			words = append(words, word{text, from, to})
		}
	}
	newlines := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			if newlines++; newlines == 2 {
				add(stop, i, i)
			}
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		}
		newlines = 0
		end := i + 1
		switch {
		case isLetter(c):
			for end < len(text) && (isLetter(text[end]) || joins(text, end)) {
				end++
			}
			add(strings.ToLower(string(text[i:end])), i, end)
		case c == '`':
			end = codeEnd(text, i)
			add(placeholder, i, end)
		case c == '%' && end < len(text) && bytes.IndexByte([]byte("sdqvtw"), text[end]) >= 0:
			end++
			add(placeholder, i, end)
		case c == ',':
			add(",", i, end)
		case '0' <= c && c <= '9' || c == '/' || c == '$' || c >= 0x80:
			for end < len(text) && (isLetter(text[end]) || '0' <= text[end] && text[end] <= '9' || text[end] >= 0x80) {
				end++
			}
			add(placeholder, i, end)
		case c == '.' || c == ':' || c == ';':
			add(stop, i, end)
		default:
			add(limit, i, end)
		}
		i = end
	}
	return words
}

// isLetter reports whether c is part of a word. An underscore is: identifiers are words, and none of this vocabulary.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// joins reports whether the byte at i is a hyphen, apostrophe or digit inside a word.
func joins(text []byte, i int) bool {
	c := text[i]
	if '0' <= c && c <= '9' {
		return true
	}
	return (c == '-' || c == '\'') && i+1 < len(text) && isLetter(text[i+1])
}

// codeEnd returns the end of the code in backquotes at i, which ends on its line.
func codeEnd(text []byte, i int) int {
	for end := i + 1; end < len(text) && text[end] != '\n' && text[end] != masked; end++ {
		if text[end] == '`' {
			return end + 1
		}
	}
	return i + 1
}
