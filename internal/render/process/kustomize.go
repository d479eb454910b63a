package process

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/render/protocol"
)

// kustomize builds a folder with the strictest options of `kustomize build`: files only below each kustomization unless the request
// lifts that, built-in plugins only, no Helm.
func kustomize(p *parent, request protocol.Kustomize) protocol.Result {
	// A kustomization can contain a schema, which the library keeps for the next build. It is asked for the schema that it has,
	// because kustomize finds the field in any case, and with escape sequences.
	before := openapi.GetSchemaVersion()
	defer func() {
		if openapi.GetSchemaVersion() != before {
			openapi.ResetOpenAPI()
		}
	}()
	files := newFiles(p)
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified // the default of the program, which sorts unless the kustomization configures an order
	if request.Unrestricted {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	built, err := krusty.MakeKustomizer(options).Run(files, request.Dir)
	if err != nil {
		return failed(err)
	}
	var result protocol.Result
	for _, resource := range built.Resources() {
		data, err := objectJSON(resource)
		if err != nil {
			return failed(err)
		}
		result.Objects = append(result.Objects, json.RawMessage(data))
	}
	return result
}

// contentOf matches the configuration or patch that kustomize quotes in its errors. A patch can be one of a Secret, and
// must not appear in a report. Bytes are quoted as numbers.
var contentOf = lazyregexp.New("(?s) with config: `\n.*?\n`| from \\[patch: .*\\]| from \\[path: .*\\]| \\[.*expected key=value| from generator &\\{[^}]*\\}| \\[\\d+(?: \\d+)*\\]")

// failed returns kustomize's message with the user's paths and without quoted file contents.
func failed(err error) protocol.Result {
	message := contentOf().ReplaceAllString(err.Error(), " (not shown)")
	message = quotedAnchor().ReplaceAllString(message, "unknown anchor")
	message = strings.ReplaceAll(message, protocol.Root+"/", "")
	return protocol.Result{Error: &protocol.Error{Message: strings.ReplaceAll(message, protocol.Root, ".")}}
}
