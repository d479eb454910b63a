package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// part is what the search finds: a section of a page, up to the next heading.
type part struct{ id, heading, text string }

// searchIndex is the list of all parts. The search looks through all of it: no server is needed.
type searchIndex struct{ entries []searchEntry }

type searchEntry struct {
	// Page is the title of the page, Heading that of the section ("" for the beginning of the page).
	Page    string `json:"p"`
	Heading string `json:"h,omitempty"`
	Address string `json:"u"`
	Text    string `json:"t"`
}

func (x *searchIndex) add(p *page) {
	for _, part := range p.parts {
		x.entries = append(x.entries, searchEntry{p.Title, part.heading, withAnchor(p.Path, part.id), part.text})
	}
}

// script returns the index as a script, because a browser does not let a page that it opened from a disk read other files.
func (x *searchIndex) script() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("window.salintIndex = ")
	if err := json.NewEncoder(&b).Encode(x.entries); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// partsOf divides a page at its headings. The manifests of examples are left out of the pages of rules: they would match every word
// of Kubernetes.
func partsOf(p *page, document ast.Node) []part {
	parts := []part{{}}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		last := &parts[len(parts)-1]
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level > 1 {
				parts = append(parts, part{id: idOf(n), heading: plain(n, p.text)})
			}
		case *ast.FencedCodeBlock:
			if !p.Rule {
				last.text += " " + strings.Join(strings.Fields(string(n.Lines().Value(p.text))), " ")
			}
		default:
			last.text += " " + plain(n, p.text)
		}
	}
	for i := range parts {
		parts[i].text = strings.TrimSpace(parts[i].text)
	}
	return parts
}
