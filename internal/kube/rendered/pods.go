package rendered

import (
	"cmp"
	"slices"
)

// PodSpec returns the specification of the pods that an object runs: its own, or that of its template; nil without one.
func (o Object) PodSpec() map[string]any {
	spec, _ := o.JSON["spec"].(map[string]any)
	if job, ok := lookup(spec, "jobTemplate", "spec"); ok {
		spec = job
	}
	if template, ok := lookup(spec, "template", "spec"); ok {
		spec = template
	}
	if _, ok := spec["containers"].([]any); !ok {
		return nil
	}
	return spec
}

// Account returns the account of a pod: name, or default.
func Account(pod map[string]any) string {
	name, _ := pod["serviceAccountName"].(string)
	deprecated, _ := pod["serviceAccount"].(string)
	return cmp.Or(name, deprecated, "default")
}

// Creates reports whether an account is among objects, those without a namespace in any.
func Creates(all []Object, namespace, account string) bool {
	return slices.ContainsFunc(all, func(o Object) bool {
		return o.Kind() == "ServiceAccount" && o.Group() == "" && o.Name() == account && (o.Namespace() == "" || namespace == "" || o.Namespace() == namespace)
	})
}

func lookup(m map[string]any, keys ...string) (map[string]any, bool) {
	for _, key := range keys {
		next, ok := m[key].(map[string]any)
		if !ok {
			return nil, false
		}
		m = next
	}
	return m, true
}
