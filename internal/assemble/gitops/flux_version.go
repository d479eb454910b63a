package gitops

import (
	"bytes"
	"path"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	// components is the file that `flux bootstrap` writes, with the version at its top.
	components = "gotk-components.yaml"
	// maxComponents limits the bytes of this file, which has the definitions of all kinds of Flux.
	maxComponents = 8 << 20
	// strictGate is the feature gate of kustomize-controller for variables without a value, on since Flux 2.9 (kustomize-controller 1.9).
	strictGate      = "StrictPostBuildSubstitutions"
	strictSinceFlux = 9
)

var (
	componentsVersion = lazyregexp.New(`(?m)^# Flux Version: v2\.(\d+)\.\d+\s*$`)
	// instanceVersion matches the versions that a FluxInstance can set and of which the smallest is known.
	instanceVersion = lazyregexp.New(`^v?2\.(\d+)(?:\.(?:\d+|x|X|\*))?$`)
)

// readFluxVersions decides whether Flux fails on variables without a value: if every version in the repository is known to do so, and no file has the
// feature gate or another image of the controller.
func (r *reader) readFluxVersions(objs []*objects.Object) {
	if !r.files.known() || !slices.ContainsFunc(objs, func(o *objects.Object) bool {
		return isKind(o, kustomizeGroup, kindKustomization) && view.Of(o).Get("spec", "postBuild").There()
	}) {
		return
	}
	known := 0
	for _, name := range r.files.tree.Names() {
		if path.Base(name) != components {
			continue
		}
		data, err := r.files.tree.ReadAtMost(name, maxComponents)
		if err != nil || !isStrictVersion(componentsVersion().FindSubmatch(data)) {
			return
		}
		known++
	}
	for _, o := range objs {
		if !isKind(o, instanceGroup, kindFluxInstance) {
			continue
		}
		version := view.Of(o).Get("spec", "distribution", "version").String()
		if !isStrictVersion(instanceVersion().FindSubmatch([]byte(version))) {
			return
		}
		known++
	}
	r.strict = known > 0 && !r.changesController()
}

func isStrictVersion(found [][]byte) bool {
	if found == nil {
		return false
	}
	minor, err := strconv.Atoi(string(found[1]))
	return err == nil && minor >= strictSinceFlux
}

// changesController reports whether a file may set the feature gate, or another image of the controller.
func (r *reader) changesController() bool {
	return slices.ContainsFunc(r.files.tree.Names(), func(name string) bool {
		data, err := r.files.tree.ReadAtMost(name, maxComponents)
		image := path.Base(name) != components && bytes.Contains(data, []byte("fluxcd/kustomize-controller"))
		return err != nil || image || bytes.Contains(data, []byte(strictGate))
	})
}
