package render

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"helm.sh/helm/v3/pkg/ignore"

	"github.com/salint/salint/internal/render/protocol"
)

const (
	chartFile  = "Chart.yaml"
	archiveExt = ".tgz"

	// maxChartFiles and maxChartDepth are far above what charts have.
	maxChartFiles = 10_000
	maxChartDepth = 40
)

// chartFiles reads a chart's folder or archive as Helm does: without the files in .helmignore, and following symlinks,
// except those that lead out of the tree. The dependencies in the tree are built into it.
func chartFiles(tree Files, dir string, limit int64, by DependencyBuild) ([]protocol.File, parts, error) {
	if !fs.ValidPath(dir) {
		return nil, parts{}, &Error{File: dir, Message: Outside}
	}
	p, err := partsOf(tree, dir, by)
	if err != nil {
		return nil, p, err
	}
	c, err := p.files(tree, limit)
	if err != nil {
		return nil, p, err
	}
	if path.Ext(dir) != archiveExt && !slices.ContainsFunc(c.files, func(f protocol.File) bool { return f.Name == chartFile }) {
		return nil, p, fmt.Errorf("%s: %w", dir, errNoChart)
	}
	return c.files, p, nil
}

// collector collects the files of a chart.
type collector struct {
	tree  Files
	dir   string
	limit int64
	// replaced are the archives in charts/ that are left out, by their path in the chart.
	replaced map[string]bool
	// root and rules are the path in the chart, and the .helmignore, of the part that is read.
	root  string
	rules *ignore.Rules
	files []protocol.File
}

// chart reads a chart, or a part of one, which is at a path in the chart.
func (c *collector) chart(dir, at string) (err error) {
	if path.Ext(dir) == archiveExt {
		return c.file(dir, at)
	}
	c.root = at
	if c.rules, err = ignoreRules(c.tree, dir); err != nil {
		return err
	}
	return c.folder(dir, "", 0)
}

// ignoreRules returns the rules of the .helmignore of a chart.
func ignoreRules(tree Files, dir string) (*ignore.Rules, error) {
	rules := ignore.Empty()
	name := path.Join(dir, ignore.HelmIgnore)
	if data, err := tree.ReadFile(name); err == nil {
		if rules, err = ignore.Parse(bytes.NewReader(data)); err != nil {
			return nil, &Error{File: name, Message: err.Error()}
		}
	}
	rules.AddDefaults()
	return rules, nil
}

// folder reads a folder of the tree; name is its path in the part of the chart.
func (c *collector) folder(real, name string, depth int) error {
	if depth > maxChartDepth {
		return tooMuch("%s: folders are nested more than %d deep", c.dir, maxChartDepth)
	}
	entries, err := c.tree.ReadDir(real)
	if err != nil {
		return fmt.Errorf("%s: %w", real, err)
	}
	for _, entry := range entries {
		if err := c.entry(path.Join(real, entry.Name()), path.Join(name, entry.Name()), entry.Type(), depth); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) entry(real, name string, mode fs.FileMode, depth int) error {
	isFolder := mode.IsDir()
	if mode&fs.ModeSymlink != 0 {
		target, err := Resolve(c.tree, real)
		if err != nil {
			return err
		}
		real, isFolder = target, isDir(c.tree, target)
	}
	switch {
	case c.rules.Ignore(name, pathInfo{name, isFolder}):
		return nil
	case isFolder:
		return c.folder(real, name, depth+1)
	case c.replaced[path.Join(c.root, name)]:
		return nil
	}
	return c.file(real, path.Join(c.root, name))
}

func (c *collector) file(real, name string) error {
	data, err := c.tree.ReadFile(real)
	if err != nil {
		return fmt.Errorf("%s: %w", real, err)
	}
	c.limit -= int64(len(data))
	if c.limit < 0 || len(c.files) == maxChartFiles {
		return tooMuch("%s: the chart is too large: it exceeds the limit at %s", c.dir, real)
	}
	c.files = append(c.files, protocol.File{Name: name, Data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))})
	return nil
}

// pathInfo implements fs.FileInfo for Helm's ignore rules, as far as they use it.
type pathInfo struct {
	path   string
	folder bool
}

func (p pathInfo) Name() string       { return path.Base(p.path) }
func (p pathInfo) IsDir() bool        { return p.folder }
func (p pathInfo) Size() int64        { return 0 }
func (p pathInfo) ModTime() time.Time { return time.Time{} }
func (p pathInfo) Sys() any           { return nil }
func (p pathInfo) Mode() fs.FileMode {
	if p.folder {
		return fs.ModeDir
	}
	return 0
}
