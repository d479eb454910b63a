package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const repositoryURL = "https://github.com/salint/salint/"

// repository returns the address of a file (kind blob) or folder (kind tree) of the repository, in the version of the site.
func (r *renderer) repository(kind, file string) string {
	return repositoryURL + kind + "/" + r.version + "/" + file
}

// resolve returns the address of what a page links to: a page of the site, or a file of the repository. The error states that
// there is no such file.
func (r *renderer) resolve(from *page, link string) (string, error) {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return link, nil
	}
	target, anchor, _ := strings.Cut(link, "#")
	source := from.source
	if target != "" {
		source = path.Join(path.Dir(from.source), target)
	}
	if source == rulesFile && r.book.byAnchor[anchor] != nil {
		return relative(from.Path, r.book.byAnchor[anchor].Path), nil
	}
	if target == "" {
		return "#" + anchor, nil
	}
	if to := r.book.bySource[source]; to != nil {
		return withAnchor(relative(from.Path, to.Path), anchor), nil
	}
	kind, err := kindOf(filepath.Join(r.root, filepath.FromSlash(source)))
	if err != nil {
		return "", fmt.Errorf("the link %s leads to %s, which does not exist", link, source)
	}
	return withAnchor(r.repository(kind, source), anchor), nil
}

// picture returns the address of a picture, which becomes a file of the site.
func (r *renderer) picture(from *page, link string) (string, error) {
	source := path.Join(path.Dir(from.source), link)
	if kind, err := kindOf(filepath.Join(r.root, filepath.FromSlash(source))); err != nil || kind != "blob" {
		return "", fmt.Errorf("the picture %s does not exist", link)
	}
	to := path.Base(source)
	r.assets[to] = source
	return relative(from.Path, to), nil
}

// kindOf returns blob for a file and tree for a folder, as GitHub names them.
func kindOf(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "tree", nil
	}
	return "blob", nil
}

// relative returns the address of a file of the site from a page of it.
func relative(from, to string) string { return strings.Repeat("../", strings.Count(from, "/")) + to }

func withAnchor(address, anchor string) string {
	if anchor == "" {
		return address
	}
	return address + "#" + anchor
}
