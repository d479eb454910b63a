package catalogs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ReadNamed reads what the values of --catalog have of packages, by package: a folder or file, NAME=DIR, or PRIORITY=DIR. Each is read once. abs
// makes a path absolute. Errors begin with the flag.
func ReadNamed(abs func(string) string, values, packages []string) (map[string][]*Catalog, error) {
	all := map[string][]*Catalog{}
	for _, text := range values {
		of, err := readNamed(abs, text, packages)
		if err != nil {
			return nil, fmt.Errorf("--catalog %s: %w", text, err)
		}
		for pkg, catalog := range of {
			all[pkg] = append(all[pkg], catalog)
		}
	}
	return all, nil
}

// readNamed reads a value of --catalog.
func readNamed(abs func(string) string, text string, packages []string) (map[string]*Catalog, error) {
	name, priority, dir := splitNamed(abs, text)
	full := abs(dir)
	info, err := os.Stat(full)
	if err != nil {
		return nil, errors.New("no such file or folder")
	}
	root, inside := full, "."
	if !info.IsDir() {
		root, inside = filepath.Split(filepath.Clean(full))
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	of, err := readAll(tree.FS(), inside, packages)
	if err != nil {
		return nil, err
	}
	for _, catalog := range of {
		catalog.Name, catalog.Named, catalog.FromObject = dir, name != "", priority == nil
		catalog.Serving = cmp.Or(name, strings.TrimSuffix(filepath.Base(full), filepath.Ext(full)))
		if priority != nil {
			catalog.Priority = *priority
		}
	}
	return of, nil
}

// splitNamed divides NAME=DIR and PRIORITY=DIR. A path that exists is not divided.
func splitNamed(abs func(string) string, text string) (name string, priority *int, dir string) {
	before, after, found := strings.Cut(text, "=")
	if _, err := os.Stat(abs(text)); err == nil || !found {
		return "", nil, text
	}
	if n, err := strconv.Atoi(before); err == nil {
		return "", &n, after
	}
	return before, nil, after
}
