package applications

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/render"
)

// postRenderFolder is the folder, in memory only, of the kustomization that applies a postRenderer. postRenderInput is the only
// resource in it, as in Flux: what the chart renders.
const postRenderFolder, postRenderInput = ".salint-post-renderer", "helm-output.yaml"

// postRender applies the postRenderers of a release to the objects of its chart, one after the other, with kustomize as Flux does. If
// that is impossible, the unit has no objects, and a problem with the reason.
func (m *unitBuilder) postRender(u *objects.Unit, s sources.Source) *objects.Unit {
	if u.NotBuilt {
		return u
	}
	all := u.Objects
	for _, renderer := range s.Helm.PostRenderers {
		changed, err := m.renderedWith(all, renderer, s)
		if err != nil {
			failed := u.For(u.Appliers)
			failed.Objects = nil
			return failed.Unbuilt(problemAt(placeIn(renderer), fmt.Sprintf(
				"this postRenderer cannot be applied, so nothing of the release was checked: %s", err)))
		}
		all = changed
	}
	made, hidden := u.For(u.Appliers), uncertainHooks(all, s.Helm.PostRenderers)
	made.Objects = slices.DeleteFunc(slices.Clone(all), func(o *objects.Object) bool {
		return slices.Contains(hidden, o) || m.Charts.Wanted != nil && !m.Charts.Wanted(o.Text())
	})
	slices.SortFunc(made.Objects, objects.Compare)
	return withoutHooks(made, hidden, s)
}

// placeIn returns the place of a postRenderer to show: its first patch, if it has any.
func placeIn(r sources.PostRenderer) view.Location {
	if len(r.Kustomize.Patches) > 0 {
		return r.Kustomize.Patches[0].Location
	}
	return r.Location
}

// renderedWith returns the objects of a chart as one postRenderer changes them. Those that it cannot change stay the same.
func (m *unitBuilder) renderedWith(all []*objects.Object, renderer sources.PostRenderer, s sources.Source) ([]*objects.Object, error) {
	if renderer.Unknown != "" {
		return nil, fmt.Errorf("salint does not know its field %s", renderer.Unknown)
	}
	var kept, input []*objects.Object
	for _, o := range all {
		if charts.Of(o) == nil || charts.Of(o).IsStatic() || isHook(o) {
			kept = append(kept, o)
			continue
		}
		input = append(input, o)
	}
	if !renderer.Changes() || len(input) == 0 {
		return all, nil
	}
	rendered := newPostRendered(input)
	built, err := m.kustomized(rendered, renderer.Kustomize, s)
	if err != nil {
		return nil, err
	}
	for _, o := range built {
		made, err := rendered.object(o, renderer.Kustomize)
		if err != nil {
			return nil, err
		}
		kept = append(kept, made)
	}
	return kept, nil
}

// kustomized builds objects with the changes of a postRenderer.
func (m *unitBuilder) kustomized(from *postRendered, changes sources.Kustomization, s sources.Source) ([]*objects.Object, error) {
	text := []byte("resources: [" + postRenderInput + "]\n")
	doc := manifest.Scan(postRenderFolder+"/kustomization.yaml", text).Docs[0]
	if err := doc.Parse(); err != nil {
		return nil, err
	}
	k, err := objects.ReadKustomization(doc)
	if err != nil {
		return nil, err
	}
	with, edit, err := m.editOf(k, sources.Source{Kustomize: changes, Path: view.Field[string]{Location: s.Location}})
	if edit == nil || err != nil {
		return from.sources, err
	}
	edit.New = true
	unit := assembly.NewBuilder(from.sources, []*objects.Kustomization{with}).Unit(with)
	options := overlay.Options{
		Files:   render.WithEdits(m.Overlay.Files, map[string][]byte{from.file.Path: from.file.Data}),
		Workers: m.Overlay.Workers, Edits: map[*objects.Unit]*overlay.Edit{unit: edit},
	}
	return builtObjects(m.ctx, unit, options)
}

func builtObjects(ctx context.Context, u *objects.Unit, o overlay.Options) ([]*objects.Object, error) {
	built, err := overlay.BuildEdited(ctx, u, o)
	if err != nil {
		return nil, err
	}
	return built.Objects, nil
}

// postRendered are objects of a chart as the input of a postRenderer: a file in memory.
type postRendered struct {
	file    *manifest.File
	sources []*objects.Object
	// of are the objects of the chart, by the references of the sources.
	of map[string]*objects.Object
	// taken are the references of the resulting objects.
	taken map[string]bool
}

func newPostRendered(all []*objects.Object) *postRendered {
	p := &postRendered{of: map[string]*objects.Object{}, taken: map[string]bool{}}
	var data bytes.Buffer
	var order []*manifest.Document
	byDoc := map[*manifest.Document]map[string]*objects.Object{}
	for _, o := range all {
		doc := o.Text()
		if byDoc[doc] == nil {
			byDoc[doc] = map[string]*objects.Object{}
			order = append(order, doc)
			data.WriteString("---\n")
			data.Write(doc.Bytes())
			data.WriteString("\n")
		}
		byDoc[doc][o.Path.String()] = o
	}
	p.file = manifest.Scan(postRenderFolder+"/"+postRenderInput, data.Bytes())
	next := 0
	for _, doc := range p.file.Docs {
		if doc.Parse() != nil {
			continue
		}
		found := objects.Objects(doc)
		if len(found) == 0 || next == len(order) {
			continue
		}
		for _, source := range found {
			if o := byDoc[order[next]][source.Path.String()]; o != nil {
				p.sources = append(p.sources, source)
				p.of[source.Ref()] = o
			}
		}
		next++
	}
	return p
}

