package child

import (
	"encoding/json"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// outsideSchemas names the charts whose schema of values refers to an address: Helm would fetch it.
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

// refersOutside tells whether a schema has a reference that is not inside of itself. A relative one is resolved against
// the address that the schema gives itself, so that it leads outside as well.
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

// builtInSchemas are the schemas of schemas that come with the library, under both protocols.
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
