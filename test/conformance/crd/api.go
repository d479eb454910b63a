package crd

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	labelvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/yaml"
)

// server does with objects of one kind what the API server does when they are created.
type server struct {
	schema    *schema.Structural
	validator validation.SchemaValidator
	rules     *cel.Validator
}

// newServer reads a CRD in YAML. It takes the first version.
func newServer(text []byte) (*server, error) {
	var external apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &external); err != nil {
		return nil, err
	}
	if len(external.Spec.Versions) == 0 || external.Spec.Versions[0].Schema == nil {
		return nil, fmt.Errorf("it has no version with a schema")
	}
	var internal apiextensions.JSONSchemaProps
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		external.Spec.Versions[0].Schema.OpenAPIV3Schema, &internal, nil)
	if err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	return &server{structural, validator, cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}

// answer is what becomes of an object: the paths for which it is refused, and those that are dropped from it.
type answer struct {
	refused, dropped []string
}

// create decides about an object, which it changes as the API server would.
func (s *server) create(object map[string]any) answer {
	delete(object, "status") // a subresource: not for those who create
	options := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	dropped := pruning.PruneWithOptions(object, s.schema, true, options)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.schema)
	defaulting.Default(object, s.schema)
	errors := validation.ValidateCustomResource(nil, object, s.validator)
	errors = append(errors, s.twice(object)...)
	errors = append(errors, s.validate(object)...)
	return answer{pathsOf(errors), sorted(dropped)}
}

// twice finds tokens of one name. The API server gives up at the first item that is no mapping, which it has refused by
// then, and names of several only the second; here such items are skipped, and all are found.
func (s *server) twice(object map[string]any) field.ErrorList {
	spec, _ := object["spec"].(map[string]any)
	tokens, isList := spec["tokens"].([]any)
	if !isList {
		return nil
	}
	var all field.ErrorList
	items := slices.Clone(tokens)
	unique := func(i int) { items[i] = map[string]any{"name": fmt.Sprintf("item %d", i)} }
	for i, item := range items {
		if _, isMapping := item.(map[string]any); !isMapping {
			unique(i)
		}
	}
	for i := range items {
		found := listtype.ValidateListSetsAndMaps(nil, s.schema, map[string]any{"spec": map[string]any{"tokens": items[:i+1]}})
		if len(found) > 0 {
			unique(i)
		}
		all = append(all, found...)
	}
	return all
}

// validate applies the rules in CEL to the parts of the object that have the expected types. The API server skips them if
// another field is missing or has a wrong type; a user who fixes one mistake should see the next.
func (s *server) validate(object map[string]any) field.ErrorList {
	spec := map[string]any{}
	if all, ok := object["spec"].(map[string]any); ok {
		for key, value := range all {
			if _, isText := value.(string); isText && s.schema.Properties["spec"].Properties[key].Type == "string" {
				spec[key] = value
			}
		}
	}
	errors, _ := s.rules.Validate(context.Background(), nil, s.schema, map[string]any{"spec": spec}, nil, celconfig.RuntimeCELCostBudget)
	return errors
}

func pathsOf(errors field.ErrorList) []string {
	var paths []string
	for _, err := range errors {
		paths = append(paths, err.Field)
	}
	return sorted(paths)
}

func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// undecodable are the paths of times that the schema takes and Go's decoder does not, with which controllers read objects.
func undecodable(object map[string]any) []string {
	var paths []string
	spec, _ := object["spec"].(map[string]any)
	tokens, _ := spec["tokens"].([]any)
	for i, token := range tokens {
		fields, _ := token.(map[string]any)
		if !decodable(fields["expires"]) {
			paths = append(paths, fmt.Sprintf("spec.tokens[%d].expires", i))
		}
	}
	return paths
}

// decodable takes what is no text for decodable, but for a list: that is for the schema to say.
func decodable(value any) bool {
	switch value := value.(type) {
	case string:
		_, err := time.Parse(time.RFC3339, value)
		return err == nil
	case []any:
		return false
	}
	return true
}

// The longest value of a label, and an example of what Kubernetes adds to a prefix of which it makes a name.
const (
	longestLabel = labelvalidation.LabelValueMaxLength
	suffix       = "x7z9k"
)

// unstorable are the paths of names that the schema takes, and of which the operator makes names or labels that no Secret
// can have, or looks for a Grafana that cannot be.
func unstorable(object map[string]any) []string {
	var paths []string
	spec, _ := object["spec"].(map[string]any)
	tokens, _ := spec["tokens"].([]any)
	metadata, _ := object["metadata"].(map[string]any)
	instance, _ := spec["instanceName"].(string)
	name, _ := metadata["name"].(string)
	if instance != "" && !isObjectName(instance) {
		paths = append(paths, "spec.instanceName")
	}
	for path, name := range map[string]string{"metadata.name": name, "spec.instanceName": instance} {
		if len(tokens) > 0 && isObjectName(name) && len(name) > longestLabel {
			paths = append(paths, path)
		}
	}
	for i, token := range tokens {
		fields, isMapping := token.(map[string]any)
		secret, isText := fields["secretName"].(string)
		own, _ := fields["name"].(string)
		switch {
		case !isMapping:
		case isText && secret != "":
			if !isObjectName(secret) {
				paths = append(paths, fmt.Sprintf("spec.tokens[%d].secretName", i))
			}
		case fields["secretName"] == nil && instance != "" && name != "" && own != "":
			if !canBePrefix(instance + "-" + name + "-" + own + "-") {
				paths = append(paths, fmt.Sprintf("spec.tokens[%d].name", i))
			}
		}
	}
	return paths
}

func isObjectName(name string) bool {
	return len(apivalidation.NameIsDNSSubdomain(name, false)) == 0
}

// canBePrefix reports whether the API server accepts a Secret whose name it generates from the prefix.
func canBePrefix(prefix string) bool {
	made := prefix[:min(len(prefix), names.MaxGeneratedNameLength)] + suffix
	return len(apivalidation.NameIsDNSSubdomain(prefix, true)) == 0 && isObjectName(made)
}
