package main

import (
	"bytes"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// kind is how a part of a file is read.
type kind int

const (
	message kind = iota // a string of the program: messages, help, METADATA
	page                // documentation, configuration that people read
	comment             // a comment in code
)

// part is the text of one kind in a file. What is of another kind is masked, so that offsets are those of the file.
type part struct {
	kind kind
	text []byte
}

// masked separates texts that do not belong together. No phrase goes across it.
const masked = 0

// splitter returns the function that splits a file into parts, or nil for a file that is not checked.
func splitter(file string) func([]byte) []part {
	name := path.Base(file)
	switch {
	case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "_test.rego"), skippedFile(file):
		return nil
	case path.Ext(name) == ".go":
		return splitGo
	case path.Ext(name) == ".rego":
		return splitRego
	case path.Ext(name) == ".md":
		return splitMarkdown
	case path.Ext(name) == ".html":
		return whole(message)
	case path.Ext(name) == ".sh", path.Ext(name) == ".yml", path.Ext(name) == ".yaml", name == "schema.json",
		name == "Makefile", file == ".ci/run":
		return splitScript
	}
	return nil
}

func whole(k kind) func([]byte) []part {
	return func(data []byte) []part { return []part{{k, data}} }
}

// splitGo returns the strings and the comments of a Go file. Strings that are concatenated are one text, as are the lines
// of a comment. Imports and the tags of struct fields are left out.
func splitGo(data []byte) []part {
	messages, comments := blank(data), blank(data)
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(data))
	s.Init(file, data, nil, scanner.ScanComments)
	imports, previous, last := false, token.ILLEGAL, 0
	for {
		pos, tok, literal := s.Scan()
		offset := file.Offset(pos)
		switch tok {
		case token.EOF:
			return []part{{message, messages}, {comment, comments}}
		case token.COMMENT:
			copyComment(comments, data, offset, len(literal))
			continue
		case token.IMPORT:
			imports = true
		case token.CONST, token.VAR, token.TYPE, token.FUNC:
			imports = false
		case token.STRING:
			if imports || literal[0] == '`' && follows(previous, token.IDENT, token.RBRACK, token.RBRACE) {
				break
			}
			copyString(messages, data, offset, len(literal))
			if last > 0 && previous == token.ADD { // concatenated
				fill(messages[last:offset+1], ' ')
			}
			last = offset + len(literal) - 1
		case token.ADD:
			if previous != token.STRING {
				last = 0
			}
		default:
			last = 0
		}
		previous = tok
	}
}

func follows(previous token.Token, any ...token.Token) bool {
	return slices.Contains(any, previous)
}

// copyString copies a string literal without its quotes and escapes.
func copyString(to, data []byte, offset, length int) {
	end := offset + length - 1
	copy(to[offset+1:end], data[offset+1:end])
	if data[offset] == '`' {
		return
	}
	for i := offset + 1; i < end; i++ {
		if to[i] == '\\' {
			to[i], to[i+1] = ' ', ' '
		}
	}
}

// copyComment copies a comment without its marks. The line before it is joined if it is a comment, too.
func copyComment(to, data []byte, offset, length int) {
	if directive.Match(data[offset : offset+length]) {
		return
	}
	before := bytes.TrimRight(data[:offset], " \t")
	if len(before) > 0 && before[len(before)-1] == '\n' && (len(before) < 2 || to[len(before)-2] != masked) {
		fill(to[len(before)-1:offset], ' ')
	}
	copy(to[offset:], data[offset:offset+length])
	to[offset], to[offset+1] = ' ', ' '
}

var directive = regexp.MustCompile(`^//(go:|nolint|lint:|line )`)

// splitRego returns the whole file: METADATA and messages, with the little code that is between them.
func splitRego(data []byte) []part {
	text := bytes.Clone(data)
	for _, m := range lineComment.FindAllSubmatchIndex(data, -1) {
		fill(text[m[2]:m[3]], ' ')
	}
	return []part{{message, text}}
}

// splitScript returns the text of a script or of a YAML or JSON file.
func splitScript(data []byte) []part {
	parts := splitRego(data)
	parts[0].kind = page
	return parts
}

// lineComment is the mark of a comment that is alone on its line.
var lineComment = regexp.MustCompile(`(?m)^[ \t]*(#+)`)

// splitMarkdown returns the text without blocks that show what the program prints: these messages are checked where
// they are made.
func splitMarkdown(data []byte) []part {
	text := bytes.Clone(data)
	for _, m := range codeBlock.FindAllSubmatchIndex(data, -1) {
		switch string(data[m[2]:m[3]]) {
		case "", "text", "json", "diff":
			fill(text[m[0]:m[1]], masked)
		}
	}
	for _, target := range linkTarget.FindAllIndex(data, -1) {
		fill(text[target[0]:target[1]], ' ')
	}
	return []part{{page, text}}
}

var (
	codeBlock  = regexp.MustCompile("(?sm)^```([a-z]*)\n.*?^```$")
	linkTarget = regexp.MustCompile(`\]\([^)\s]+\)`)
)

func blank(data []byte) []byte {
	return make([]byte, len(data))
}

func fill(text []byte, with byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = with
		}
	}
}
