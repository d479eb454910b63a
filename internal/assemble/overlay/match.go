package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

func itoa(i int) string { return strconv.Itoa(i) }

// buildOutput is the output of a build as documents, with what is known about each object.
type buildOutput struct {
	objects []builtObject
	// left are the entries without which it was built, notes what about charts was not checked.
	left  []render.LeftOut
	notes []string
}

// builtObject is an object of a built document.
type builtObject struct {
	*objects.Object
	mark   string
	origin rendered.Origin
}

// errNoFile reports that an object is relevant, but neither a mark nor kustomize says from which file it is.
var errNoFile = errors.New("the file of an object is not known")

// read returns documents of the built objects that are relevant or have a parsed source object. The error can be errNoFile.
func (b *builder) read(u *objects.Unit, objs []rendered.Object) (*buildOutput, error) {
	var data bytes.Buffer
	var marks []map[string]string
	var origins []rendered.Origin
	listing := newListing(u, b.files)
	flux := slices.ContainsFunc(objs, isFlux)
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	for _, o := range objs {
		found := map[string]string{}
		removeMarks(o.JSON, nil, found)
		if len(found) == 0 && b.skips(listing, o) {
			continue
		}
		start := data.Len()
		if err := writeDocument(&data, encoder, o.JSON); err != nil {
			return nil, err
		}
		settings := flux && o.JSON["kind"] == "ConfigMap"
		if len(found) == 0 && !settings && !b.wants(data.Bytes()[start:], o.Origin) {
			data.Truncate(start)
			continue
		}
		if o.Origin.File == "" {
			o.Origin.File = cmp.Or(b.files.fileOf(found), listing.file(o.Kind(), o.Name()))
		}
		if o.Origin.File == "" {
			return nil, errNoFile
		}
		marks, origins = append(marks, found), append(origins, o.Origin)
	}
	t := &buildOutput{}
	for i, doc := range manifest.Scan(u.Root, data.Bytes()).Docs {
		if err := doc.Parse(); err != nil {
			return nil, err
		}
		for _, o := range objects.Objects(doc) {
			t.objects = append(t.objects, builtObject{o, marks[i][o.Path.String()], origins[i]})
		}
	}
	return t, nil
}

// writeDocument writes an object as a document, with a line end behind its first bracket. A parser of YAML takes a bracket for the
// start of a possible key, and queues a thousand bytes of tokens for it, unless its line ends before.
func writeDocument(data *bytes.Buffer, encoder *json.Encoder, object map[string]any) error {
	data.WriteString("---\n{")
	bracket := data.Len()
	if err := encoder.Encode(object); err != nil {
		return err
	}
	data.Bytes()[bracket] = '\n'
	return nil
}

// isFlux reports whether Flux reads a built object. It can take values and variables from a ConfigMap that the same kustomization
// generates.
func isFlux(o rendered.Object) bool {
	version, _ := o.JSON["apiVersion"].(string)
	return strings.Contains(version, ".toolkit.fluxcd.io/")
}

// skips reports whether an object is left out because its document was not parsed. Without its file, it is that of a listed file: no other
// object of a build has its name.
func (b *builder) skips(l *listing, o rendered.Object) bool {
	if b.Skipped == nil || o.Origin.Chart != "" {
		return false
	}
	return slices.ContainsFunc(b.Skipped(o.Kind(), o.Namespace(), o.Name()), func(file string) bool {
		return file == o.Origin.File || o.Origin.File == "" && l.listed[file]
	})
}

func (b *builder) wants(data []byte, from rendered.Origin) bool {
	wanted := b.Wanted
	if from.Chart != "" { // names lead to other objects of the chart, of which no file was read
		wanted = b.WantedOfCharts
	}
	return wanted == nil || slices.ContainsFunc(manifest.Scan("", data).Docs, wanted)
}

// key identifies the source of a built object in all builds of the unit.
func (o builtObject) key() string {
	if made, ok := o.origin.Made.(*render.ChartObject); ok && o.mark == "" {
		return fmt.Sprintf("%s\x00%d\x00%d", made.Rendering.Key, made.Template, made.Index)
	}
	return o.mark
}

// match finds the sources of all built objects, and returns their unit.
func (b *builder) match(u *objects.Unit, built *buildOutput) *objects.Unit {
	unit, _ := b.traced(u, built)
	return unit
}

