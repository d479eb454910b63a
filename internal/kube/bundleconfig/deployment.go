package bundleconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// deploymentProblems returns what the schema of deploymentConfig refuses. It is generated from the type that the configuration is read into
// (v1alpha1.SubscriptionConfig without its selector): fields have their types, those without omitempty are required, null is no value, and
// unknown fields are refused at the top only.
func deploymentProblems(value any) []string {
	var problems []string
	if fields, ok := value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if !deploymentFields[name] {
				problems = append(problems, fmt.Sprintf("unknown field %q", name))
			}
		}
	}
	c := checker{problems: problems}
	c.check(deploymentConfig, value, reflect.TypeFor[v1alpha1.SubscriptionConfig]())
	if len(c.problems) > 0 || c.templated {
		return c.problems
	}
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &v1alpha1.SubscriptionConfig{})
	}
	if err != nil {
		return []string{"invalid deploymentConfig: " + err.Error()}
	}
	return nil
}

// deploymentFields are the fields of deploymentConfig.
var deploymentFields = map[string]bool{
	"affinity": true, "annotations": true, "env": true, "envFrom": true, "nodeSelector": true, "resources": true, "tolerations": true,
	"volumeMounts": true, "volumes": true,
}

// checker compares a value with a type.
type checker struct {
	problems []string
	// templated is set if a placeholder stands for a value that is not a string.
	templated bool
}

var (
	quantityType = reflect.TypeFor[resource.Quantity]()
	timeType     = reflect.TypeFor[metav1.Time]()
	rawType      = reflect.TypeFor[metav1.FieldsV1]()
)

func (c *checker) check(path string, value any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	want := wanted(t)
	switch got := jsonType(value); {
	case value == nil:
		c.add("required field %q is missing", path)
		return
	case templated(value) && want != "string":
		c.templated = true
		return
	case t == quantityType && (got == "integer" || got == "number" || got == "string"), want == "number" && got == "integer":
		return
	case got != want:
		c.add("invalid type for field %q: got %s, want %s", path, got, want)
		return
	}
	switch {
	case t == timeType || t == rawType || t == quantityType:
	case t.Kind() == reflect.Struct:
		c.checkStruct(path, value.(map[string]any), t)
	case t.Kind() == reflect.Map:
		fields := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			c.check(path+"."+name, fields[name], t.Elem())
		}
	case t.Kind() == reflect.Slice && want == "array":
		for i, item := range value.([]any) {
			c.check(fmt.Sprintf("%s.%d", path, i), item, t.Elem())
		}
	}
}

func (c *checker) checkStruct(path string, fields map[string]any, t reflect.Type) {
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" { // inline
			c.checkStruct(path, fields, t.Field(i).Type)
			continue
		}
		value, there := fields[name]
		switch {
		case there:
			c.check(path+"."+name, value, t.Field(i).Type)
		case isRequired(t, t.Field(i), name, options):
			c.add("required field %q is missing", path+"."+name)
		}
	}
}

// required are fields that are required although they can be omitted, or the other way round: the schema follows the comments of the types.
var required = map[string]bool{"ProjectedVolumeSource.sources": false, "PodCertificateProjection.signerName": true, "PodCertificateProjection.keyType": true}

// isRequired reports whether the schema requires a field of a type of Kubernetes.
func isRequired(t reflect.Type, field reflect.StructField, name, options string) bool {
	if exception, there := required[t.Name()+"."+name]; there {
		return exception
	}
	return field.Type.Kind() != reflect.Pointer && !strings.Contains(options, "omit")
}

func (c *checker) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// wanted returns the type in JSON of a Go type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string"
		}
		return "array"
	}
	if t == timeType {
		return "string"
	}
	return "object"
}

// jsonType returns the type of a value in JSON.
func jsonType(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v != math.Trunc(v) {
			return "number"
		}
	}
	return "integer"
}

// kindOf describes a value in a sentence.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		if value == "" {
			return "empty"
		}
		return "a string"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	return "a number"
}
