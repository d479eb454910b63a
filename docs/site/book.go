package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// page is a page of the site.
type page struct {
	// source is its file, relative to the root of the repository, and Path its place in the site. Both have slashes.
	source, Path string
	// Title is its name in the navigation.
	Title string
	// Section is the part of the navigation that lists it, or the family of a rule.
	Section string
	// Rule is set on the page of a rule.
	Rule bool
	text []byte

	html     string
	Headings []heading
	parts    []part
}

// section is a part of the navigation.
type section struct {
	Title string
	Pages []*page
}

// family is a family of rules.
type family struct {
	Name  string
	Rules []*page
}

// book is all pages in the order in which they are read.
type book struct {
	pages    []*page
	nav      []section
	families []family
	bySource map[string]*page
	// byAnchor are the pages of rules, by the anchor that each has in rulesFile.
	byAnchor map[string]*page
}

const (
	homeFile  = "docs/README.md"
	rulesFile = "docs/rules.md"
)

// entry is a line of the contents in homeFile.
var entry = regexp.MustCompile(`^[*-] \[(.+?)\]\(([^)#]+\.md)\)`)

// readBook reads the pages that homeFile lists, in its order: its headings are the parts of the navigation.
func readBook(root string) (*book, error) {
	b := &book{bySource: map[string]*page{}, byAnchor: map[string]*page{}}
	home, err := b.add(root, homeFile, "Home")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(home.text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			b.nav = append(b.nav, section{Title: strings.TrimSpace(title)})
		}
		m := entry.FindStringSubmatch(line)
		if m == nil || len(b.nav) == 0 {
			continue
		}
		p, err := b.add(root, path.Join(path.Dir(homeFile), m[2]), m[1])
		if err != nil {
			return nil, err
		}
		last := &b.nav[len(b.nav)-1]
		p.Section = last.Title
		last.Pages = append(last.Pages, p)
	}
	return b, b.checkComplete(root)
}

// add reads a page, and makes a page of each rule.
func (b *book) add(root, source, title string) (*page, error) {
	if b.bySource[source] != nil {
		return nil, fmt.Errorf("%s lists %s twice", homeFile, source)
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(source)))
	if err != nil {
		return nil, err
	}
	p := &page{source: source, Path: pathOf(source), Title: title, text: []byte(strings.ReplaceAll(string(text), "\r\n", "\n"))}
	b.bySource[source] = p
	b.pages = append(b.pages, p)
	if source == rulesFile {
		b.splitRules(p)
	}
	return p, nil
}

// pathOf returns the place of a file in the site: docs/fixes.md is fixes.html, and CHANGELOG.md is changelog.html.
func pathOf(source string) string {
	if source == homeFile {
		return "index.html"
	}
	return strings.ToLower(strings.TrimSuffix(path.Base(source), ".md")) + ".html"
}

// checkComplete returns an error if a page in docs is in no part of the navigation.
func (b *book) checkComplete(root string) error {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if source := "docs/" + filepath.Base(file); b.bySource[source] == nil {
			return fmt.Errorf("%s does not list %s", homeFile, source)
		}
	}
	return nil
}

// neighbors returns the pages before and after a page, in the order in which they are read. The order of rules is separate.
func (b *book) neighbors(i int) (previous, next *page) {
	for j := i - 1; j >= 0 && previous == nil; j-- {
		if b.pages[j].Rule == b.pages[i].Rule {
			previous = b.pages[j]
		}
	}
	for j := i + 1; j < len(b.pages) && next == nil; j++ {
		if b.pages[j].Rule == b.pages[i].Rule {
			next = b.pages[j]
		}
	}
	return previous, next
}
