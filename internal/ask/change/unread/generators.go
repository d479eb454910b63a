package unread

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/kube/objects"
)

// ArtifactGenerators of Flux copy files of sources into other sources, their ExternalArtifacts.
//
// Source: https://fluxoperator.dev/docs/crd/artifactgenerator.
const (
	generatorGroup = "source.extensions.fluxcd.io"
	KindGenerator  = "ArtifactGenerator"
	kindArtifact   = "ExternalArtifact"
)

// addGenerated adds the artifacts of a generator, which are defined by what is copied into them of which sources. A generator can take those of
// another one.
func (d definitions) addGenerated(generator *objects.Object) {
	spec, _ := jsonfield.At(generator, "spec").(map[string]any)
	for _, item := range jsonfield.List(spec["artifacts"]) {
		artifact, _ := item.(map[string]any)
		made := definition{"copy": artifact["copy"]}
		var from, revisions []string
		for _, item := range jsonfield.List(spec["sources"]) {
			source, _ := item.(map[string]any)
			if alias := jsonfield.Text(source["alias"]); !copies(artifact["copy"], alias) {
				continue
			}
			key := jsonfield.Text(source["kind"]) + "/" + cmp.Or(jsonfield.Text(source["namespace"]), generator.Namespace) + "/" + jsonfield.Text(source["name"])
			address, _ := origin.Split(d[key].address())
			from = append(from, strings.TrimSpace(key+" "+address))
			if revision := d[key].revision(); revision != "" {
				revisions = append(revisions, revision)
			}
		}
		made["sources"], made["version"] = from, strings.Join(revisions, ", ")
		if key := kindArtifact + "/" + generator.Namespace + "/" + jsonfield.Text(artifact["name"]); d[key]["copy"] == nil {
			d[key] = made
		}
	}
}

// copies reports whether a list of copies takes something of the source with an alias.
func copies(list any, alias string) bool {
	return slices.ContainsFunc(jsonfield.List(list), func(item any) bool {
		fields, _ := item.(map[string]any)
		from := jsonfield.Text(fields["from"])
		return from == "@"+alias || strings.HasPrefix(from, "@"+alias+"/")
	})
}
