package states

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/unfixed"
)

// addTemplates adds what changed templates make of values that the repository does not fix, if it decides what is granted. The charts are
// rendered with one of the possible values.
func (c *contents) addTemplates(r *change.Report, selects func(file string) bool) {
	files := c.after.Files()
	if files == nil {
		return
	}
	dirs := map[string]bool{}
	for file := range c.changed {
		if dir, is := chartOf(files, file); is && selects(file) {
			dirs[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		known := map[string]bool{}
		for _, b := range blocksOf(c.before, dir) {
			known[b.Content] = true
		}
		for _, b := range blocksOf(c.after, dir) {
			if !known[b.Content] {
				at, template := placeOf(b)
				r.NotRead.AddContent(at, "the template "+template+"grants something else depending on "+shortened(b.Because)+
					", which the repository does not fix: it was rendered in one of the ways")
			}
		}
	}
}

// placeOf returns the place of a block, and the name of its template if that is in an archive.
func placeOf(b unfixed.Block) (at objects.Position, template string) {
	if archive, inside, is := strings.Cut(b.File, archiveExt+"/"); is {
		return objects.Position{File: archive + archiveExt, Line: 1, Column: 1}, inside + " "
	}
	return objects.Position{File: b.File, Line: b.Line, Column: 1}, ""
}

// maxExpression is how much of an expression is shown.
const maxExpression = 80

func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxExpression {
		return string(runes[:maxExpression]) + "…"
	}
	return text
}

// chartOf returns the outermost chart that has a file, or is one.
func chartOf(files render.Files, file string) (dir string, is bool) {
	for parent := path.Dir(file); ; parent = path.Dir(parent) {
		if _, err := files.ReadFile(path.Join(parent, "Chart.yaml")); err == nil {
			dir, is = parent, true
		}
		if parent == "." {
			break
		}
	}
	if !is && path.Ext(file) == archiveExt {
		return file, true
	}
	return dir, is
}

// blocksOf returns what the templates of a chart make of values that are not fixed.
func blocksOf(state read, dir string) []unfixed.Block {
	files := state.Files()
	templates := map[string]string{}
	add := func(others bool) {
		t := texts{files: files, others: others, into: templates}
		if path.Ext(dir) == archiveExt {
			t.file(dir)
			return
		}
		t.folder(dir)
	}
	add(false)
	if slices.ContainsFunc(slices.Collect(maps.Values(templates)), func(text string) bool { return strings.Contains(text, ".Files") }) {
		add(true)
	}
	nameIsFixed := false
	for _, u := range state.Units {
		if !slices.ContainsFunc(u.Renderings, func(r objects.Rendering) bool { return r.Chart == dir }) {
			continue
		}
		if nameIsFixed = u.Replaced() || len(u.Appliers) > 0; !nameIsFixed {
			break
		}
	}
	return unfixed.New(templates, nameIsFixed).Blocks()
}

// The limits of what is read of a chart.
const (
	maxChartDepth = 20
	maxTemplates  = 32 << 20
)

const archiveExt = ".tgz"

// texts are the templates of a chart and of its dependencies, in folders and archives, and the values that `tpl` can render; with others also other
// files with templates, which `.Files` returns.
type texts struct {
	files  render.Files
	others bool
	size   int
	into   map[string]string
}

func (t *texts) folder(dir string) {
	entries, err := t.files.ReadDir(dir)
	if err != nil || strings.Count(dir, "/") > maxChartDepth {
		return
	}
	for _, entry := range entries {
		file := path.Join(dir, entry.Name())
		switch {
		case entry.IsDir():
			t.folder(file)
		case entry.Type()&fs.ModeSymlink == 0:
			t.file(file)
		}
	}
}

func (t *texts) file(file string) {
	if path.Ext(file) != archiveExt && !t.wants(file) {
		return
	}
	data, err := t.files.ReadFile(file)
	switch {
	case err != nil:
	case path.Ext(file) == archiveExt:
		t.archive(file, data)
	default:
		t.add(file, data)
	}
}

func (t *texts) wants(file string) bool {
	return t.into[file] == "" && path.Ext(file) != ".md" && (t.others || path.Base(file) == valuesFile || strings.Contains("/"+file, "/templates/"))
}

const valuesFile = "values.yaml"

func (t *texts) add(file string, data []byte) {
	switch t.size += len(data); {
	case t.size > maxTemplates:
	case path.Base(file) == valuesFile:
		t.into[file] = renderedValues(data)
	case !t.others || strings.Contains(string(data), "{{"):
		t.into[file] = string(data)
	}
}

// archive adds what a packaged chart has. An archive that cannot be read cannot be rendered either, which is reported there.
func (t *texts) archive(file string, data []byte) {
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return
	}
	for entries := tar.NewReader(io.LimitReader(unpacked, maxTemplates)); ; {
		header, err := entries.Next()
		if err != nil {
			return
		}
		name := path.Join(file, header.Name)
		if header.Typeflag != tar.TypeReg || path.Ext(name) != archiveExt && !t.wants(name) {
			continue
		}
		content, err := io.ReadAll(entries)
		switch {
		case err != nil:
			return
		case path.Ext(name) != archiveExt:
			t.add(name, content)
		case t.size+len(content) <= maxTemplates:
			t.size += len(content)
			t.archive(name, content)
		}
	}
}

// renderedValues returns the texts in values that are templates, as documents.
func renderedValues(data []byte) string {
	var values any
	if !strings.Contains(string(data), "{{") || yaml.Unmarshal(data, &values) != nil {
		return ""
	}
	var texts []string
	walkTexts("", values, func(_, text string) {
		if strings.Contains(text, "{{") {
			texts = append(texts, text)
		}
	})
	slices.Sort(texts)
	return strings.Join(texts, "\n---\n")
}
