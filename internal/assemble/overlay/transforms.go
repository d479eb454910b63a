package overlay

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// transformation is how the fields of kustomizations that are not patches can change a field of an object.
type transformation int

const (
	keeps    transformation = iota
	renames                 // a value can become another, such as the name of an object with a prefix
	rewrites                // the field can be added, changed, or removed
)

// transforms returns how the kustomizations that reach an object can change a field of it, except by patches and replacements.
func (t *tracer) transforms(o *objects.Object, path manifest.Path) transformation {
	strongest := keeps
	for _, s := range t.stages {
		if !s.reaches[fileOf(o)] {
			continue
		}
		for _, transform := range s.Transforms {
			strongest = max(strongest, transformationOf(s, transform.Field, o, path))
		}
	}
	return strongest
}

// labelSteps are the steps of the paths to which kustomize adds labels and annotations.
var labelSteps = []string{"labels", "annotations", "matchLabels", "selector", "labelSelector"}

func transformationOf(s stage, field string, o *objects.Object, path manifest.Path) transformation {
	last := path[len(path)-1]
	switch field {
	case "patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "components":
		return keeps
	case "configMapGenerator", "secretGenerator":
		if o.Kind == "ConfigMap" || o.Kind == "Secret" { // it can merge into others
			return rewrites
		}
		return renames
	case "namePrefix", "nameSuffix":
		return renames
	case "namespace":
		return when(last == "namespace", renames)
	case "labels", "commonLabels":
		items := s.Doc.Root.Get("labels")
		own := slices.ContainsFunc(objects.Items(items), func(n *manifest.Node) bool { return n.Get("fields") != nil || n.Get("fieldSpecs") != nil })
		return when(own || items == nil && field == "labels" || containsAny(path, labelSteps), rewrites)
	case "commonAnnotations", "buildMetadata":
		return when(containsAny(path, labelSteps), rewrites)
	case "images", "imageTags":
		return when(last == "image", rewrites)
	case "replicas":
		return when(last == "replicas", rewrites)
	}
	return rewrites // its effect is not guessed
}

func when(is bool, then transformation) transformation {
	if is {
		return then
	}
	return keeps
}

func containsAny(path manifest.Path, steps []string) bool {
	return slices.ContainsFunc(path, func(step string) bool { return slices.Contains(steps, step) })
}
