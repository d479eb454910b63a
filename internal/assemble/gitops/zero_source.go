package gitops

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// settingsOf are the settings by which Argo CD recognizes that a source is of a kind. It drops a field in which none of them is set, and then decides by
// the files of the folder.
//
// Source: NormalizeSource in util/argo/argo.go, and the methods IsZero in pkg/apis/application/v1alpha1.
var settingsOf = map[string][]string{
	"kustomize": {
		"namePrefix", "nameSuffix", "version", "namespace", "images", "replicas", "commonLabels", "commonAnnotations", "patches", "components", "kubeVersion",
		"apiVersions", "ignoreMissingComponents",
	},
	"helm": {
		"version", "releaseName", "valueFiles", "parameters", "fileParameters", "values", "valuesObject", "passCredentials", "ignoreMissingValueFiles",
		"skipCrds", "skipTests", "skipSchemaValidation", "kubeVersion", "apiVersions", "namespace",
	},
	"directory": {"recurse", "include", "exclude", "disableExtensionFilter", "jsonnet"},
}

// isSet reports whether a source has a field with settings that Argo CD does not drop.
func isSet(source view.View, field string) bool {
	v := source.Get(field)
	names, has := settingsOf[field]
	if !has {
		return v.There()
	}
	return slices.ContainsFunc(names, func(name string) bool {
		value := v.Get(name).Value
		if name == "jsonnet" {
			settings, _ := value.(map[string]any)
			return !empty(settings["extVars"]) || !empty(settings["tlas"]) || !empty(settings["libs"])
		}
		return name == "valuesObject" && value != nil || !empty(value)
	})
}
