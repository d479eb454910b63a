package prefilter

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
)

// FromElsewhere tells of a release that it is one of Flux, that its chart is of a repository of charts, and that it stands
// for itself: its bytes name no settings in other objects, no other releases, and nothing that is filled in.
func (f *Facts) FromElsewhere(doc *manifest.Document) bool {
	if f.Kind != KindRelease || f.Group() != indexed[KindRelease] || f.Release.SourceKind != "HelmRepository" || f.Release.SourceName == "" {
		return false
	}
	for _, word := range linking {
		if bytes.Contains(doc.Bytes(), word) {
			return false
		}
	}
	return true
}

// linking are words of releases that have to do with other objects: valuesFrom and its like, dependsOn, other sources of
// charts, variables.
var linking = [][]byte{
	[]byte("From"), []byte("dependsOn"), []byte("chartRef"), []byte("GitRepository"), []byte("HelmChart"), []byte("Bucket"), []byte("$"), []byte("{{"),
}
