package main

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gmrenderer "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// heading is an entry of the contents of a page.
type heading struct {
	Level    int
	ID, Text string
}

// renderer turns Markdown into HTML.
type renderer struct {
	book          *book
	root, version string
	markdown      goldmark.Markdown
	// assets are the pictures that pages show: their sources by their place in the site.
	assets map[string]string
}

func newRenderer(b *book, root, version string) *renderer {
	return &renderer{book: b, root: root, version: version, assets: map[string]string{}, markdown: goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(gmrenderer.WithNodeRenderers(util.Prioritized(nodes{}, 1))),
	)}
}

// render fills in the HTML, the headings, and the parts for the search.
func (r *renderer) render(p *page) error {
	context := parser.NewContext(parser.WithIDs(newAnchors()))
	document := r.markdown.Parser().Parse(text.NewReader(p.text), parser.WithContext(context))
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		switch n := n.(type) {
		case *ast.Link:
			n.Destination, err = bytesOf(r.resolve(p, string(n.Destination)))
		case *ast.Image:
			n.Destination, err = bytesOf(r.picture(p, string(n.Destination)))
		case *ast.Heading:
			p.Headings = append(p.Headings, heading{n.Level, idOf(n), plain(n, p.text)})
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return err
	}
	p.parts = partsOf(p, document)
	var out bytes.Buffer
	if err := r.markdown.Renderer().Render(&out, p.text, document); err != nil {
		return err
	}
	p.html = out.String()
	return nil
}

// Contents are the headings that the page lists beside its text.
func (p *page) Contents() []heading {
	var listed []heading
	for _, h := range p.Headings {
		if h.Level == 2 || h.Level == 3 {
			listed = append(listed, h)
		}
	}
	if len(listed) > 40 { // the functions of policies
		return onlyLevel(listed, 2)
	}
	return listed
}

func onlyLevel(all []heading, level int) []heading {
	var found []heading
	for _, h := range all {
		if h.Level == level {
			found = append(found, h)
		}
	}
	return found
}

func bytesOf(text string, err error) ([]byte, error) { return []byte(text), err }

func idOf(n *ast.Heading) string {
	id, _ := n.AttributeString("id")
	text, _ := id.([]byte)
	return string(text)
}

// plain returns the text of a node without markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	// The function returns no error.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
