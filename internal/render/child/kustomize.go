package child

import (
	"encoding/json"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/salint/salint/internal/render/wire"
)

// kustomize builds a folder with the options of `kustomize build` that nothing loosens: files only from below each
// kustomization, built-in plugins only, no Helm.
func kustomize(p *parent, request wire.Kustomize) wire.Result {
	// A kustomization may bring its own schema, which the library keeps for the next build.
	files := newFiles(p)
	defer func() {
		if files.schema {
			openapi.ResetOpenAPI()
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified // as the program, which sorts unless the kustomization says how
	built, err := krusty.MakeKustomizer(options).Run(files, request.Dir)
	if err != nil {
		return failed(err)
	}
	var result wire.Result
	for _, resource := range built.Resources() {
		data, err := resource.MarshalJSON()
		if err != nil {
			return failed(err)
		}
		result.Objects = append(result.Objects, json.RawMessage(data))
	}
	return result
}

// contentOf finds where kustomize quotes the configuration or the patch that it could not use. A patch of a Secret is not
// for a report.
var contentOf = regexp.MustCompile("(?s) with config: `\n.*?\n`| from \\[patch: .*\\]| from \\[path: .*\\]| \\[.*expected key=value")

// failed gives kustomize's message the paths that the user knows, and takes out what it quotes of files.
func failed(err error) wire.Result {
	message := contentOf.ReplaceAllString(err.Error(), " (not shown)")
	message = strings.ReplaceAll(message, wire.Root+"/", "")
	return wire.Result{Error: &wire.Error{Message: strings.ReplaceAll(message, wire.Root, ".")}}
}
