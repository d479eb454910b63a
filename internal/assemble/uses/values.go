package uses

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// valueReads finds the lines of templates to which the values of charts go. A name in a values file is no use by itself: what uses it
// is the object in which a template writes it.
type valueReads struct {
	index *Index
	// charts are the renderings by the values files that they read, one for each chart.
	charts map[string][]*charts.Rendered
	parsed map[string]*chartReads
	files  map[string]*manifest.File
}

func (i *Index) newValueReads() *valueReads {
	v := &valueReads{
		index: i, charts: map[string][]*charts.Rendered{}, parsed: map[string]*chartReads{}, files: map[string]*manifest.File{},
	}
	seen := map[*charts.Rendered]bool{}
	for _, unit := range i.units {
		for _, o := range unit.Objects {
			made := charts.Of(o)
			if made == nil || seen[made.Rendered] {
				continue
			}
			seen[made.Rendered] = true
			for _, file := range made.Rendered.ValuesFiles() {
				v.add(file, made.Rendered)
			}
		}
	}
	return v
}

func (v *valueReads) add(file string, r *charts.Rendered) {
	same := func(other *charts.Rendered) bool { return other.Set.Chart == r.Set.Chart }
	if !slices.ContainsFunc(v.charts[file], same) {
		v.charts[file] = append(v.charts[file], r)
	}
}

// resolveValues replaces the places in values files. An account that is pruned keeps them: they are not removed with it.
func (i *Index) resolveValues(found map[string][]Place) {
	v := i.newValueReads()
	if len(v.charts) == 0 {
		return
	}
	for name, places := range found {
		found[name] = v.resolve(name, places)
	}
}

// resolve replaces the places in values files by those of the templates that write the value. A place stays if it is not known
// completely what reads it.
func (v *valueReads) resolve(name string, places []Place) []Place {
	var resolved []Place
	for _, place := range places {
		if written, ok := v.written(name, place); ok {
			resolved = append(resolved, written...)
		} else {
			resolved = append(resolved, place)
		}
	}
	return resolved
}

// written returns the places of templates that write the value at a place. ok is false if it is not a value, or if nothing is known
// to read it: then something else can.
func (v *valueReads) written(name string, place Place) (places []Place, ok bool) {
	readers := v.charts[place.File]
	if len(readers) == 0 || !isUnclear(place) {
		return nil, false
	}
	values := v.valuesAt(place, name)
	for _, r := range readers {
		for _, value := range values {
			lines, ok := v.chart(r).written(value)
			if !ok {
				return nil, false
			}
			places = append(places, lines...)
		}
	}
	return places, len(places) > 0
}

// valuesAt returns the paths of the scalars on a line that contain a name; none if the name is anything else there, such as a key.
func (v *valueReads) valuesAt(place Place, name string) (found []manifest.Path) {
	file := v.files[place.File]
	if file == nil {
		data, err := v.index.from.Text(place.File)
		if err != nil {
			return nil
		}
		file = manifest.Scan(place.File, data)
		v.files[place.File] = file
	}
	if len(file.Docs) != 1 || file.Docs[0].Parse() != nil || !file.Docs[0].Exact {
		return nil
	}
	other := false
	var walk func(n *manifest.Node, at manifest.Path)
	walk = func(n *manifest.Node, at manifest.Path) {
		other = other || n.Anchored() // an alias can give the value to another path
		for _, field := range n.Fields() {
			other = other || strings.Contains(field.Key.String(), name)
			walk(field.Value, at.Join(field.Key.String()))
		}
		for i, item := range n.Items() {
			walk(item, at.Join(strconv.Itoa(i)))
		}
		if line, _ := file.Position(n.Span().Start); line == place.Line && n.IsScalar() && strings.Contains(n.String(), name) {
			other = other || n.String() != name
			found = append(found, at)
		}
	}
	if walk(file.Docs[0].Root, nil); other {
		return nil
	}
	return found
}

