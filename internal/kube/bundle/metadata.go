package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/rendered"
)

// propertiesAnnotation is the annotation of a ClusterServiceVersion with properties; operator-controller adds those of the
// metadata, and sets it with the other annotations on the operator's pods.
const propertiesAnnotation = "olm.properties"

// property is a property of a bundle, or a dependency: a type, and a value whose form depends on the type.
type property struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// metadata reads the existing files below metadata/. operator-controller requires annotations.yaml; here the package can be
// set by other means.
func (r *reader) metadata(dir string, b *Bundle) error {
	var annotations struct {
		Annotations struct {
			Package string `json:"operators.operatorframework.io.bundle.package.v1"`
		} `json:"annotations"`
	}
	if _, err := r.yaml(path.Join(dir, annotationsFile), &annotations); err != nil {
		return err
	}
	b.Package = annotations.Annotations.Package

	var properties struct {
		Properties []property `json:"properties"`
	}
	found, err := r.yaml(path.Join(dir, propertiesFile), &properties)
	if err != nil {
		return err
	}
	all, err := b.addProperties(properties.Properties, found)
	if err != nil {
		return err
	}
	listed, dependencies, err := r.catalogMetadata(path.Join(dir, metadataDir), b)
	if err != nil {
		return err
	}
	b.requires = required(append(all, listed...), dependencies, b)
	return nil
}

// catalogMetadata returns the properties and the dependencies that a catalog lists: each is in the first file of metadata/ that has some,
// whatever its name. Files that do not decode are passed over, and noted.
//
// Source: operator-registry v1.73.0, pkg/registry/parse.go (addMetadata) and decode.go.
func (r *reader) catalogMetadata(dir string, b *Bundle) (properties, dependencies []property, err error) {
	entries, err := fs.ReadDir(r.fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if !entry.Type().IsRegular() {
			continue
		}
		data, unread := r.file(name, entry)
		if unread != nil {
			b.Notes = append(b.Notes, unread.Error()+", so opm passes over it")
			continue
		}
		var listing struct{ Properties []property }
		var needing struct{ Dependencies []property }
		err, other := decodeFirst(data, &listing), decodeFirst(data, &needing)
		if err != nil && other != nil {
			b.Notes = append(b.Notes, fmt.Sprintf("%s does not decode, so opm passes over it, and dependencies in it do not count: %s", name, clip(err.Error())))
			continue
		}
		if err == nil && len(properties) == 0 {
			properties = listing.Properties
		}
		if other == nil && len(dependencies) == 0 {
			dependencies = needing.Dependencies
		}
	}
	return properties, dependencies, nil
}

// decodeFirst decodes the first document of a file; an empty file has none.
func decodeFirst(data []byte, into any) error {
	err := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), len("---\n")).Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// yaml decodes a file; it returns false if the file is missing or empty.
func (r *reader) yaml(name string, into any) (bool, error) {
	data, err := r.optional(name)
	if err != nil || len(data) == 0 {
		return false, err
	}
	at := rendered.Origin{File: name, Line: 1}
	if _, err := toJSON(data); err != nil {
		return false, syntaxError(data, at, err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		return false, errorAt(at, "%s", clip(err.Error()))
	}
	return true, nil
}

// addProperties appends properties to those in the annotation of the ClusterServiceVersion, and returns all of them. Like
// operator-controller it rewrites the annotation even if a file of properties adds none.
func (b *Bundle) addProperties(more []property, found bool) ([]property, error) {
	var all []property
	if own, ok := b.CSV.Annotations[propertiesAnnotation]; ok {
		if err := json.Unmarshal([]byte(own), &all); err != nil {
			return nil, errorAt(b.Origin, "failed to unmarshal csv.metadata.annotations['olm.properties']: %s", clip(err.Error()))
		}
	}
	if !found {
		return all, nil
	}
	all = append(all, more...)
	text, err := json.Marshal(all)
	if err != nil {
		return nil, errorAt(b.Origin, "failed to marshal registry+v1 properties to json: %s", clip(err.Error()))
	}
	if b.CSV.Annotations == nil {
		b.CSV.Annotations = map[string]string{}
	}
	b.CSV.Annotations[propertiesAnnotation] = string(text)
	return all, nil
}

// Types of the properties that make a bundle depend on others.
const (
	requiresPackage    = "olm.package.required"
	requiresGVK        = "olm.gvk.required"
	requiresConstraint = "olm.constraint"
)

// required returns the types of the dependencies that a catalog would list for the bundle: those of its metadata, and the
// APIs that its ClusterServiceVersion requires.
//
// Source: operator-registry, pkg/registry (ObjectsAndPropertiesFromBundle).
func required(properties, dependencies []property, b *Bundle) []string {
	var types []string
	for _, p := range properties {
		if p.Type == requiresPackage || p.Type == requiresGVK || p.Type == requiresConstraint {
			types = append(types, p.Type)
		}
	}
	for _, d := range dependencies {
		switch d.Type {
		case "olm.package":
			types = append(types, requiresPackage)
		case "olm.gvk":
			types = append(types, requiresGVK)
		case requiresPackage, requiresGVK, requiresConstraint:
			types = append(types, d.Type)
		}
	}
	if spec := b.CSV.Spec; len(spec.CustomResourceDefinitions.Required) > 0 || len(spec.APIServiceDefinitions.Required) > 0 {
		types = append(types, requiresGVK)
	}
	slices.Sort(types)
	return slices.Compact(types)
}
