package charts

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/protocol"
)

// content is what is known about a chart before it is rendered.
type content struct {
	// files are the readable files; text is their concatenation.
	files []file
	text  []byte
	// hidden is set if a part of the chart could not be searched: an archive, or files behind a symlink.
	hidden bool
	// name and library come from Chart.yaml; they are zero if that cannot be read.
	name    string
	library bool
	// dependencies are the names of the charts that it contains, and built the folders of those that are built from other folders of the
	// repository.
	dependencies []string
	built        []render.LocalDependency
}

// incomplete reports whether a dependency is not among the files of the chart.
func (c content) incomplete(chart string) bool {
	return slices.ContainsFunc(c.dependencies, func(name string) bool {
		return !slices.ContainsFunc(c.files, func(f file) bool { return f.name == path.Join(chart, "charts", name, chartFile) }) &&
			!slices.ContainsFunc(c.built, func(d render.LocalDependency) bool { return d.Name == name })
	})
}

// file is a file of a chart.
type file struct {
	name string
	data []byte
}

// templates returns the files in the templates/ of the chart and of its dependencies, without NOTES.txt.
func (c content) templates() []file {
	return slices.DeleteFunc(slices.Clone(c.files), func(f file) bool {
		return !strings.Contains("/"+f.name, "/templates/") || path.Base(f.name) == "NOTES.txt"
	})
}

// maxDepth and maxText limit what is read to find out whether a chart is relevant. Rendering has separate limits.
const (
	maxDepth = 40
	maxText  = 64 << 20
)

// read reads a chart, with the dependencies that are built into it.
func read(files render.Files, chart string, by render.DependencyBuild) content {
	var c content
	if path.Ext(chart) == ".tgz" {
		c.hidden = true
		return c
	}
	c.folder(files, chart, 0)
	seen := map[string]bool{chart: true}
	dependencies, failed := render.LocalDependencies(files, chart, by)
	for _, d := range dependencies {
		if !seen[d.Dir] {
			seen[d.Dir] = true
			c.folder(files, d.Dir, 0)
		}
	}
	if failed == nil {
		c.built = dependencies
	}
	data, err := files.ReadFile(path.Join(chart, chartFile))
	var metadata struct {
		Name, Type   string
		Dependencies []struct{ Name string }
	}
	if err == nil && yaml.Unmarshal(data, &metadata) == nil {
		c.name, c.library = metadata.Name, metadata.Type == "library"
		for _, d := range metadata.Dependencies {
			c.dependencies = append(c.dependencies, d.Name)
		}
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
		case strings.HasPrefix(entry.Name(), "."): // a chart at the root of a repository has .git in it
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

// testsVersions reports whether the output of a chart may depend on the API versions of the cluster.
func (c content) testsVersions() bool {
	return c.hidden || bytes.Contains(c.text, []byte("APIVersions"))
}

// testedVersions returns the API versions that templates test by name and that a set does not have, sorted.
func (c content) testedVersions(set Set) []string {
	if !bytes.Contains(c.text, []byte("APIVersions")) {
		return nil
	}
	var found []string
	for _, f := range c.templates() {
		for _, test := range protocol.VersionTests(f.data) {
			if !set.covers(test.Version) {
				found = append(found, test.Version)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// AnyMentions reports whether any of the sets may produce a relevant object.
func AnyMentions(sets []Set, files render.Files, mentions func([]byte) bool) bool {
	return slices.ContainsFunc(sets, func(s Set) bool {
		c := read(files, s.Chart, s.Dependencies)
		return len(s.Problems) > 0 || c.mayConcern(s, mentions)
	})
}

// Mentions reports whether a chart of a kustomization with values of the repository may produce a relevant object. If mentions is nil, every chart may.
func Mentions(files render.Files, r objects.Rendering, mentions func([]byte) bool) bool {
	set := Set{Chart: r.Chart}
	for _, name := range r.Values {
		if data, err := files.ReadFile(name); err == nil {
			set.Values = append(set.Values, render.ValuesFile{Name: name, Data: data})
		}
	}
	return read(files, r.Chart, render.NotBuilt).mayConcern(set, mentions)
}

// mayConcern reports whether a chart may produce a relevant object with the values of a set. If mentions is nil, every
// chart may.
func (c content) mayConcern(set Set, mentions func([]byte) bool) bool {
	if mentions == nil || c.hidden {
		return true
	}
	text := c.text
	for _, values := range set.Values {
		text = append(append(text, values.Data...), '\n')
	}
	return mentions(text)
}
