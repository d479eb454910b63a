package prefilter

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// SelfContained reports whether the document is a release of Flux with a chart from a chart repository that depends on
// nothing else: its bytes name no settings in other objects, no other releases, and no placeholders.
func (f *Facts) SelfContained() bool { return f.selfContained }

// DependsOn reports whether the document is a release that may depend on other releases.
func (f *Facts) DependsOn() bool { return f.dependsOn }

// readDependencies finds out on what a release depends.
func (f *Facts) readDependencies(doc *manifest.Document) {
	if f.Kind != KindRelease {
		return
	}
	text := doc.Bytes()
	f.dependsOn = bytes.Contains(text, []byte("dependsOn"))
	f.selfContained = f.Group() == indexed[KindRelease] && f.Release != nil && f.Release.SourceKind == "HelmRepository" && f.Release.SourceName != "" &&
		!slices.ContainsFunc(dependencyWords, func(word []byte) bool { return bytes.Contains(text, word) })
}

// dependencyWords are words of releases that refer to other objects: valuesFrom and similar fields, dependsOn, other
// sources of charts, variables.
var dependencyWords = [][]byte{
	[]byte("From"), []byte("dependsOn"), []byte("chartRef"), []byte("GitRepository"), []byte("HelmChart"), []byte("Bucket"), []byte("$"), []byte("{{"),
}
