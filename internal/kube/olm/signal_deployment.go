package olm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// controllerName is operator-controller's name in images, commands, and Deployments.
const controllerName = "operator-controller"

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
	return strings.Contains(deployment, controllerName) && container.Get("name").String() == "manager"
}

// A vendor's build of the image has the base system at its end, as in ose-olm-operator-controller-rhel9.
var baseSystem = regexp.MustCompile(`-rhel\d+$`)

// isControllerImage checks the end of the name, because mirrors use any prefix.
func isControllerImage(name string) bool {
	return strings.HasSuffix(baseSystem.ReplaceAllString(name, ""), controllerName)
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

var imageVersion = regexp.MustCompile(`^v?(\d{1,4})\.(\d{1,4})(?:[.+_-][0-9A-Za-z._+-]*)?$`)

// readImage reads the release from the image's tag. ok is false for a digest, or a tag that is not a version.
func readImage(container *manifest.Node, path manifest.Path) (Signal, bool) {
	_, tag := splitImage(container.Get("image").String())
	m := imageVersion.FindStringSubmatch(tag)
	if m == nil {
		return Signal{}, false
	}
	target, ok := imageTarget(number(m[1]), number(m[2]))
	if !ok {
		return Signal{}, false
	}
	return newSignal(ImageSignal, path.Join("image"), target, "the image of operator-controller has the tag "+tag), true
}

// imageTarget returns the target of a version in an image tag. Of the releases before v1.0, those from v0.12 on require an
// account; earlier ones do not have the field, and ok is false for them.
func imageTarget(major, minor int) (Target, bool) {
	if major == 0 {
		target := modelTarget(Required)
		target.Source = fmt.Sprintf("operator-controller v0.%d, api/v1alpha1/clusterextension_types.go", minor)
		target.Placeholder = false
		return target, minor >= 12
	}
	target, err := ParseTarget(numberedRelease(major, minor).name())
	return target, err == nil
}

const gatesFlag = "--feature-gates"

// readGates reads the flag in both of its spellings, and all its occurrences.
func readGates(container *manifest.Node, path manifest.Path) (Signal, bool) {
	gates := map[string]bool{}
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
			parseGates(value, gates)
		}
	}
	if len(gates) == 0 {
		return Signal{}, false
	}
	signal := newSignal(GatesSignal, where, Target{}, "operator-controller is started with "+gatesFlag+" "+gatesText(gates))
	signal.Gates = gates
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

var gateName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,99}$`)

// parseGates reads Name=true,Other=false into gates; a later entry replaces an earlier one, as for the flag itself
// (k8s.io/component-base/featuregate). Invalid entries are left out.
func parseGates(value string, gates map[string]bool) {
	for pair := range strings.SplitSeq(value, ",") {
		name, text, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		on, err := strconv.ParseBool(strings.TrimSpace(text))
		if ok && err == nil && gateName.MatchString(name) {
			gates[name] = on
		}
	}
}

func gatesText(gates map[string]bool) string {
	var words []string
	for name, on := range gates {
		words = append(words, fmt.Sprintf("%s=%t", name, on))
	}
	slices.Sort(words)
	return strings.Join(words, ",")
}
