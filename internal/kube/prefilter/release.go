package prefilter

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
)

// SelfContained reports whether the document is a release of Flux with a chart from a chart repository that depends on
// nothing else: its bytes name no settings in other objects, no other releases, and no placeholders.
func (f *Facts) SelfContained(doc *manifest.Document) bool {
	if f.Kind != KindRelease || f.Group() != indexed[KindRelease] || f.Release.SourceKind != "HelmRepository" || f.Release.SourceName == "" {
		return false
	}
	for _, word := range dependencyWords {
		if bytes.Contains(doc.Bytes(), word) {
			return false
		}
	}
	return true
}

// dependencyWords are words of releases that refer to other objects: valuesFrom and similar fields, dependsOn, other
// sources of charts, variables.
var dependencyWords = [][]byte{
	[]byte("From"), []byte("dependsOn"), []byte("chartRef"), []byte("GitRepository"), []byte("HelmChart"), []byte("Bucket"), []byte("$"), []byte("{{"),
}
