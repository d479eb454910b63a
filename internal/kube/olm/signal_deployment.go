package olm

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// controllerName is operator-controller's name in images, commands, and Deployments. Mirrors keep it as the last component of
// the path.
const controllerName = "operator-controller"

// upstreamImage is the image that operator-controller publishes.
const upstreamImage = "quay.io/operator-framework/" + controllerName

// openshiftImages are the names of the image in releases of OpenShift, without registry and base system: in the payload, in
// the builds of the community, and in the product. Source: manifests/image-references of openshift/cluster-olm-operator.
var openshiftImages = []string{"olm-operator-controller", "origin-olm-operator-controller", "ose-olm-operator-controller"}

// controllerDeployments are the names of operator-controller's Deployment.
var controllerDeployments = []string{"operator-controller-controller-manager", controllerName}

// readDeployment reads the image tag and the feature gates of operator-controller's container.
func readDeployment(obj *manifest.Node) []Signal {
	containers := manifest.Path{"spec", "template", "spec", "containers"}
	var signals []Signal
	for i, container := range items(obj.Lookup(containers)) {
		if !isController(obj, container) {
			continue
		}
		path := containers.Join(index(i))
		if signal, ok := readImage(container, path); ok {
			signals = append(signals, signal)
		}
		if signal, ok := readGates(container, path); ok {
			signals = append(signals, signal)
		}
	}
	return signals
}

// ControllerAccount returns the name of the account as which a Deployment of operator-controller runs; "" if the object is none, or names none.
func ControllerAccount(deployment *manifest.Node) string {
	pod := deployment.Lookup(manifest.Path{"spec", "template", "spec"})
	for _, container := range items(pod.Get("containers")) {
		if isController(deployment, container) {
			return pod.Get("serviceAccountName").String()
		}
	}
	return ""
}

// isController reports whether a container is operator-controller's, by its image. If the image is missing, as in a patch,
// or a placeholder, the command decides, or the name of the container in a Deployment of that name.
func isController(obj, container *manifest.Node) bool {
	image := container.Get("image")
	if name, _ := splitImage(image.String()); isControllerImage(name) {
		return true
	}
	if image != nil && !isTemplateNode(image) {
		return false
	}
	for _, word := range items(container.Get("command")) {
		if strings.HasSuffix(word.String(), "/"+controllerName) {
			return true
		}
	}
	deployment := obj.Lookup(manifest.Path{"metadata", "name"}).String()
	return slices.Contains(controllerDeployments, deployment) && container.Get("name").String() == "manager"
}

// A vendor's build of the image has the base system at its end, as in ose-olm-operator-controller-rhel9.
var baseSystem = lazyregexp.New(`-rhel\d+$`)

// isControllerImage reports whether an image without its tag is operator-controller's. Other operators have controllers, too, so
// only the known names count.
func isControllerImage(name string) bool {
	last := path.Base(name)
	return last == controllerName || isOpenShiftImage(last)
}

func isOpenShiftImage(last string) bool {
	return slices.Contains(openshiftImages, baseSystem().ReplaceAllString(last, ""))
}

// splitImage splits a reference like registry:5000/team/name:tag@sha256:….
func splitImage(image string) (name, tag string) {
	image, _, _ = strings.Cut(image, "@")
	// A colon before the last slash belongs to the port of the registry.
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		return image[:i], image[i+1:]
	}
	return image, ""
}

var imageVersion = lazyregexp.New(`^v?(\d{1,4})\.(\d{1,4})(?:[.+_-][0-9A-Za-z._+-]*)?$`)

// readImage reads the release from the image's tag. ok is false for a digest, or a tag that is not a version.
func readImage(container *manifest.Node, at manifest.Path) (Signal, bool) {
	name, tag := splitImage(container.Get("image").String())
	signal, ok := tagSignal(name, tag)
	signal.Path = at.Join("image")
	return signal, ok
}

// imageTarget returns the target of a version in an image tag. Of the releases before v1.0, those from v0.12 on require an
// account; earlier ones do not have the field, and ok is false for them. The numbers of OpenShift and of operator-controller
// differ, so a name that belongs to one of them admits only its numbers.
func imageTarget(name string, major, minor int) (target Target, ok bool) {
	r := numberedRelease(major, minor)
	switch {
	case isOpenShiftImage(path.Base(name)) && r.family != openshift, name == upstreamImage && r.family != upstream:
		return Target{}, false
	case major == 0:
		target = modelTarget(Required)
		target.Source = fmt.Sprintf("operator-controller v0.%d, api/v1alpha1/clusterextension_types.go", minor)
		target.Placeholder = false
		return target, minor >= 12
	}
	return signalTarget(r)
}

// signalTarget returns the target of a release in a manifest. ok is false for a major version that the table does not contain:
// such a number can be a date or a build, and nothing is known about a release of that name.
func signalTarget(r release) (target Target, ok bool) {
	known := slices.ContainsFunc(table, func(t Target) bool {
		row, named := parseRelease(t.Name)
		return named && row.family == r.family && row.major == r.major
	})
	if !known {
		return Target{}, false
	}
	target, err := ParseTarget(r.name())
	return target, err == nil
}

const gatesFlag = "--feature-gates"

// readGates reads the flag in both of its spellings, and all its occurrences, with the other flags that decide whether the container starts.
func readGates(container *manifest.Node, path manifest.Path) (Signal, bool) {
	start := Start{Gates: map[string]bool{}}
	var where manifest.Path
	for _, key := range []string{"command", "args"} {
		words := items(container.Get(key))
		for i, word := range words {
			value, ok := gatesValue(words, i, word.String())
			if !ok {
				continue
			}
			if where == nil {
				where = path.Join(key, index(i))
			}
			start.Invalid = append(start.Invalid, parseGates(value, start.Gates)...)
		}
	}
	readStart(container, &start)
	if len(start.Gates)+len(start.Invalid)+len(start.Flags) == 0 {
		return Signal{}, false
	}
	description := "operator-controller is started with flags"
	if where != nil {
		description = "operator-controller is started with " + gatesFlag + " " + gatesText(start.Gates, start.Invalid)
	} else {
		where = path.Join("args")
	}
	signal := newSignal(GatesSignal, where, Target{}, description)
	signal.Gates, signal.Start = start.Gates, start
	return signal, true
}

// gatesValue is the value of the flag if words[i] is the flag: after its equals sign, or in the next word.
func gatesValue(words []*manifest.Node, i int, word string) (string, bool) {
	if value, ok := strings.CutPrefix(word, gatesFlag+"="); ok {
		return value, true
	}
	if word == gatesFlag && i+1 < len(words) {
		return words[i+1].String(), true
	}
	return "", false
}

var gateName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9]{0,99}$`)

// parseGates reads Name=true,Other=false into gates; a later entry replaces an earlier one, as for the flag itself
// (k8s.io/component-base/featuregate). It returns the entries that the flag rejects, except those that are substituted later.
func parseGates(value string, gates map[string]bool) (invalid []string) {
	for pair := range strings.SplitSeq(value, ",") {
		name, text, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		on, err := strconv.ParseBool(strings.TrimSpace(text))
		switch {
		case ok && err == nil && gateName().MatchString(name):
			gates[name] = on
		case pair == "", isTemplate(value): // a placeholder can contain a comma
		default:
			invalid = append(invalid, pair)
		}
	}
	return invalid
}

func gatesText(gates map[string]bool, others []string) string {
	words := slices.Clone(others)
	for name, on := range gates {
		words = append(words, fmt.Sprintf("%s=%t", name, on))
	}
	slices.Sort(words)
	return strings.Join(words, ",")
}
