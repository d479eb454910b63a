package restmap

import "strings"

// readCRD reads spec.group, spec.names and spec.scope.
func readCRD(crd map[string]any) (Resource, bool) {
	spec, _ := crd["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	r := Resource{
		Group:    text(spec, "group"),
		Kind:     text(names, "kind"),
		Plural:   text(names, "plural"),
		Singular: text(names, "singular"),
		Short:    texts(names, "shortNames"),
	}
	if r.Singular == "" {
		r.Singular = strings.ToLower(r.Kind) // as the API server fills it in
	}
	switch scope := text(spec, "scope"); {
	case scope == "Namespaced", scope == "" && text(crd, "apiVersion") == "apiextensions.k8s.io/v1beta1":
		r.Namespaced = true
	case scope != "Cluster":
		return Resource{}, false
	}
	return r, r.Group != "" && r.Kind != "" && r.Plural != ""
}

func text(from map[string]any, key string) string {
	value, _ := from[key].(string)
	return value
}

func texts(from map[string]any, key string) []string {
	items, _ := from[key].([]any)
	var out []string
	for _, item := range items {
		if value, ok := item.(string); ok && value != "" {
			out = append(out, value)
		}
	}
	return out
}
