package pods

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// podOf finds the pod that a request points into, and refuses an object that no file holds. Fits reports whether a path
// inside the pod is one that the fixer handles.
func podOf(c *engine.Context, r engine.Request, fits func(manifest.Path) bool) (objects.PodSpec, error) {
	for _, pod := range objects.PodSpecs(r.Object, c.Policy.PodSpecs...) {
		n := len(pod.Path)
		if len(r.Path) <= n || !slices.Equal(r.Path[:n], pod.Path) || !fits(r.Path[n:]) {
			continue
		}
		if err := c.CheckApplied(r.Object, "change it by hand"); err != nil {
			return pod, err
		}
		return pod, engine.CheckInFile(r.Object)
	}
	return objects.PodSpec{}, engine.Refuse("%s of %s is not such a field of a pod", r.Path, engine.NameOf(r.Object))
}
