package olm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// controllerName is operator-controller's name in images, commands and Deployments.
const controllerName = "operator-controller"

// readDeployment reads the image tag and the feature gates of operator-controller's container.
func readDeployment(obj *manifest.Node) []Sign {
	containers := manifest.Path{"spec", "template", "spec", "containers"}
	var signs []Sign
	for i, container := range items(obj.Lookup(containers)) {
		if !isController(obj, container) {
			continue
		}
		path := containers.Join(index(i))
		if sign, ok := readImage(container, path); ok {
			signs = append(signs, sign)
		}
		if sign, ok := readGates(container, path); ok {
			signs = append(signs, sign)
		}
	}
	return signs
}

// isController reports whether a container is operator-controller's. Its image says so; where that is left out, as in a
// patch, or filled in later, the command does, or the name that the container has in a Deployment of that name.
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

// A product's build of the image has the base system at its end, as in ose-olm-operator-controller-rhel9.
var baseSystem = regexp.MustCompile(`-rhel\d+$`)

// isControllerImage looks at the end of the name, for mirrors put whatever they like before it.
func isControllerImage(name string) bool {
	return strings.HasSuffix(baseSystem.ReplaceAllString(name, ""), controllerName)
}

// splitImage takes a reference like registry:5000/team/name:tag@sha256:… apart.
func splitImage(image string) (name, tag string) {
	image, _, _ = strings.Cut(image, "@")
	// A colon before the last slash belongs to the port of the registry.
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		return image[:i], image[i+1:]
	}
	return image, ""
}

var imageVersion = regexp.MustCompile(`^v?(\d{1,4})\.(\d{1,4})(?:[.+_-][0-9A-Za-z._+-]*)?$`)

// readImage reads the release from the image's tag. A digest, or a tag that is no version, says nothing.
func readImage(container *manifest.Node, path manifest.Path) (Sign, bool) {
	_, tag := splitImage(container.Get("image").String())
	m := imageVersion.FindStringSubmatch(tag)
	if m == nil {
		return Sign{}, false
	}
	target, ok := imageTarget(number(m[1]), number(m[2]))
	if !ok {
		return Sign{}, false
	}
	return newSign(ImageSign, path.Join("image"), target, "the image of operator-controller has the tag "+tag), true
}

// imageTarget finds the target of a version in an image tag. Of the releases before v1.0, those from v0.12 on demand an
// account; the ones before do not know the field, and nothing is judged for them.
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

// readGates reads the flag in both of its spellings, as often as it is given.
func readGates(container *manifest.Node, path manifest.Path) (Sign, bool) {
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
		return Sign{}, false
	}
	sign := newSign(GatesSign, where, Target{}, "operator-controller is started with "+gatesFlag+" "+gatesText(gates))
	sign.Gates = gates
	return sign, true
}

// gatesValue is the value of the flag if words[i] is one: behind its equals sign, or in the next word.
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

// parseGates reads Name=true,Other=false into gates, a later word over an earlier one, as the flag itself does
// (k8s.io/component-base/featuregate). What it would not understand is left out.
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
