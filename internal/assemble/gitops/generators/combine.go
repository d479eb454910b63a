package generators

import (
	"encoding/json"
	"fmt"
	"maps"

	"dario.cat/mergo"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// matrix combines every set of the first generator with every set that the second one returns for it.
func (g *Generator) matrix(v view.View, depth int) ([]Params, error) {
	items := v.Get("generators").Items()
	if len(items) != 2 {
		return nil, refuse(v.At(), "a matrix requires two generators")
	}
	first, err := g.inner(items[0], nil, depth)
	if err != nil {
		return nil, err
	}
	var sets []Params
	for _, a := range first {
		second, err := g.inner(items[1], a, depth)
		if err != nil {
			return nil, err
		}
		for _, b := range second {
			set, err := g.product(a, b)
			if err != nil {
				return nil, because(v.At(), err)
			}
			if sets = append(sets, set); len(sets) > maxSets {
				return nil, unknown(v.At(), "it returns more than %d sets of parameters", maxSets)
			}
		}
	}
	return sets, nil
}

// product combines two sets. With Go templates the first takes precedence; without, they must not contradict each other.
func (g *Generator) product(a, b Params) (Params, error) {
	if g.Engine.Go {
		return combined(b, a)
	}
	out := Params{}
	for _, set := range []Params{a, b} {
		for key, value := range set {
			text := fmt.Sprint(value)
			if other, there := out[key]; there && other != text {
				return nil, fmt.Errorf("both generators set %s, with different values", key)
			}
			out[key] = text
		}
	}
	return out, nil
}

// inner runs a generator nested in another one. Each item must have exactly one.
func (g *Generator) inner(item view.View, outer Params, depth int) ([]Params, error) {
	kinds := Kinds(item)
	if len(kinds) != 1 {
		return nil, refuse(item.At(), "a nested generator must have exactly one kind")
	}
	return g.run(item, kinds[0], outer, depth+1)
}

// merge adds the parameters of later generators to the sets of the first one with the same keys. Argo CD returns them in
// any order, merge in that of the first.
func (g *Generator) merge(v view.View, depth int) ([]Params, error) {
	items := v.Get("generators").Items()
	keys := v.Get("mergeKeys").Texts()
	if len(items) < 2 || len(keys) == 0 {
		return nil, refuse(v.At(), "a merge requires at least two generators, and mergeKeys")
	}
	var sets []Params
	for i, item := range items {
		found, err := g.inner(item, nil, depth)
		if err != nil {
			return nil, err
		}
		byKey := map[string]Params{}
		for _, set := range found {
			key := mergeKey(keys, set)
			if byKey[key] != nil {
				return nil, refuse(item.At(), "two sets of parameters have the same mergeKeys")
			}
			byKey[key] = set
		}
		if i == 0 {
			sets = found
			continue
		}
		for n, set := range sets {
			if sets[n], err = g.merged(set, byKey[mergeKey(keys, set)]); err != nil {
				return nil, because(item.At(), err)
			}
		}
	}
	return sets, nil
}

func (g *Generator) merged(base, over Params) (Params, error) {
	out := maps.Clone(base)
	if g.Engine.Go {
		return out, mergo.Merge(&out, over, mergo.WithOverride)
	}
	maps.Copy(out, over)
	return out, nil
}

// mergeKey identifies a set of parameters by some of them.
func mergeKey(keys []view.Field[string], set Params) string {
	values := make(map[string]any, len(keys))
	for _, key := range keys {
		values[key.Value] = set[key.Value]
	}
	data, _ := json.Marshal(values) // parameters come from JSON
	return string(data)
}

// combined deeply merges over into base, as mergo does, which Argo CD uses.
func combined(base, over Params) (Params, error) {
	out := Params{}
	for _, set := range []Params{base, over} {
		if err := mergo.Merge(&out, set, mergo.WithOverride); err != nil {
			return nil, err
		}
	}
	return out, nil
}
