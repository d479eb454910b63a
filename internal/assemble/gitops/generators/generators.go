package generators

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
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

// Params are the parameters of one application of an ApplicationSet.
type Params = map[string]any

// Generator runs the generators of one ApplicationSet.
type Generator struct {
	Engine template.Engine
	// Find returns the repository of an address.
	Find func(address view.Field[string]) sources.Repository
	// Files are those of the repository, and Folders its folders that are not hidden, both sorted. Read returns a file of at most
	// limit bytes; it is nil if the files are unknown.
	Files, Folders []string
	Read           func(name string, limit int64) ([]byte, error)
	// ExactGlobs is set if * does not match slashes in patterns of files.
	ExactGlobs bool
}

// NotRunError is why and where a generator was not run.
type NotRunError struct {
	At view.Location
	// Fails is set if Argo CD fails to run it, too.
	Fails   bool
	message string
}

func (e *NotRunError) Error() string { return e.message }

// refuse returns the error of a generator that Argo CD refuses as well.
func refuse(at view.Location, format string, args ...any) error {
	return &NotRunError{at, true, fmt.Sprintf(format, args...)}
}

// unknown returns the error of a generator of which Argo CD knows more, or for which the limits are others.
func unknown(at view.Location, format string, args ...any) error {
	return &NotRunError{at, false, fmt.Sprintf(format, args...)}
}

// because returns the error of a generator for another error, which can be that of a template.
func because(at view.Location, err error) error {
	return &NotRunError{at, !template.IsOwn(err), err.Error()}
}

// Kinds returns the generators that an item of the list sets, sorted.
func Kinds(item view.View) []string {
	fields, _ := item.Value.(map[string]any)
	var kinds []string
	for key, value := range fields {
		if key != "selector" && value != nil {
			kinds = append(kinds, key)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// Run returns the sets of parameters of one generator in an item of the list.
func (g *Generator) Run(item view.View, kind string) ([]Params, error) {
	return g.run(item, kind, nil, 0)
}

// run returns the sets of parameters of one generator that pass its selector. The strings of the generator are filled in
// with outer, as in the second generator of a matrix.
func (g *Generator) run(item view.View, kind string, outer Params, depth int) ([]Params, error) {
	v := item.Get(kind)
	if depth > maxNested {
		return nil, unknown(v.At(), "generators are nested more than %d deep", maxNested)
	}
	if len(outer) > 0 {
		value, err := g.interpolated(kind, v.Value, outer)
		if err != nil {
			return nil, because(v.At(), err)
		}
		v.Value = value
	}
	sets, err := g.sets(v, kind, depth)
	if err != nil {
		return nil, err
	}
	if len(sets) > maxSets {
		return nil, unknown(v.At(), "it returns more than %d sets of parameters", maxSets)
	}
	return selected(item.Get("selector"), sets)
}

func (g *Generator) sets(v view.View, kind string, depth int) ([]Params, error) {
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
		return nil, unknown(v.At(), "the generator %s requires %s", kind, what)
	}
	return nil, unknown(v.At(), "the generator %s does not exist", kind)
}

// interpolated fills in the strings of a generator. In the values of a git generator, tags that outer does not define are
// left for its own parameters.
func (g *Generator) interpolated(kind string, value any, outer Params) (any, error) {
	fields, isMap := value.(map[string]any)
	values, hasValues := fields["values"].(map[string]any)
	if !isMap || kind != generatorGit || !hasValues {
		return g.Engine.FillAll(value, outer)
	}
	rest := make(map[string]any, len(fields))
	for key, child := range fields {
		if key != "values" {
			rest[key] = child
		}
	}
	out, err := g.Engine.FillAll(rest, outer)
	if err != nil {
		return nil, err
	}
	strict := g.Engine
	strict.Options = append(slices.DeleteFunc(slices.Clone(g.Engine.Options),
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
func (g *Generator) list(v view.View) ([]Params, error) {
	var sets []Params
	for _, item := range v.Get("elements").Items() {
		element, err := asJSON(item.Value)
		if err != nil {
			return nil, refuse(item.At(), "an element is not a mapping")
		}
		if !g.Engine.Go {
			if element, err = textsOnly(element); err != nil {
				return nil, because(item.At(), err)
			}
		}
		sets = append(sets, element)
	}
	text := v.Get("elementsYaml").Text()
	if text.Value == "" {
		return sets, nil
	}
	var elements []Params
	if len(text.Value) > maxData {
		return nil, unknown(text.Location, "elementsYaml has more than %d MiB", maxData>>20)
	}
	if err := yaml.Unmarshal([]byte(text.Value), &elements); err != nil {
		return nil, refuse(text.Location, "elementsYaml is not a list of mappings: %v", err)
	}
	return append(sets, elements...), nil
}

// asJSON converts a mapping to the types of encoding/json, in which every number is a float64, because templates print
// numbers as such.
func asJSON(value any) (Params, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var decoded Params
	if err := json.Unmarshal(data, &decoded); err != nil {
		return nil, err
	}
	if decoded == nil {
		return nil, errors.New("null is not a mapping")
	}
	return decoded, nil
}

// textsOnly returns the parameters of an element without Go templates: strings, and those in `values`.
func textsOnly(element Params) (Params, error) {
	out := Params{}
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

// Known returns what is known of the parameters of a generator that cannot be run: those of its nested generators, and its own values. It returns at
// least one set, which is empty if nothing is known.
func (g *Generator) Known(item view.View, kind string) []Params {
	sets := g.values(item.Get(kind))
	if kind == generatorMatrix || kind == generatorMerge {
		for _, child := range item.Get(kind, "generators").Items() {
			text, err := json.Marshal(child.Value)
			if err != nil || template.HasTag(string(text)) {
				continue // it is filled in by another one
			}
			for _, kind := range Kinds(child) {
				found, err := g.run(child, kind, nil, maxNested)
				if err != nil {
					found = g.values(child.Get(kind))
				}
				sets = append(sets, found...)
			}
		}
	}
	if len(sets) == 0 {
		return []Params{nil}
	}
	return sets
}

// values returns the set of the values of a generator that are texts without tags; none if there are none.
func (g *Generator) values(v view.View) []Params {
	set, texts := Params{}, map[string]any{}
	for _, entry := range v.Get("values").Entries() {
		if !template.HasTag(entry.Value.Value) {
			texts[entry.Key], set["values."+entry.Key] = entry.Value.Value, entry.Value.Value
		}
	}
	switch {
	case len(texts) == 0:
		return nil
	case g.Engine.Go:
		return []Params{{"values": texts}}
	}
	return []Params{set}
}
