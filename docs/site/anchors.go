package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// anchors gives headings the IDs that they have on GitHub, so that a link works on both.
type anchors struct{ used map[string]int }

func newAnchors() *anchors { return &anchors{used: map[string]int{}} }

var dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Generate returns the ID of a heading.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(value))), ""), " ", "-")
	count := a.used[id]
	a.used[id]++
	if count > 0 {
		id = fmt.Sprintf("%s-%d", id, count)
	}
	return []byte(id)
}

// Put records an ID that a heading sets itself.
func (a *anchors) Put(value []byte) { a.used[string(value)]++ }
