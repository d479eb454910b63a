package prefilter

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// readDependencies finds out on what a release depends.
func (f *Facts) readDependencies(doc *manifest.Document) {
	if f.Kind != KindRelease {
		return
	}
	text := doc.Bytes()
	f.DependsOn = bytes.Contains(text, []byte("dependsOn"))
	f.SelfContained = f.Group() == indexed[KindRelease] && f.Release != nil && f.Release.SourceKind == "HelmRepository" && f.Release.SourceName != "" &&
		!slices.ContainsFunc(dependencyWords, func(word []byte) bool { return bytes.Contains(text, word) })
}

// dependencyWords are words of releases that refer to other objects: valuesFrom and similar fields, dependsOn, other
// sources of charts, variables.
var dependencyWords = [][]byte{
	[]byte("From"), []byte("dependsOn"), []byte("chartRef"), []byte("GitRepository"), []byte("HelmChart"), []byte("Bucket"), []byte("$"), []byte("{{"),
}
