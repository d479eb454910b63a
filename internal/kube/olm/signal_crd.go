package olm

import (
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

const (
	accountField = "serviceAccount"
	configField  = "config"
	crdSource    = "the ClusterExtension CRD in the repository"
)

// readCRD reads the model from the schema of one version of the ClusterExtension CRD.
func readCRD(obj *manifest.Node) []Signal {
	if obj.Lookup(manifest.Path{"spec", "group"}).String() != APIGroup ||
		obj.Lookup(manifest.Path{"spec", "names", "kind"}).String() != ClusterExtensionKind {
		return nil
	}
	version, name := schemaVersion(obj)
	spec := version.Join("schema", "openAPIV3Schema", "properties", "spec")
	model, path, ok := readSchema(obj, spec)
	if !ok {
		return nil
	}
	target := modelTarget(model)
	target.Source = crdSource
	signal := newSignal(CRDSignal, path, target, "the ClusterExtension CRD (version "+name+") "+schemaPhrases[model])
	signal.FeatureSets = featureSetsOf(obj)
	signal.Config = FieldAbsent
	if obj.Lookup(spec.Join("properties", configField)).IsMapping() {
		signal.Config = FieldPresent
	}
	return []Signal{signal}
}

// FieldState is whether the ClusterExtension CRD has a field.
type FieldState int

// The states. It is unknown without a CRD, or if several of them differ.
const (
	FieldUnknown FieldState = iota
	FieldPresent
	FieldAbsent
)

// ConfigField returns whether the CRD among signals has spec.config.
func ConfigField(signals []Signal) FieldState {
	found := FieldUnknown
	for _, s := range signals {
		switch {
		case s.Config == FieldUnknown || s.Config == found:
		case found == FieldUnknown:
			found = s.Config
		default:
			return FieldUnknown
		}
	}
	return found
}

var schemaPhrases = map[Model]string{
	Required:  "requires serviceAccount",
	Synthetic: "has the optional field serviceAccount and does not describe it as ignored",
	Ignored:   "describes serviceAccount as ignored",
	Removed:   "has no serviceAccount",
}

// schemaVersion finds the version of a CRD to read: v1 if it is served, because manifests use it; otherwise the stored
// version; otherwise the first one served.
func schemaVersion(obj *manifest.Node) (path manifest.Path, name string) {
	best := -1
	for i, version := range items(obj.Lookup(manifest.Path{"spec", "versions"})) {
		if version.Get("served").String() == "false" {
			continue
		}
		rank := 0
		if version.Get("storage").String() == "true" {
			rank = 1
		}
		candidate := version.Get("name").String()
		if candidate == v1 {
			rank = 2
		}
		if rank > best {
			best, name = rank, candidate
			path = manifest.Path{"spec", "versions", index(i)}
		}
	}
	return path, name
}

// readSchema returns the model of the schema of spec. ok is false if the schema does not determine it: it keeps unknown
// fields, or it is a patch without a schema.
func readSchema(obj *manifest.Node, spec manifest.Path) (model Model, where manifest.Path, ok bool) {
	schema := obj.Lookup(spec)
	if properties := schema.Get("properties"); !properties.IsMapping() ||
		schema.Get("x-kubernetes-preserve-unknown-fields").String() == "true" {
		return "", nil, false
	}
	// In v0.15 to v0.17 the field is below spec.install.
	for _, parent := range []manifest.Path{spec, spec.Join("properties", "install")} {
		if i, required := requiredAt(obj.Lookup(parent)); required {
			return Required, parent.Join("required", index(i)), true
		}
		path := parent.Join("properties", accountField)
		if property := obj.Lookup(path); property != nil {
			return optionalModel(property), path, true
		}
	}
	return Removed, spec.Join("properties"), true
}

// requiredAt finds serviceAccount in the list of required properties.
func requiredAt(schema *manifest.Node) (int, bool) {
	for i, name := range items(schema.Get("required")) {
		if name.String() == accountField {
			return i, true
		}
	}
	return 0, false
}

var (
	ignoredWords    = lazyregexp.New(`(?i)\b(ignored|ignores|no longer used|not used|unused|has no effect)\b`)
	notIgnoredWords = lazyregexp.New(`(?i)\b(not|never|n't)\s+ignored?\b`)
	deprecatedWords = lazyregexp.New(`(?im)^\s*deprecated\b`)
)

// optionalModel reports whether an optional field is honored or ignored. A field that is both deprecated and optional
// follows the proposal that ignores it: the proposal that honors it does not deprecate it.
func optionalModel(property *manifest.Node) Model {
	description := strings.TrimSpace(property.Get("description").String())
	ignored := ignoredWords().MatchString(description) && !notIgnoredWords().MatchString(description)
	switch {
	case ignored, deprecatedWords().MatchString(description),
		property.Get("x-kubernetes-deprecated").String() == "true":
		return Ignored
	case description == "" && !requiresName(property):
		// The description was stripped to save space. If the field is honored its name is required, if it is ignored it is
		// not (operator-controller v1.11.0).
		return Ignored
	default:
		return Synthetic
	}
}

func requiresName(property *manifest.Node) bool {
	for _, name := range items(property.Get("required")) {
		if name.String() == "name" {
			return true
		}
	}
	return false
}