// traced is match, and returns what finds what sets the fields.
func (b *builder) traced(u *objects.Unit, built *buildOutput) (*objects.Unit, *tracer) {
	m := &matcher{files: b.files, unit: u, byRef: map[string]*objects.Object{}, times: map[string]int{}}
	for _, o := range u.Objects {
		m.byRef[o.Ref()] = o
	}
	tracer := newTracer(b, u)
	m.charts = newChartObjects(b, tracer)
	var objs []*objects.Object
	for _, o := range built.objects {
		objs = append(objs, m.object(o, tracer))
	}
	tracer.times = m.times
	slices.SortFunc(objs, objects.Compare)
	return u.Build(objs), tracer
}

// matcher finds the sources of built objects.
type matcher struct {
	files *snapshot
	unit  *objects.Unit
	byRef map[string]*objects.Object
	times map[string]int // how often each source was built
	// charts are the objects that charts render.
	charts chartObjects
}

func (m *matcher) object(built builtObject, t *tracer) *objects.Object {
	if o := m.charts.object(built, m.times); o != nil {
		return o
	}
	o := &objects.Object{
		APIVersion: built.APIVersion, Group: built.Group, Kind: built.Kind,
		Namespace: built.Namespace, Name: built.Name, Node: built.Node,
	}
	o.Applied = &objects.Applied{Doc: built.Doc, Source: m.source(built)}
	if s := o.Applied.Source; s != nil {
		o.Doc, o.Path, o.File = s.Doc, s.Path, s.File
	} else {
		o.Doc, o.Path = m.generator(built)
		o.File = o.Doc.File.Path
	}
	if from := built.origin; from.Chart != "" {
		o.Applied.Former = &objects.Object{
			APIVersion: built.APIVersion, Group: built.Group, Kind: built.Kind, Namespace: from.Namespace, Name: from.Name,
		}
	}
	ref := o.Ref()
	o.Applied.Instance = m.times[ref]
	m.times[ref]++
	o.Applied.Trace = func(path manifest.Path) []objects.Trace { return t.trace(o, path) }
	o.Applied.Writers = func(path manifest.Path) []objects.Writer { return t.writers(o, path) }
	return o
}

// source returns the file's object from which another was built: by its mark, otherwise by file and kind, and if there are
// several, by name. It is nil if there is none, as for one that is generated, or if it is ambiguous.
func (m *matcher) source(built builtObject) *objects.Object {
	if o := m.byRef[built.mark]; o != nil || built.origin.Chart != "" || built.origin.Generated {
		return o
	}
	candidates := m.unit.Objects
	if file := built.origin.File; !objects.IsKustomizationFile(file) {
		candidates = slices.Clone(m.files.objectsIn(file, built.Kind))
		for i, o := range candidates {
			if known := m.byRef[o.Ref()]; known != nil {
				candidates[i] = known
			}
		}
	}
	var ofKind, ofName []*objects.Object
	for _, o := range candidates {
		if o.Kind != built.Kind || o.Group != built.Group {
			continue
		}
		ofKind = append(ofKind, o)
		if o.Name != "" && strings.Contains(built.Name, o.Name) {
			ofName = append(ofName, o)
		}
	}
	if len(ofName) == 1 {
		return ofName[0]
	}
	if len(ofKind) == 1 && !objects.IsKustomizationFile(built.origin.File) {
		return ofKind[0]
	}
	return nil
}

// objectsIn returns the objects of a kind in a file, and others of documents that can hold such an object, read once for all units.
func (s *snapshot) objectsIn(name, kind string) []*objects.Object {
	objects, _ := cached(&s.parsed, name+"\n"+kind, func() ([]*objects.Object, error) {
		data, err := s.original(name)
		if err != nil {
			return nil, err
		}
		var objs []*objects.Object
		for _, doc := range manifest.Scan(name, data).Docs {
			if visible := doc.Kind(); visible != kind && visible != "" && !manifest.IsContainer(visible) {
				continue
			}
			if doc.Parse() == nil {
				objs = append(objs, objects.Objects(doc)...)
			}
		}
		return objs, nil
	})
	return objects
}

// generator returns the kustomization field that generates an object which is in no file.
func (m *matcher) generator(built builtObject) (*manifest.Document, manifest.Path) {
	k := m.unit.Kustomizations[0]
	for _, other := range m.unit.Kustomizations {
		if other.Path == built.origin.File {
			k = other
		}
	}
	if built.origin.Chart != "" {
		return k.Doc, entryAt(k, built.origin.Line)
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list := k.Doc.Root.Get(field)
		for i := 0; list.IsSequence() && i < len(list.Items()); i++ {
			name := list.Items()[i].Get("name").String()
			if name != "" && strings.Contains(built.Name, name) {
				return k.Doc, manifest.Path{field, itoa(i)}
			}
		}
	}
	return k.Doc, nil
}
