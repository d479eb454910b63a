package olm

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// releaseAddress matches the addresses of one version of operator-controller: the files of a release, files of a tag, and the repository
// with a tag. Manifests of a release with other feature gates (experimental) are left out: the gates can change the model.
var releaseAddress = lazyregexp.New(`(?i)(?:github\.com[/:]operator-framework/operator-controller(?:\.git)?(?:/releases/download/|/raw/|/archive/(?:refs/tags/)?|\S*[?&](?:ref|version)=)` +
	`|raw\.githubusercontent\.com/operator-framework/operator-controller/(?:refs/tags/)?)v(\d{1,4})\.(\d{1,4})\.\d+([^\s/?&"'#]*)\S*`)

// ReadAddress reads the release that a text applies or downloads by its address. Of several, the first counts, and ok is false if they differ.
func ReadAddress(text string) (signal Signal, ok bool) {
	for _, m := range releaseAddress().FindAllStringSubmatch(text, -1) {
		if strings.Contains(strings.ToLower(m[0]), "experimental") {
			return Signal{}, false
		}
		target, known := imageTarget(upstreamImage, number(m[1]), number(m[2]))
		if !known || ok && target.Name != signal.Target.Name {
			return Signal{}, false
		}
		if !ok {
			signal, ok = newSignal(ReleaseSignal, nil, target, fmt.Sprintf("release v%s.%s of operator-controller is applied by its address", m[1], m[2])), true
		}
	}
	return signal, ok
}

// ReadKustomization reads the signals of a kustomization about what it fetches, so that no object shows them: the addresses of releases in
// resources, and tags of operator-controller's image in `images` and patches.
func ReadKustomization(k *manifest.Node) []Signal {
	var signals []Signal
	for _, field := range []string{"resources", "bases", "components"} {
		for i, entry := range items(k.Get(field)) {
			if signal, ok := ReadAddress(entry.String()); ok {
				signal.Path = manifest.Path{field, index(i)}
				signals = append(signals, signal)
			}
		}
	}
	for i, image := range items(k.Get("images")) {
		if signal, ok := readImageEntry(image); ok {
			signal.Path = manifest.Path{"images", index(i), "newTag"}
			signals = append(signals, signal)
		}
	}
	for _, field := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		for i, patch := range items(k.Get(field)) {
			at := manifest.Path{field, index(i)}
			text := patch.String()
			if patch.IsMapping() {
				at, text = at.Join("patch"), patch.Get("patch").String()
			}
			if signal, ok := readImageWords(text); ok {
				signal.Path = at
				signals = append(signals, signal)
			}
		}
	}
	return signals
}

// readApplication reads the release that an Application of Argo CD applies to its own cluster from the repository of operator-controller.
func readApplication(obj *manifest.Node) []Signal {
	to := obj.Lookup(manifest.Path{"spec", "destination"})
	if to.Get("server").String() != ownCluster && to.Get("name").String() != "in-cluster" {
		return nil
	}
	sources := []manifest.Path{{"spec", "source"}}
	for i := range items(obj.Lookup(manifest.Path{"spec", "sources"})) {
		sources = append(sources, manifest.Path{"spec", "sources", index(i)})
	}
	var signals []Signal
	for _, at := range sources {
		source := obj.Lookup(at)
		if signal, ok := ReadAddress(source.Get("repoURL").String() + "?ref=" + source.Get("targetRevision").String()); ok {
			signal.Path = at.Join("targetRevision")
			signals = append(signals, signal)
		}
	}
	return signals
}

// ownCluster is the address by which Argo CD knows the cluster in which it runs.
const ownCluster = "https://kubernetes.default.svc"

// ReadPatch reads the image of operator-controller in a file with a patch, and returns its line.
func ReadPatch(text []byte) (signal Signal, line int, ok bool) {
	for each := range bytes.Lines(text) {
		line++
		if bytes.HasPrefix(bytes.TrimSpace(each), []byte("#")) {
			continue
		}
		if signal, ok = readImageWords(string(each)); ok {
			return signal, line, true
		}
	}
	return signal, 0, false
}

// ReadFlux reads the release that a Kustomization of Flux applies to its own cluster from the repository of operator-controller: the tag of
// its GitRepository. What the Kustomization sets in its turn is in the second result: tags in `images`, and patches.
func ReadFlux(kustomization, source *manifest.Node) (ofSource, own []Signal) {
	spec := kustomization.Get("spec")
	if spec.Get("kubeConfig") != nil || spec.Get("suspend").String() == "true" || strings.Contains(strings.ToLower(spec.Get("path").String()), "experimental") {
		return nil, nil
	}
	ref := source.Lookup(manifest.Path{"spec", "ref"})
	for _, key := range []string{"commit", "name", "semver", "tag"} { // the first one takes precedence
		written := ref.Get(key).String()
		if written == "" {
			continue
		}
		signal, ok := ReadAddress(source.Lookup(manifest.Path{"spec", "url"}).String() + "?ref=" + strings.TrimPrefix(written, "refs/tags/"))
		if !ok || key == "semver" {
			return nil, nil
		}
		signal.Path = manifest.Path{"spec", "ref", key}
		ofSource = append(ofSource, signal)
		break
	}
	if len(ofSource) == 0 {
		return nil, nil
	}
	for _, signal := range ReadKustomization(spec) {
		signal.Path = manifest.Path{"spec"}.Join(signal.Path...)
		own = append(own, signal)
	}
	return ofSource, own
}

// readImageEntry reads an entry of `images`.
func readImageEntry(image *manifest.Node) (Signal, bool) {
	name, tag := image.Get("newName").String(), image.Get("newTag").String()
	if name == "" {
		name = image.Get("name").String()
	}
	if tag == "" || image.Get("digest") != nil || !isControllerImage(image.Get("name").String()) && !isControllerImage(name) {
		return Signal{}, false
	}
	return tagSignal(name, tag)
}

// readImageWords reads the images of operator-controller in the text of a patch.
func readImageWords(text string) (signal Signal, ok bool) {
	for _, word := range strings.Fields(text) {
		name, tag := splitImage(strings.Trim(word, `"',[]{}`))
		if !isControllerImage(name) || path.Base(name) == name {
			continue
		}
		if found, is := tagSignal(name, tag); is {
			return found, true
		}
	}
	return signal, false
}

// tagSignal returns the signal of an image with a tag. ok is false for a tag that is not a version.
func tagSignal(name, tag string) (signal Signal, ok bool) {
	m := imageVersion().FindStringSubmatch(tag)
	if m == nil {
		return Signal{}, false
	}
	target, ok := imageTarget(name, number(m[1]), number(m[2]))
	if !ok {
		return Signal{}, false
	}
	return newSignal(ImageSignal, nil, target, "the image of operator-controller has the tag "+tag), true
}
