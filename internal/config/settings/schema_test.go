package settings

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", text); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// follow resolves references and enters the elements of lists and open mappings, up to the keys.
func follow(s *jsonschema.Schema) *jsonschema.Schema {
	for {
		items, _ := s.Items.(*jsonschema.Schema)
		values, _ := s.AdditionalProperties.(*jsonschema.Schema)
		switch {
		case s.Ref != nil:
			s = s.Ref
		case items != nil:
			s = items
		case len(s.Properties) == 0 && values != nil:
			s = values
		default:
			return s
		}
	}
}

// element returns the element type of a list or mapping.
func element(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
		of = of.Elem()
	}
	return of
}

// The struct and the schema have the same keys at every level.
func TestSchemaHasTheKeysOfConfig(t *testing.T) {
	t.Parallel()
	var compareKeys func(where string, of reflect.Type, s *jsonschema.Schema)
	compareKeys = func(where string, of reflect.Type, s *jsonschema.Schema) {
		s, of = follow(s), element(of)
		if of.Kind() != reflect.Struct || len(s.Properties) == 0 {
			return
		}
		var inStruct, inSchema []string
		for i := range of.NumField() {
			key := of.Field(i).Tag.Get("json")
			if key == "" || key == "-" {
				continue
			}
			inStruct = append(inStruct, key)
			if property := s.Properties[key]; property != nil {
				compareKeys(where+"."+key, of.Field(i).Type, property)
			}
		}
		for key := range s.Properties {
			inSchema = append(inSchema, key)
		}
		slices.Sort(inStruct)
		slices.Sort(inSchema)
		if diff := cmp.Diff(inStruct, inSchema); diff != "" {
			t.Errorf("%s (-struct +schema)\n%s", where, diff)
		}
	}
	compareKeys("config", reflect.TypeOf(Config{}), compileSchema(t))
}

// validate validates a text against the schema.
func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	file := manifest.Scan(FileName, []byte(text))
	if len(file.Docs) != 1 || file.Docs[0].Parse() != nil {
		t.Fatalf("cannot be read:\n%s", text)
	}
	// Editors read `off` as a string. Manifests are decoded as kubectl does, which reads it as a boolean.
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// uncommented returns the template with all of its settings uncommented.
func uncommented() string {
	setting := regexp.MustCompile(`(?m)^# ( *(?:- )?[{a-z][\w/*-]*:(?: .*)?|  - \{.*)$`)
	return setting.ReplaceAllString(Template(), "$1")
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	s := compileSchema(t)
	if err := validate(t, s, Template()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(Default(), mustLoad(t, Template()), compare); diff != "" {
		t.Errorf("the template changes something:\n%s", diff)
	}
	full := uncommented()
	if err := validate(t, s, full); err != nil {
		t.Errorf("%v\n%s", err, full)
	}
	c := mustLoad(t, full)
	c.Tokens.AudienceGiven = false // the template shows the key
	for i, v := range reflect.Indirect(reflect.ValueOf(c)).Fields() {
		if i.Tag.Get("json") != "" && v.IsZero() {
			t.Errorf("the template does not show %s", i.Name)
		}
	}
	if c.Limits != Default().Limits || c.Tokens != Default().Tokens || c.Grafana != Default().Grafana || c.Grant != Default().Grant {
		t.Error("the defaults in the template are wrong")
	}
}

// Schema and decoder agree on what is invalid.
func TestSchemaAgreesWithDecoder(t *testing.T) {
	t.Parallel()
	s := compileSchema(t)
	for text, valid := range map[string]bool{
		"target: auto": true, "target: ''": false, "target: [a]": false, "targt: a": false,
		"failOn: never": true, "failOn: off": false, "grant: role=a": true, "grant: role=": false, "grant: carryover": false,
		"exclude: [a]": true, "exclude: a": false, "exclude: ['']": false, "exclude: ['/']": false, "exclude: [a/]": true,
		"rules: {a/b: off}": true, "rules: {a/b: never}": false, "rules: []": false,
		"overrides: [{paths: [a]}]": true, "overrides: [{target: a}]": false, "overrides: [{paths: [a], x: 1}]": false,
		"bundles: {a: b}": true, "bundles: {a: ''}": false, "bundles: {a: [b]}": false,
		"helm: {a: {values: [a, [b, c]], kubeVersion: 1.30}}": true, "helm: {a: {values: a}}": false, "helm: {a: {value: []}}": false,
		"embedded: [{kind: a, path: b}]": true, "embedded: [{kind: a}]": false,
		"podSpecs: [{kind: a, path: b}]": true, "podSpecs: [{kind: a}]": false, "podSpecs: [{kind: a, path: b, c: d}]": false,
		"tokens: {expirationSeconds: 600}": true, "tokens: {expirationSeconds: 599}": false, "tokens: {audience: ''}": true,
		"grafana: {tokenLifetime: 1w2d3h4m5s6ms}": true, "grafana: {tokenLifetime: 90}": false, "grafana: {tokenLifetime: 90 d}": false,
		"limits: {fileSize: 32MiB}": true, "limits: {fileSize: 100}": true, "limits: {fileSize: 1 GB}": true, "limits: {fileSize: 1 TB}": false,
		"limits: {fileSize: 0}": false, "limits: {policyTime: 5}": false, "policies: [a]": true, "policies: a": false,
		"cache: .cache/a": true, "cache: ''": false, "cache: [a]": false,
	} {
		_, err := load(t, text)
		if bySchema := validate(t, s, text); (err == nil) != valid || (bySchema == nil) != valid {
			t.Errorf("%s: the decoder says %v, the schema says %v", text, err, bySchema)
		}
	}
}
