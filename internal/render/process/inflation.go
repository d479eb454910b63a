package process

import (
	"bytes"
	"fmt"
	"slices"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"

	"github.com/salint/salint/internal/render/protocol"
)

// withInline returns the values files with the inline values of a kustomization merged into the first, as kustomize does before
// it runs helm (HelmChartInflationGenerator.createNewMergedValuesFile).
func withInline(request protocol.Chart) ([]protocol.File, error) {
	in := request.Inline
	if in == nil {
		return request.Values, nil
	}
	merged := protocol.File{Name: "valuesInline", Data: in.Data}
	if in.Merge == protocol.MergeReplace {
		return append([]protocol.File{merged}, request.Values...), nil
	}
	if len(request.Values) == 0 {
		return nil, fmt.Errorf("valuesInline has no file to be merged into")
	}
	var err error
	if merged.Data, err = mergeInline(request.Values[0], in); err != nil {
		return nil, fmt.Errorf("%s: %w", request.Values[0].Name, err)
	}
	files := slices.Clone(request.Values)
	files[0] = merged
	return files, nil
}

func mergeInline(file protocol.File, in *protocol.InlineValues) ([]byte, error) {
	low, err := kyaml.Parse(string(file.Data))
	if err != nil {
		return nil, err
	}
	high, err := kyaml.Parse(string(in.Data))
	if err != nil {
		return nil, err
	}
	switch in.Merge {
	case "", protocol.MergeOverride:
	case protocol.MergeMerge:
		low, high = high, low
	default:
		return nil, fmt.Errorf("valuesMerge must be override, merge, or replace, and is %q", in.Merge)
	}
	merged, err := merge2.Merge(high, low, kyaml.MergeOptions{})
	if err != nil {
		return nil, err
	}
	text, err := merged.String()
	return []byte(text), err
}

// releaseName returns the name of the release, from its template if there is one.
func releaseName(request protocol.Chart) (string, error) {
	if request.NameTemplate == "" {
		return request.ReleaseName, nil
	}
	functions := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv", "getHostByName"} { // manifests do not read the environment of salint
		delete(functions, name)
	}
	t, err := template.New("name-template").Funcs(functions).Parse(request.NameTemplate)
	if err != nil {
		return "", fmt.Errorf("nameTemplate: %w", err)
	}
	var name bytes.Buffer
	if err := t.Execute(&name, nil); err != nil {
		return "", fmt.Errorf("nameTemplate: %w", err)
	}
	return name.String(), nil
}
