package process

import (
	"encoding/json"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// outsideSchemas returns the charts whose values schema references a URL, which Helm would fetch.
func outsideSchemas(c *chart.Chart) []string {
	var found []string
	var schema any
	if json.Unmarshal(c.Schema, &schema) == nil && refersOutside(schema) {
		found = append(found, c.ChartFullPath()+"/values.schema.json")
	}
	for _, sub := range c.Dependencies() {
		found = append(found, outsideSchemas(sub)...)
	}
	return found
}

// refersOutside reports whether a schema has a reference to something outside itself. A relative reference is resolved
// against the schema's own URL, so it counts as well.
func refersOutside(schema any) bool {
	switch value := schema.(type) {
	case map[string]any:
		for key, below := range value {
			reference, isText := below.(string)
			if isText && isOutside(key, reference) || refersOutside(below) {
				return true
			}
		}
	case []any:
		for _, item := range value {
			if refersOutside(item) {
				return true
			}
		}
	}
	return false
}

// builtInSchemas are the meta-schemas that are part of the library, with both protocols.
const builtInSchemas = "//json-schema.org/"

func isOutside(key, reference string) bool {
	switch key {
	case "$ref", "$dynamicRef", "$recursiveRef":
		return !strings.HasPrefix(reference, "#")
	case "$schema":
		_, address, _ := strings.Cut(reference, ":")
		return !strings.HasPrefix(address, builtInSchemas)
	}
	return false
}