// object returns a built object as one of the chart: the chart's own if no patch can have changed it.
func (p *postRendered) object(built *objects.Object, changes sources.Kustomization) (*objects.Object, error) {
	source := built.Source()
	if source == nil || p.of[source.Ref()] == nil {
		return nil, fmt.Errorf("the template of %s %s cannot be determined", built.Kind, built.Name)
	}
	before := p.of[source.Ref()]
	if !mayPatchAny(changes, before) && reflect.DeepEqual(before.JSON(), built.JSON()) {
		p.taken[before.Ref()] = true
		return before, nil
	}
	return p.changed(before, built, source)
}

// changed returns an object of a chart with the changes of a postRenderer.
func (p *postRendered) changed(before, built, source *objects.Object) (*objects.Object, error) {
	doc := manifest.Scan(before.File, built.Text().Bytes()).Docs[0]
	if err := doc.Parse(); err != nil {
		return nil, err
	}
	doc.Index = before.Doc.Index
	found := objects.Objects(doc)
	if len(found) != 1 {
		return nil, errors.New("it does not render an object")
	}
	o, made := found[0], *charts.Of(before)
	made.Form = charts.Form(before)
	o.Applied = &objects.Applied{Doc: doc, Instance: before.Applied.Instance, Made: &made}
	o.Applied.Trace = func(path manifest.Path) []objects.Trace {
		traces := slices.Clone(built.Applied.Trace(path))
		for i, trace := range traces {
			if trace.Doc == source.Doc {
				traces[i] = before.Applied.Trace(trace.Path[len(source.Path):])[0]
				traces[i].Exact = traces[i].Exact && trace.Exact
			}
		}
		return traces
	}
	o.Applied.Writers = func(path manifest.Path) []objects.Writer {
		patches := slices.DeleteFunc(slices.Clone(built.Applied.Writers(path)), func(w objects.Writer) bool { return w.What == objects.Base })
		if before.Applied.Writers == nil {
			return patches
		}
		return slices.Concat(before.Applied.Writers(path), patches)
	}
	for p.taken[o.Ref()] { // items of a list are separate documents now
		o.Applied.Instance++
	}
	p.taken[o.Ref()] = true
	return o, nil
}

// isHook reports whether an object is a hook of Helm. Helm 3 does not post-render hooks, and Helm 4 does.
func isHook(o *objects.Object) bool {
	return o.Node.Lookup(manifest.Path{"metadata", "annotations", "helm.sh/hook"}) != nil
}

// uncertainHooks returns the hooks that postRenderers may change.
func uncertainHooks(all []*objects.Object, renderers []sources.PostRenderer) []*objects.Object {
	return slices.DeleteFunc(slices.Clone(all), func(o *objects.Object) bool {
		return !isHook(o) || !slices.ContainsFunc(renderers, func(r sources.PostRenderer) bool { return mayPatchAny(r.Kustomize, o) })
	})
}

// maxNamed limits the objects that a problem names.
const maxNamed = 3

// withoutHooks adds the problem that some hooks were not checked.
func withoutHooks(u *objects.Unit, hooks []*objects.Object, s sources.Source) *objects.Unit {
	if len(hooks) == 0 {
		return u
	}
	at := placeIn(s.Helm.PostRenderers[0])
	var names []string
	for _, o := range hooks[:min(len(hooks), maxNamed)] {
		names = append(names, o.Kind+" "+o.Name)
	}
	message := "the patches of postRenderers may apply to hooks, depending on the version of Flux: these hooks were not checked: " + strings.Join(names, ", ")
	if len(hooks) > maxNamed {
		message += fmt.Sprintf(", and %d more", len(hooks)-maxNamed)
	}
	u.Problems = append(u.Problems, problemAt(at, message))
	u.LeftOut = append(u.LeftOut[:len(u.LeftOut):len(u.LeftOut)], objects.LeftOut{
		Position: at.Position(), Reason: "postRenderers may change hooks of the chart", Files: []string{s.Path.Value}, Missing: true,
	})
	return u
}

// mayPatchAny reports whether any of the patches may change an object.
func mayPatchAny(changes sources.Kustomization, o *objects.Object) bool {
	return slices.ContainsFunc(changes.Patches, func(p sources.Patch) bool { return mayPatch(p, o) })
}

// mayPatch reports whether a patch may change an object: its target selects it, or the patch itself names it. A patch that says
// neither may change any object.
func mayPatch(p sources.Patch, o *objects.Object) bool {
	if p.Target != nil {
		return selects(p.Target["group"], o.Group) && selects(p.Target["kind"], o.Kind) && selects(p.Target["name"], o.Name)
	}
	var body struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if strings.Contains(p.Patch.Value, "\n---") || yaml.Unmarshal([]byte(p.Patch.Value), &body) != nil {
		return true
	}
	return (body.Kind == "" || body.Kind == o.Kind) && (body.Metadata.Name == "" || body.Metadata.Name == o.Name)
}

// selects reports whether a field of the target of a patch, a regular expression for the whole value, selects a value.
func selects(field any, value string) bool {
	pattern, _ := field.(string)
	if pattern == "" {
		return true
	}
	expression, err := regexp.Compile("^(?:" + pattern + ")$")
	return err != nil || expression.MatchString(value)
}
