package applications

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// keepingFields are fields of kustomizations that remove no object, and no variable of one.
var keepingFields = []string{
	"namespace", "namePrefix", "nameSuffix", "labels", "commonLabels", "commonAnnotations", "images", "replicas", "configMapGenerator", "secretGenerator",
}

// unset returns why Flux certainly fails to substitute the variables of an object that is not parsed otherwise, because no rule and no question is about it; nil
// if that is not known. What patches can remove does not count.
func (p *plan) unset(d *plannedUnit) *fillFailure {
	if v := d.app.Variables; v == nil || !v.Strict || v.Open || p.Overlay.Files == nil || len(d.parts) != 1 || d.app.NotMade != nil {
		return nil
	}
	r := p.newPostBuild(d.app)
	for _, file := range p.resourcesOf(d.parts[0]) {
		text, err := p.Overlay.Files.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte("${")) {
			continue
		}
		for _, doc := range manifest.Scan(file, text).Docs {
			if !bytes.Contains(doc.Bytes(), []byte("${")) || doc.Parse() != nil {
				continue
			}
			for _, o := range objects.Objects(doc) {
				if failed := r.failure(o, nil); failed != nil {
					return failed
				}
			}
		}
	}
	return nil
}

// resourcesOf returns the files with objects that a part certainly applies as they are, apart from fields that leave variables in place.
func (p *plan) resourcesOf(part part) []string {
	unit := part.unit
	if part.failed != nil || unit == nil || slices.ContainsFunc(unit.Transforms, func(t objects.Transform) bool { return !slices.Contains(keepingFields, t.Field) }) {
		return nil
	}
	var files []string
	if part.source.Kind == sources.Collected {
		files = part.source.Contents(p.Names).Files
	}
	for _, k := range unit.Kustomizations {
		for _, entry := range k.Resources {
			files = append(files, entry.Target)
		}
	}
	return slices.DeleteFunc(files, func(file string) bool { return !p.paths.HasFile(file) || objects.IsKustomizationFile(file) })
}
