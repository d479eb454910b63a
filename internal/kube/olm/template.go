package olm

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// isTemplate reports whether a text contains a placeholder: ${NAME} and ${{NAME}} of envsubst, Flux, and OpenShift
// templates, $(NAME), {{ name }} of Helm and others, << name >> of a ResourceSet.
func isTemplate(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "$(") || strings.Contains(text, "{{") || strings.Contains(text, "<<")
}

// isTemplateNode reports the same for a node. Without quotes YAML parses {{ name }} as a mapping whose only key is a
// mapping, which no Kubernetes object contains.
func isTemplateNode(n *manifest.Node) bool {
	if n == nil {
		return false
	}
	if n.IsMapping() {
		return len(n.Fields()) == 1 && n.Fields()[0].Key.IsMapping()
	}
	return isTemplate(n.String())
}
