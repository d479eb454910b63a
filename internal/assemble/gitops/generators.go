package gitops

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/template"
)

// The generators that are run, and those that are not, with what they require.
const (
	generatorList   = "list"
	generatorGit    = "git"
	generatorMatrix = "matrix"
	generatorMerge  = "merge"
)

var needs = map[string]string{
	"clusters":                "the clusters registered in Argo CD",
	"clusterDecisionResource": "an object in the cluster",
	"scmProvider":             "the repositories of a git service",
	"pullRequest":             "the pull requests of a git service",
	"plugin":                  "a program",
}

// maxNested is the maximum nesting of generators: one in a matrix in a merge.
const maxNested = 2

// generator runs the generators of one ApplicationSet.
type generator struct {
	*reader
	engine template.Engine
}

// generatorKinds returns the generators that an item of the list sets, sorted.
func generatorKinds(item view) []string {
	fields, _ := item.value.(map[string]any)
	var kinds []string
	for key, value := range fields {
		if key != "selector" && value != nil {
			kinds = append(kinds, key)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// run returns the sets of parameters of one generator that pass its selector. The strings of the generator are filled in
// with outer, as in the second generator of a matrix.
func (g *generator) run(item view, kind string, outer params, depth int) ([]params, error) {
	v := item.get(kind)
	if depth > maxNested {
		return nil, refuse(v.at(), "generators are nested more than %d deep", maxNested)
	}
	if len(outer) > 0 {
		value, err := g.interpolated(kind, v.value, outer)
		if err != nil {
			return nil, refuse(v.at(), "%v", err)
		}
		v.value = value
	}
	sets, err := g.sets(v, kind, depth)
	if err != nil {
		return nil, err
	}
	if len(sets) > maxSets {
		return nil, refuse(v.at(), "it returns more than %d sets of parameters", maxSets)
	}
	return selected(item.get("selector"), sets)
}

func (g *generator) sets(v view, kind string, depth int) ([]params, error) {
	switch kind {
	case generatorList:
		return g.list(v)
	case generatorGit:
		return g.git(v)
	case generatorMatrix:
		return g.matrix(v, depth)
	case generatorMerge:
		return g.merge(v, depth)
	}
	if what, known := needs[kind]; known {
		return nil, refuse(v.at(), "the generator %s requires %s", kind, what)
	}
	return nil, refuse(v.at(), "the generator %s does not exist", kind)
}

// interpolated fills in the strings of a generator. In the values of a git generator, tags that outer does not define are
// left for its own parameters.
func (g *generator) interpolated(kind string, value any, outer params) (any, error) {
	fields, isMap := value.(map[string]any)
	values, hasValues := fields["values"].(map[string]any)
	if !isMap || kind != generatorGit || !hasValues {
		return fillAll(g.engine, value, outer)
	}
	rest := make(map[string]any, len(fields))
	for key, child := range fields {
		if key != "values" {
			rest[key] = child
		}
	}
	out, err := fillAll(g.engine, rest, outer)
	if err != nil {
		return nil, err
	}
	strict := g.engine
	strict.Options = append(slices.DeleteFunc(slices.Clone(g.engine.Options),
		func(o string) bool { return strings.HasPrefix(o, "missingkey=") }), "missingkey=error")
	resolved := make(map[string]any, len(values))
	for key, child := range values {
		text, _ := child.(string)
		now, err := strict.Fill(text, outer)
		switch {
		case err != nil && isMissing(err):
			now = text
		case err != nil:
			return nil, err
		}
		resolved[key] = now
	}
	out.(map[string]any)["values"] = resolved
	return out, nil
}

// isMissing reports whether a template failed because a parameter is missing.
func isMissing(err error) bool {
	return strings.Contains(err.Error(), "map has no entry for key") || strings.Contains(err.Error(), "can't evaluate field")
}

// list returns the elements, and those of elementsYaml, which usually comes from an outer generator.
func (g *generator) list(v view) ([]params, error) {
	var sets []params
	for _, item := range v.get("elements").items() {
		element, err := asJSON(item.value)
		if err != nil {
			return nil, refuse(item.at(), "an element is not a mapping")
		}
		if !g.engine.Go {
			if element, err = textsOnly(element); err != nil {
				return nil, refuse(item.at(), "%v", err)
			}
		}
		sets = append(sets, element)
	}
	text := v.get("elementsYaml").text()
	if text.Value == "" {
		return sets, nil
	}
	var elements []params
	if len(text.Value) > maxData {
		return nil, refuse(text.Location, "elementsYaml has more than %d MiB", maxData>>20)
	}
	if err := yaml.Unmarshal([]byte(text.Value), &elements); err != nil {
		return nil, refuse(text.Location, "elementsYaml is not a list of mappings: %v", err)
	}
	return append(sets, elements...), nil
}

// asJSON converts a mapping to the types of encoding/json, in which every number is a float64, because templates print
// numbers as such.
func asJSON(value any) (params, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var decoded params
	if err := json.Unmarshal(data, &decoded); err != nil {
		return nil, err
	}
	if decoded == nil {
		return nil, errors.New("null is not a mapping")
	}
	return decoded, nil
}

// textsOnly returns the parameters of an element without Go templates: strings, and those in `values`.
func textsOnly(element params) (params, error) {
	out := params{}
	for key, value := range element {
		if text, isText := value.(string); isText {
			out[key] = text
			continue
		}
		values, isMap := value.(map[string]any)
		if key != "values" || !isMap {
			return nil, fmt.Errorf("without goTemplate, the values of an element must be strings, but %s is not", key)
		}
		for name, value := range values {
			text, isText := value.(string)
			if !isText {
				return nil, fmt.Errorf("without goTemplate, values must be strings, but %s is not", name)
			}
			out["values."+name] = text
		}
	}
	return out, nil
}