func (v *valueReads) chart(r *charts.Rendered) *chartReads {
	if v.parsed[r.Set.Chart] == nil {
		v.parsed[r.Set.Chart] = v.parse(r)
	}
	return v.parsed[r.Set.Chart]
}

// chartReads are the templates of a chart. It has none if it is not known what they read.
type chartReads struct {
	files []*source.File
	reads [][]source.Mention
}

// opaqueReads are ways in which templates read values that their text does not show.
var opaqueReads = lazyregexp.New("\"Values\"|`Values`|\\.Files\\b|\\bto[A-Za-z]*(Yaml|Json)\\s+\\$[\\s)}|]|\\b(include|template)\\s+[^\"`\\s]")

// parse reads the templates of a chart. The values of a subchart have other paths in its templates, and those of a value that is a
// template itself are not in any template, so nothing is known about either.
func (v *valueReads) parse(r *charts.Rendered) *chartReads {
	c := &chartReads{}
	evaluates := false
	for name, text := range r.Sources() {
		file, err := source.Parse(name, text)
		if err != nil || strings.HasPrefix(name, path.Join(r.Set.Chart, "charts")+"/") || opaqueReads().MatchString(text) {
			return &chartReads{}
		}
		evaluates = evaluates || strings.Contains(text, "tpl ")
		c.files = append(c.files, file)
	}
	if evaluates || v.hasDependencies(r.Set.Chart) {
		return &chartReads{}
	}
	slices.SortFunc(c.files, func(a, b *source.File) int { return strings.Compare(a.Name, b.Name) })
	for _, file := range c.files {
		c.reads = append(c.reads, file.Mentions(manifest.Span{End: len(file.Text)}))
	}
	return c
}

func (v *valueReads) hasDependencies(chart string) bool {
	if v.index.from.Collection.Has(path.Join(chart, "requirements.yaml")) {
		return true
	}
	data, err := v.index.from.Text(path.Join(chart, "Chart.yaml"))
	return err != nil || strings.Contains(string(data), "dependencies")
}

// written returns the places that write a value, also through named templates. ok is false if they are not known.
func (c *chartReads) written(value manifest.Path) (places []Place, ok bool) {
	w := valueWriters{chart: c, offsets: map[*source.File][]int{}, included: map[string]bool{}}
	for i, file := range c.files {
		for _, read := range c.reads[i] {
			if read.Whole && readsValue(read.Path, value) {
				w.add(file, read.Offset)
			}
		}
	}
	for _, file := range c.files {
		places = append(places, placesInTemplate(file.Name, []byte(file.Text), w.offsets[file])...)
	}
	return places, len(c.files) > 0
}

// readsValue reports whether a read of a path yields a value, or something that contains it or is in it.
func readsValue(read []string, value manifest.Path) bool {
	for i := range min(len(read), len(value)) {
		if read[i] != value[i] && read[i] != "[]" {
			return false
		}
	}
	return true
}

// valueWriters collects the actions that write a value.
type valueWriters struct {
	chart    *chartReads
	offsets  map[*source.File][]int
	included map[string]bool
}

// add adds the action at an offset. What a named template writes is written where it is included.
func (w *valueWriters) add(file *source.File, offset int) {
	action, definition, ok := file.ActionAt(offset)
	switch {
	case !ok:
		w.offsets[file] = append(w.offsets[file], offset)
	case action.Word == "if":
		return // a condition writes nothing
	case definition == "":
		w.offsets[file] = append(w.offsets[file], action.Span.Start)
	case !w.included[definition]:
		w.included[definition] = true
		w.addIncludes(definition)
	}
}

func (w *valueWriters) addIncludes(definition string) {
	for _, file := range w.chart.files {
		for _, token := range file.Tokens {
			text := file.Slice(token.Span)
			if token.Kind != source.Action || token.Word == "define" ||
				!strings.Contains(text, strconv.Quote(definition)) && !strings.Contains(text, "`"+definition+"`") {
				continue
			}
			w.add(file, token.Span.Start)
		}
	}
}
