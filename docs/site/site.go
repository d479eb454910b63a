package main

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed theme
var theme embed.FS

// Site is a built version of the documentation: the contents of its files by their path, with slashes.
type Site struct{ Files map[string][]byte }

// Pages returns the number of pages.
func (s *Site) Pages() int {
	count := 0
	for name := range s.Files {
		if strings.HasSuffix(name, ".html") {
			count++
		}
	}
	return count
}

// view is what the layout shows.
type view struct {
	Page           *page
	Nav            []section
	Families       []family
	Version, Root  string
	Edit           string
	Previous, Next *page
	Body           template.HTML
}

// Href returns the address of another page, relative to this one.
func (v view) Href(to string) string { return v.Root + to }

// Build builds the pages of the repository at root. The same repository and version give the same bytes.
func Build(root, version string) (*Site, error) {
	book, err := readBook(root)
	if err != nil {
		return nil, err
	}
	layout, err := template.ParseFS(theme, "theme/*.html")
	if err != nil {
		return nil, err
	}
	site := &Site{Files: map[string][]byte{}}
	renderer := newRenderer(book, root, version)
	var index searchIndex
	for i, p := range book.pages {
		if err := renderer.render(p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.source, err)
		}
		index.add(p)
		v := view{
			Page: p, Nav: book.nav, Families: book.families, Version: version, Root: strings.Repeat("../", strings.Count(p.Path, "/")),
			Edit: renderer.repository("blob", p.source), Body: template.HTML(p.html),
		}
		v.Previous, v.Next = book.neighbors(i)
		if err := site.page(layout, "page.html", v); err != nil {
			return nil, err
		}
	}
	results := view{Page: &page{Path: "search.html", Title: "Search"}, Nav: book.nav, Families: book.families, Version: version}
	if err := site.page(layout, "search.html", results); err != nil {
		return nil, err
	}
	if site.Files["search-index.js"], err = index.script(); err != nil {
		return nil, err
	}
	return site, site.copyFiles(root, renderer.assets)
}

func (s *Site) page(layout *template.Template, name string, v view) error {
	var out bytes.Buffer
	if err := layout.ExecuteTemplate(&out, name, v); err != nil {
		return err
	}
	s.Files[v.Page.Path] = out.Bytes()
	return nil
}

// copyFiles adds the style, the script, and the pictures that pages show.
func (s *Site) copyFiles(root string, assets map[string]string) error {
	for _, name := range []string{"style.css", "site.js"} {
		content, err := fs.ReadFile(theme, path.Join("theme", name))
		if err != nil {
			return err
		}
		s.Files[name] = content
	}
	for _, to := range slices.Sorted(maps.Keys(assets)) {
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(assets[to])))
		if err != nil {
			return err
		}
		s.Files[to] = content
	}
	return nil
}
