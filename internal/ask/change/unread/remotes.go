package unread

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
)

// textOf returns the content of a file; nil if it cannot be read.
func (s State) textOf(file string) []byte {
	if s.Text == nil {
		return nil
	}
	text, err := s.Text(file)
	if err != nil {
		return nil
	}
	return text
}

// remotes returns what the kustomizations and charts of units fetch from elsewhere, with what is set for it: each source once for each unit that
// has it.
func (s State) remotes(units []*objects.Unit) (all []reason) {
	for _, unit := range units {
		for _, part := range unit.Parts() {
			all = append(all, s.remotesOf(part)...)
		}
	}
	return all
}

// fetches reports whether a place is that of why a unit cannot be built which fetches something.
func (s State) fetches(units []*objects.Unit, at objects.Position) bool {
	return slices.ContainsFunc(units, func(unit *objects.Unit) bool {
		return slices.ContainsFunc(unit.Parts(), func(part *objects.Unit) bool {
			return part.NotBuilt && part.Problems[len(part.Problems)-1].Position == at && len(part.Kustomizations) > 0 && len(s.remotesOf(part)) > 0
		})
	})
}

func (s State) remotesOf(unit *objects.Unit) (all []reason) {
	for _, entry := range unit.Remotes {
		source, revision := origin.Split(entry.Value)
		all = append(all, reason{
			key: "remote " + source, message: entry.Value + " is remote and was not checked", place: entry.Position, revision: revision,
		})
	}
	for _, k := range unit.Kustomizations {
		all = append(all, remoteCharts(unit, k)...)
	}
	for _, r := range unit.Renderings {
		if unit.NotBuilt {
			all = append(all, s.dependencies(r.Chart)...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	settings := s.settingsOf(unit)
	for i := range all {
		all[i].of, all[i].settings = unit.String(), settings
		if all[i].isDetail {
			all[i].settings = nil // the files with the values are compared
		}
	}
	return all
}

// remoteCharts returns the charts of `helmCharts` that a unit does not have.
func remoteCharts(unit *objects.Unit, k *objects.Kustomization) (all []reason) {
	list := k.Doc.Root.Get("helmCharts")
	if !list.IsSequence() {
		return nil
	}
	for _, item := range list.Items() {
		name, repo := item.Get("name").String(), item.Get("repo").String()
		line, _ := k.Doc.File.Position(item.Span().Start)
		for _, p := range unit.Problems {
			if p.Position.File == k.Path && p.Position.Line == line && strings.Contains(p.Message, "is remote and was not checked") {
				all = append(all, reason{key: fmt.Sprintf("chart %s of %s", name, repo), message: p.Message, place: p.Position, revision: item.Get("version").String()})
			}
		}
	}
	return all
}

// dependencies returns the dependencies of a chart that are fetched from elsewhere.
func (s State) dependencies(chart string) (all []reason) {
	file := path.Join(chart, "Chart.yaml")
	var metadata struct {
		Dependencies []struct{ Name, Version, Repository, Alias string }
	}
	if yaml.Unmarshal(s.textOf(file), &metadata) != nil {
		return nil
	}
	for _, d := range metadata.Dependencies {
		if d.Repository == "" || strings.HasPrefix(d.Repository, "file:") {
			continue
		}
		name := fmt.Sprintf("the dependency %s of the chart %s from %s", d.Name, path.Base(chart), d.Repository)
		all = append(all, reason{
			key: name + " " + d.Alias, message: name + " is not in the repository", place: objects.Position{File: file, Line: 1, Column: 1},
			revision: d.Version, isDetail: true,
		})
	}
	return all
}

// settingsOf returns what a unit sets for what it fetches: in its kustomizations, and in the applications that apply it.
func (s State) settingsOf(unit *objects.Unit) (all []origin.Setting) {
	for _, k := range unit.Kustomizations {
		read := func(file string) []byte { return s.textOf(path.Join(k.Dir, file)) }
		all = append(all, origin.Kustomization(k.Doc.Root.Decode(), read)...)
	}
	for _, by := range unit.Appliers {
		if by.Object != nil {
			spec, _ := by.Object.JSON()["spec"].(map[string]any)
			all = append(all, origin.Application(spec)...)
		}
	}
	return all
}

// definitions are the objects of Flux that define sources, by kind/namespace/name.
type definitions map[string]definition

// definition is the specification of a source.
type definition map[string]any

// definitionsOf returns the definitions of sources in a repository. Of namesakes, the first counts.
func definitionsOf(r *loader.Repository) definitions {
	found := definitions{}
	var generators []*objects.Object
	for _, u := range r.Units {
		for _, o := range u.Objects {
			switch key := o.Kind + "/" + o.Namespace + "/" + o.Name; {
			case o.Group == sourceGroup && found[key] == nil:
				found[key], _ = jsonfield.At(o, "spec").(map[string]any)
			case o.Group == generatorGroup && o.Kind == KindGenerator:
				generators = append(generators, o)
			}
		}
	}
	for _, o := range generators {
		found.addGenerated(o)
	}
	return found
}

// address returns where the source is; "" if that is not known.
func (d definition) address() string {
	bucket := strings.Trim(jsonfield.Text(d["endpoint"])+"/"+jsonfield.Text(d["bucketName"]), "/")
	chart := jsonfield.Text(d["chart"])
	if ref, is := d["sourceRef"].(map[string]any); is && chart != "" {
		chart += " of " + jsonfield.Text(ref["name"])
	}
	return cmp.Or(jsonfield.Text(d["url"]), bucket, chart)
}

// revision returns the revision that the source fetches; "" if it is the default one.
func (d definition) revision() string {
	ref, _ := d["ref"].(map[string]any)
	for _, key := range []string{"digest", "commit", "name", "semver", "tag", "branch"} {
		if text := jsonfield.Text(ref[key]); text != "" {
			return text
		}
	}
	return jsonfield.Text(d["version"])
}

// settings are how the content of the source is verified, and what is taken of it.
func (d definition) settings() (all []origin.Setting) {
	for _, key := range []string{"verify", "include", "layerSelector", "copy", "sources"} {
		if value, is := d[key]; is {
			all = append(all, origin.Setting{Name: key, Text: fmt.Sprint(value), Decides: true})
		}
	}
	return all
}

// chartVersion returns the version of the chart of a release or an application.
func chartVersion(spec map[string]any) string {
	chart, _ := spec["chart"].(map[string]any)
	release, _ := chart["spec"].(map[string]any)
	return jsonfield.Text(release["version"])
}
