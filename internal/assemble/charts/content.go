package charts

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render"
)

// content is what is known of a chart before it is rendered.
type content struct {
	// files are those that could be read; text is that of all of them one after the other.
	files []file
	text  []byte
	// hidden tells that a part is in no text that could be looked at: an archive, or behind a symlink.
	hidden bool
	// name and library are out of Chart.yaml; empty where that cannot be read.
	name    string
	library bool
}

// file is a file of a chart.
type file struct {
	name string
	data []byte
}

// templates are the files below the chart's templates/, and below those of its dependencies. The notes for the person who
// installs are none.
func (c content) templates() []file {
	return slices.DeleteFunc(slices.Clone(c.files), func(f file) bool {
		return !strings.Contains("/"+f.name, "/templates/") || path.Base(f.name) == "NOTES.txt"
	})
}

// maxDepth and maxText bound what is read to find out whether a chart is of interest; rendering has limits of its own.
const (
	maxDepth = 40
	maxText  = 64 << 20
)

// read reads a chart.
func read(files render.Files, chart string) content {
	var c content
	if path.Ext(chart) == ".tgz" {
		c.hidden = true
		return c
	}
	c.folder(files, chart, 0)
	data, err := files.ReadFile(path.Join(chart, chartFile))
	var metadata struct{ Name, Type string }
	if err == nil && yaml.Unmarshal(data, &metadata) == nil {
		c.name, c.library = metadata.Name, metadata.Type == "library"
	}
	return c
}

func (c *content) folder(files render.Files, dir string, depth int) {
	entries, err := files.ReadDir(dir)
	if err != nil || depth > maxDepth {
		c.hidden = true
		return
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."): // a chart at the top of a repository has .git in it
		case entry.Type()&fs.ModeSymlink != 0, strings.HasSuffix(name, ".tgz"):
			c.hidden = true
		case entry.IsDir():
			c.folder(files, name, depth+1)
		default:
			c.file(files, name)
		}
	}
}

func (c *content) file(files render.Files, name string) {
	data, err := files.ReadFile(name)
	if err != nil || len(c.text)+len(data) > maxText {
		c.hidden = true
		return
	}
	c.files = append(c.files, file{name, data})
	c.text = append(append(c.text, data...), '\n')
}

// asksForVersions tells whether what a chart renders to may depend on the API versions that the cluster has.
func asksForVersions(files render.Files, chart string) bool {
	c := read(files, chart)
	return c.hidden || bytes.Contains(c.text, []byte("APIVersions"))
}

// Concern tells whether something of interest may come of any of the sets.
func Concern(sets []Set, files render.Files, mentions func([]byte) bool) bool {
	return slices.ContainsFunc(sets, func(s Set) bool {
		c := read(files, s.Chart)
		return len(s.Faults) > 0 || c.concerns(s, mentions)
	})
}

// concerns tells whether something of interest may come of a chart with the values of a set; mentions that is nil takes all.
func (c content) concerns(set Set, mentions func([]byte) bool) bool {
	if mentions == nil || c.hidden {
		return true
	}
	text := c.text
	for _, values := range set.Values {
		text = append(append(text, values.Data...), '\n')
	}
	return mentions(text)
}
