package refusal

//lint:file-ignore SA1019 kustomize still applies the entries of deprecated fields.

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render"
)

// reach is what the files of a kustomization do not show of the objects that it changes.
type reach struct {
	// lacks is set if a build without a network lacks objects: those of remote entries.
	lacks bool
	// hidden is set if it may have objects that the files do not show, or with names that they do not show.
	hidden bool
	// renamed is set if names have prefixes or suffixes that the files of the objects do not show.
	renamed bool
}

func (r *reach) add(other reach) {
	r.lacks, r.hidden, r.renamed = r.lacks || other.lacks, r.hidden || other.hidden, r.renamed || other.renamed
}

// dependent is an entry of a kustomization that needs objects: a patch, or a generator that changes what is there.
type dependent struct {
	file, field string
	index       int
}

// dependents are whether the objects that entries need are certainly absent. A component needs objects of each kustomization that lists it: they are
// absent if they are for all of these.
type dependents map[dependent]bool

func (d dependents) add(entry dependent, absent bool) {
	before, known := d[entry]
	d[entry] = absent && (before || !known)
}

// Absent returns the entries because of which a build of a folder without a network would fail: they change objects that only remote entries can
// have. A build can fail because of others, too, which only it shows.
func (w *Walk) Absent(dir string, o Options) []render.Entry {
	dir, err := render.Resolve(w.files, path.Clean(dir))
	if err != nil {
		return nil
	}
	var absent []render.Entry
	for entry, is := range w.folder(dir, o, nil).dependents {
		if is {
			absent = append(absent, w.entry(entry, o)...)
		}
	}
	return absent
}

// entry returns what identifies an entry of a kustomization in a build.
func (w *Walk) entry(d dependent, o Options) []render.Entry {
	data, err := w.files.ReadFile(d.file)
	if d.file == o.File {
		data, err = []byte(o.Text), nil
	}
	if err != nil {
		return nil
	}
	asJSON, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(asJSON))
	decoder.UseNumber()
	var fields map[string]any
	if decoder.Decode(&fields) != nil {
		return nil
	}
	list, _ := fields[d.field].([]any)
	if d.index >= len(list) {
		return nil
	}
	return []render.Entry{render.EntryOf(d.file, d.field, list[d.index])}
}

// findAbsent records the patches of the kustomization without a target. It is called before the kustomization changes anything.
func (v *visit) findAbsent() *Refusal {
	for i, p := range v.read.Patches {
		if p.Target == nil {
			v.depends("patches", i, v.isAbsent(p.Path, p.Patch))
		}
	}
	for i, p := range v.read.PatchesStrategicMerge {
		name, text := string(p), ""
		if !isFileName(name) {
			name, text = "", name
		}
		v.depends("patchesStrategicMerge", i, v.isAbsent(name, text))
	}
	return nil
}

// depends records an entry that needs objects. Without remote entries, it is the same in each build that has the kustomization, so that only those of
// components are recorded.
func (v *visit) depends(field string, index int, absent bool) {
	if absent || v.read.Kind == types.ComponentKind {
		v.dependents.add(dependent{v.file, field, index}, absent)
	}
}

// isAbsent reports whether an object that a strategic merge patch changes is certainly not in the build. The patch is in a file, or a text.
func (v *visit) isAbsent(name, text string) bool {
	if known := v.into.reach; !known.lacks || known.hidden {
		return false
	}
	var patch *content
	if name == "" {
		patch = readObjects(v.file, []byte(text))
	} else if data, target, state := v.readFile(name); state == isThere {
		patch = v.walk.content(target, data)
	}
	if patch == nil || patch.refusal != nil || patch.unknown {
		return false
	}
	return slices.ContainsFunc(patch.objects, func(changed object) bool { return v.lacksObject(changed.id.Kind, changed.id.Name) })
}

// lacksObject reports whether no object in the build can have a kind and a name, because of what the build lacks.
func (v *visit) lacksObject(kind, name string) bool {
	known := v.into.reach
	if !known.lacks || known.hidden {
		return false
	}
	return !slices.ContainsFunc(v.into.list, func(o object) bool {
		return o.id.Kind == kind && (o.id.Name == name || known.renamed && strings.Contains(name, o.id.Name))
	})
}

// renames records what the kustomization may do to names.
func (v *visit) renames() {
	k := &v.read
	v.into.reach.add(reach{
		renamed: k.NamePrefix != "" || k.NameSuffix != "",
		hidden: len(k.Replacements)+len(k.Vars)+len(k.Transformers)+len(k.Configurations) > 0 ||
			slices.ContainsFunc(k.Patches, v.mayRename) || slices.ContainsFunc(k.PatchesJson6902, v.mayRename),
	})
}

// mayRename reports whether a patch may change the names or kinds of objects.
func (v *visit) mayRename(p types.Patch) bool {
	if p.Options != nil {
		return true
	}
	text := []byte(p.Patch)
	if p.Path != "" {
		data, _, state := v.readFile(p.Path)
		if state != isThere {
			return true
		}
		text = data
	}
	return slices.ContainsFunc(namePaths, func(changes string) bool { return bytes.Contains(text, []byte(changes)) })
}

// namePaths are in each JSON patch that changes the kind or the name of an object. The path of the whole object is empty.
var namePaths = []string{
	"/metadata/name", "/metadata\"", "/metadata'", "/metadata\n", "/metadata\r", "/metadata ", "/metadata,", "/metadata}", "/kind",
	`path: ""`, "path: ''", `"path": ""`, `"path":""`,
}
