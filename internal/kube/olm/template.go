package olm

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// isTemplate reports whether a text is filled in before it is applied: ${NAME} and ${{NAME}} of envsubst, Flux and
// OpenShift templates, $(NAME), {{ name }} of Helm and others.
func isTemplate(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "$(") || strings.Contains(text, "{{")
}

// isTemplateNode tells the same of a node. Without quotes YAML takes {{ name }} for a mapping whose only key is a
// mapping, which no Kubernetes object has.
func isTemplateNode(n *manifest.Node) bool {
	if n == nil {
		return false
	}
	if n.IsMapping() {
		return len(n.Fields) == 1 && n.Fields[0].Key.IsMapping()
	}
	return isTemplate(n.String())
}
