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
	controllerVersion = lazyregexp.New(`fluxcd/kustomize-controller:v1\.(\d+)\.\d+`)
	// instanceVersion matches the versions that a FluxInstance can set and of which the smallest is known.
	instanceVersion = lazyregexp.New(`^v?2\.(\d+)(?:\.(?:\d+|x|X|\*))?$`)
)

// readFluxVersions decides whether Flux fails on variables without a value: if every version in the repository is known to do so, and no file has the
// feature gate or another image of the controller. It may fail if the version is unknown, and no older one is in the repository.
func (r *reader) readFluxVersions(objs []*objects.Object) {
	if !r.files.known() || !slices.ContainsFunc(objs, func(o *objects.Object) bool {
		return isKind(o, kustomizeGroup, kindKustomization) && view.Of(o).Get("spec", "postBuild").There()
	}) {
		return
	}
	var all []strictness
	for _, name := range r.files.tree.Names() {
		if path.Base(name) == components {
			data, err := r.files.tree.ReadAtMost(name, maxComponents)
			all = append(all, strictnessOf(componentsVersion().FindSubmatch(data), err == nil))
		}
	}
	for _, o := range objs {
		if isKind(o, instanceGroup, kindFluxInstance) {
			version := view.Of(o).Get("spec", "distribution", "version").String()
			all = append(all, strictnessOf(instanceVersion().FindSubmatch([]byte(version)), true))
		}
	}
	all = append(all, r.controllerStrictness()...)
	r.strict = len(all) > 0 && !slices.ContainsFunc(all, func(s strictness) bool { return s != isStrict })
	r.mayBeStrict = !r.strict && !slices.Contains(all, isLenient)
}

// strictness is whether a version of Flux fails on variables without a value.
type strictness int

const (
	unknownStrictness strictness = iota
	isStrict
	isLenient
)

// strictnessOf reads the minor version that an expression found.
func strictnessOf(found [][]byte, read bool) strictness {
	if found == nil || !read {
		return unknownStrictness
	}
	minor, err := strconv.Atoi(string(found[1]))
	switch {
	case err != nil:
		return unknownStrictness
	case minor >= strictSinceFlux: // kustomize-controller 1.9 is that of Flux 2.9
		return isStrict
	}
	return isLenient
}

// controllerStrictness returns what files show of the controller beside its own manifests: another image, and the feature gate, which can be on or
// off. A file that is too large can have either.
func (r *reader) controllerStrictness() []strictness {
	var all []strictness
	for _, name := range r.files.tree.Names() {
		data, err := r.files.tree.ReadAtMost(name, maxComponents)
		switch {
		case err != nil:
			all = append(all, unknownStrictness)
		case bytes.Contains(data, []byte(strictGate)):
			all = append(all, isLenient)
		case path.Base(name) != components && bytes.Contains(data, []byte("fluxcd/kustomize-controller")):
			all = append(all, strictnessOf(controllerVersion().FindSubmatch(data), true))
		}
	}
	return all
}
