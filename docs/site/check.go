package main

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	address = regexp.MustCompile(` (?:href|src|action)="([^"]*)"`)
	element = regexp.MustCompile(` id="([^"]*)"`)
	hidden  = regexp.MustCompile(`(?s)<pre.*?</pre>`)
)

// Check returns an error for each link in a page that leads to no file of the site, or to no element of a page.
func (s *Site) Check() error {
	ids := map[string]map[string]bool{}
	for name, content := range s.Files {
		ids[name] = map[string]bool{}
		for _, m := range element.FindAllSubmatch(content, -1) {
			ids[name][string(m[1])] = true
		}
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range address.FindAllSubmatch(hidden.ReplaceAll(s.Files[name], nil), -1) {
			if problem := s.checkLink(ids, name, strings.ReplaceAll(string(m[1]), "&amp;", "&")); problem != "" {
				problems = append(problems, fmt.Errorf("%s: %s: %s", name, m[1], problem))
			}
		}
	}
	return errors.Join(problems...)
}

// checkLink returns what is wrong with a link of a page, or "".
func (s *Site) checkLink(ids map[string]map[string]bool, from, link string) string {
	if strings.Contains(link, "://") {
		if !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") {
			return "no address of a page"
		}
		return ""
	}
	target, anchor, _ := strings.Cut(link, "#")
	file := from
	if target != "" {
		file = path.Join(path.Dir(from), target)
	}
	if file == "../"+versionsFile {
		return "" // of all versions; Write makes it
	}
	if _, ok := s.Files[file]; !ok {
		return "no such file"
	}
	if decoded, err := url.PathUnescape(anchor); err != nil || decoded != "" && !ids[file][decoded] {
		return "no such element"
	}
	return ""
}
