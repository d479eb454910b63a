package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// hit is a place where a phrase of the vocabulary is used.
type hit struct {
	file         string
	line, column int // 1-based; columns count code points
	words, write string
}

// place returns the line and column.
func (h hit) place() string {
	return fmt.Sprintf("%d:%d", h.line, h.column)
}

// phrase is a sequence of tokens; each token is a list of alternatives, in lower case.
type phrase struct {
	tokens [][]string
	entry  entry
}

// phrases are compiled phrases by their first word.
type phrases map[string][]phrase

// anyWord matches every word, and no punctuation.
const anyWord = "*"

// compile reads the phrases of entries: tokens are separated by spaces, alternatives by "|".
func compile(entries []entry) phrases {
	compiled := phrases{}
	for _, e := range entries {
		for _, text := range e.phrases {
			p := phrase{entry: e}
			for _, token := range strings.Fields(text) {
				p.tokens = append(p.tokens, strings.Split(token, "|"))
			}
			for _, first := range p.tokens[0] {
				compiled[first] = append(compiled[first], p)
			}
		}
	}
	return compiled
}

// find returns the hits in one part of a file. Hits within an allowed phrase are left out.
func find(file string, data []byte, part part, words, allowed phrases) []hit {
	tokens := tokenize(part.text)
	permitted := make([]bool, len(tokens))
	for i := range tokens {
		for _, p := range allowed[tokens[i].text] {
			if p.entry.appliesTo(file, part.kind) && p.matches(tokens[i:]) {
				for n := range p.tokens {
					permitted[i+n] = true
				}
			}
		}
	}
	var hits []hit
	for i := 0; i < len(tokens); {
		length := 1
		for _, p := range words[tokens[i].text] {
			if !p.entry.appliesTo(file, part.kind) || !p.matches(tokens[i:]) {
				continue
			}
			if slices.Contains(permitted[i:i+len(p.tokens)], true) {
				continue
			}
			length = max(length, len(p.tokens))
			hits = append(hits, newHit(file, data, part.text, tokens[i:i+len(p.tokens)], p.entry.write))
			break
		}
		i += length
	}
	return hits
}

// newHit returns the hit of a phrase without the punctuation before it.
func newHit(file string, data, text []byte, tokens []word, write string) hit {
	for len(tokens) > 1 && (tokens[0].text == stop || tokens[0].text == limit) {
		tokens = tokens[1:]
	}
	from, to := tokens[0].offset, tokens[len(tokens)-1].end
	line, column := position(data, from)
	return hit{file, line, column, strings.Join(strings.Fields(string(text[from:to])), " "), write}
}

func (p phrase) matches(tokens []word) bool {
	if len(tokens) < len(p.tokens) {
		return false
	}
	for i, alternatives := range p.tokens {
		text := tokens[i].text
		if slices.Contains(alternatives, text) {
			continue
		}
		if !slices.Contains(alternatives, anyWord) || text == stop || text == limit || text == "," {
			return false
		}
	}
	return true
}

func position(data []byte, offset int) (line, column int) {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}
