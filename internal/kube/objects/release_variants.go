package objects

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// AreVariants reports whether two manifests of one object are for different clusters of OpenShift: by their annotations, its operator for versions
// applies one of them, as for CustomResourceDefinitions of different feature sets.
//
// Source: https://github.com/openshift/library-go/blob/master/pkg/manifest/manifest.go (Include).
func AreVariants(a, b *manifest.Node) bool {
	of, others := variantOf(a), variantOf(b)
	return (of != "" || others != "") && of != others
}

// variantOf is what of the annotations of a manifest selects the clusters, in the order of the manifest.
func variantOf(node *manifest.Node) string {
	var chosen strings.Builder
	for _, field := range node.Lookup(manifest.Path{"metadata", "annotations"}).Fields() {
		switch key := field.Key.String(); {
		case strings.HasPrefix(key, "include.release.openshift.io/"), key == "release.openshift.io/feature-set", key == "capability.openshift.io/name":
			chosen.WriteString(key + "=" + field.Value.String() + "\n")
		}
	}
	return chosen.String()
}
