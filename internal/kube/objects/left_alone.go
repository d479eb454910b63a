package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// plainFields are the fields of kustomizations that change objects in the same way whatever their kind holds below `spec`, or only
// objects of certain kinds.
var plainFields = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "namePrefix", "nameSuffix", "namespace", "commonLabels", "labels",
	"commonAnnotations", "images", "imageTags", "replicas", "generatorOptions", "configMapGenerator", "secretGenerator", "buildMetadata", "sortOptions",
	"patches", "patchesStrategicMerge", "patchesJson6902",
}

// LeavesSpecs reports whether no kustomization of the unit reads or changes what the objects of a kind hold below `spec`, other than for
// the built object of that kind itself. The function returns the content of a file that patches are in; nil if it is not known.
func (u *Unit) LeavesSpecs(kind string, read func(file string) []byte) bool {
	if len(u.Renderings) > 0 {
		return false
	}
	return !slices.ContainsFunc(u.Kustomizations, func(k *Kustomization) bool {
		if slices.ContainsFunc(k.Doc.Root.Fields(), hasOwnRules) {
			return true
		}
		kinds, certain := k.kindsOfPatches(read)
		return !certain || slices.Contains(kinds, kind)
	})
}

// hasOwnRules reports whether a field can read or change any part of an object.
func hasOwnRules(field manifest.Field) bool {
	name := KustomizationField(field.Key.String())
	return !slices.Contains(plainFields, name) || name == "labels" && labelsAddPaths(field.Value)
}
