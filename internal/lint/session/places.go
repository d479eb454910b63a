package session

import (
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// places are where the objects of a state of the repository are. They do not refer to the units, so that a round can be forgotten while
// its places are needed.
type places struct {
	tree loader.Tree
	// built are the places of the objects that no file contains as such, because a build makes them.
	built map[builtObject]finding.Range
}

// builtObject is an object that a build makes, and the file that it is made from.
type builtObject struct {
	file     string
	resource finding.Resource
}

func newPlaces(tree loader.Tree, units []*objects.Unit) places {
	p := places{tree, map[builtObject]finding.Range{}}
	for _, u := range units {
		if !u.Built {
			continue
		}
		for _, o := range u.Objects {
			p.addBuilt(u, o)
		}
	}
	return p
}

// addBuilt adds an object of a built unit. The first one of its key counts.
func (p places) addBuilt(u *objects.Unit, o *objects.Object) {
	if o.InFile() {
		return
	}
	file, span := o.Locate(nil)
	key := builtObject{file.Path, finding.ResourceOf(o)}
	if _, known := p.built[key]; !known && u.Reads(file.Path) {
		p.built[key] = finding.RangeIn(file, span)
	}
}

// relocated moves findings to the places of their objects. It drops findings about objects that are removed, and findings that are
// known.
func (p places) relocated(findings, known []finding.Finding) []finding.Finding {
	var moved []finding.Finding
	seen := againKeys(known)
	var file objectsOfFile
	for _, f := range findings {
		if seen[againKey(f)] {
			continue
		}
		if at, ok := p.of(f, &file); ok {
			f.Range.Line, f.Range.Column, f.Range.Start = at.Line, at.Column, at.Start
			f.Range.EndLine, f.Range.EndColumn, f.Range.End = at.Line, at.Column, at.Start
			moved = append(moved, f)
			seen[againKey(f)] = true
		}
	}
	return moved
}

// of returns the place of the object that a finding is about. The file of a chart's template need not be YAML: only its rendering
// shows the object.
func (p places) of(f finding.Finding, file *objectsOfFile) (finding.Range, bool) {
	if o := findObject(file.read(p.tree, f.File), f); o != nil {
		return finding.RangeOf(o.Doc, o.At(nil)), true
	}
	at, ok := p.built[builtObject{f.File, f.Resource}]
	return at, ok
}

// objectsOfFile are the objects of the file that was read last, because a file can have hundreds of findings, one after the other.
type objectsOfFile struct {
	path    string
	objects []*objects.Object
}

func (l *objectsOfFile) read(tree loader.Tree, path string) []*objects.Object {
	if path == l.path {
		return l.objects
	}
	l.path, l.objects = path, nil
	data, err := tree.Read(path)
	if err != nil {
		return nil
	}
	for _, doc := range manifest.Scan(path, data).Docs {
		if doc.Parse() == nil {
			l.objects = append(l.objects, objects.AllObjects(doc)...)
		}
	}
	return l.objects
}

// findObject returns the object of a file that a finding is about: the one of its name, or otherwise the only one to which a
// kustomization may give that name.
func findObject(inFile []*objects.Object, f finding.Finding) *objects.Object {
	var renamed []*objects.Object
	for _, o := range inFile {
		if finding.ResourceOf(o) == f.Resource {
			return o
		}
		if o.Kind == f.Resource.Kind && (strings.Contains(f.Resource.Name, o.Name) || rbac.Templated(o.Name)) {
			renamed = append(renamed, o)
		}
	}
	if len(renamed) != 1 {
		return nil
	}
	return renamed[0]
}
