package generators

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Describe lists an application's parameters for messages, the shortest first, because those are the most specific.
func Describe(set Params) string {
	flat := flattened(set)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		if len(flat[key]) <= 40 && len(parts) < 3 {
			parts = append(parts, key+"="+flat[key])
		}
	}
	return strings.Join(parts, ", ")
}

// flattened returns the scalars of parameters as strings, by paths such as a.b.0.
func flattened(set Params) map[string]string {
	flat := map[string]string{}
	flatten(flat, "", set)
	return flat
}

func flatten(flat map[string]string, key string, value any) {
	below := func(name string) string {
		if key == "" {
			return name
		}
		return key + "." + name
	}
	switch value := value.(type) {
	case map[string]any:
		for name, child := range value {
			flatten(flat, below(name), child)
		}
	case map[string]string:
		for name, child := range value {
			flat[below(name)] = child
		}
	case []any:
		for i, child := range value {
			flatten(flat, below(strconv.Itoa(i)), child)
		}
	default:
		flat[key] = fmt.Sprint(value)
	}
}
