package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// versionsFile lists the versions of a site.
const versionsFile = "versions.html"

// release is the name of a released version.
var release = regexp.MustCompile(`^v(\d+)\.(\d+)\.(\d+)$`)

// Write writes a version into its folder of a site, and lists all versions that the site has then. Other versions stay.
func Write(out, version string, site *Site) error {
	if version != filepath.Base(version) || version == "." || version == ".." {
		return fmt.Errorf("%q cannot be the name of a version", version)
	}
	folder := filepath.Join(out, version)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range site.Files {
		if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return listVersions(out)
}

func writeFile(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// listVersions writes the page of all versions, the page that leads to the newest one, and the script that lets older ones link to it.
func listVersions(out string) error {
	versions, err := versionsIn(out)
	if err != nil {
		return err
	}
	layout, err := template.ParseFS(theme, "theme/*.html")
	if err != nil {
		return err
	}
	latest := versions[0]
	for _, name := range []string{"index.html", versionsFile} {
		var page bytes.Buffer
		if err := layout.ExecuteTemplate(&page, "root-"+name, map[string]any{"Latest": latest, "Versions": versions}); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(out, name), page.Bytes()); err != nil {
			return err
		}
	}
	encoded, err := json.Marshal(latest)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "versions.js"), []byte("window.salintLatest = "+string(encoded)+";\n"))
}

// versionsIn returns the versions of a site, the newest release first, and what is not a release last.
func versionsIn(out string) ([]string, error) {
	pages, err := filepath.Glob(filepath.Join(out, "*", "index.html"))
	if err != nil || len(pages) == 0 {
		return nil, fmt.Errorf("%s has no version: %w", out, err)
	}
	var versions []string
	for _, page := range pages {
		versions = append(versions, filepath.Base(filepath.Dir(page)))
	}
	slices.SortFunc(versions, func(a, b string) int {
		return cmp.Or(slices.Compare(numbers(b), numbers(a)), cmp.Compare(a, b))
	})
	return versions, nil
}

// numbers returns the numbers of a release, or none.
func numbers(version string) []int {
	var found []int
	if m := release.FindStringSubmatch(version); m != nil {
		for _, text := range m[1:] {
			number, _ := strconv.Atoi(text) // digits; one that is too large counts as the largest
			found = append(found, number)
		}
	}
	return found
}
