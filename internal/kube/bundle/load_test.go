package bundle_test

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/bundle"
)

// TestLoadErrors checks that errors have a position, and that nothing is left out without a message.
func TestLoadErrors(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":                          {map[string]string{"readme.md": "hello"}, ".: no bundle here: neither a folder manifests/ nor an olm.bundle of a file-based catalog"},
		"no CSV":                           {map[string]string{"manifests/a.yaml": definition}, `manifests: no ClusterServiceVersion found in "manifests"`},
		"two CSVs":                         {map[string]string{"manifests/a.yaml": "# first\n" + operator(), "manifests/b.yaml": definition + "---\n" + operator()}, "manifests: two ClusterServiceVersions, at manifests/a.yaml:2 and manifests/b.yaml:6; a bundle has exactly one"},
		"bad YAML":                         {map[string]string{"manifests/a.yaml": "kind: Secret\n---\n\nkind: x\n  bad: [\n"}, "manifests/a.yaml:5:"},
		"bad JSON":                         {map[string]string{"manifests/a.json": "{\"kind\": \"A\"}\n{\"kind\": \"B\"}\n{\"kind\" \"B\"}"}, "manifests/a.json:2: invalid character"},
		"binary":                           {map[string]string{"manifests/a.yaml": "\x7fELF\x00\x01"}, "manifests/a.yaml: a binary file; a bundle contains only YAML and JSON"},
		"not an object":                    {map[string]string{"manifests/a.yaml": "\n\n- a\n"}, "manifests/a.yaml:3: not a Kubernetes object: apiVersion and kind are missing"},
		"no kind":                          {map[string]string{"manifests/a.yaml": "apiVersion: v1"}, "manifests/a.yaml:1: Object 'Kind' is missing; a bundle contains only Kubernetes objects"},
		"a number for a name":              {map[string]string{"manifests/a.yaml": "{apiVersion: v1, kind: Secret, metadata: {name: 5}}"}, "manifests/a.yaml:1: apiVersion, kind, or metadata are not valid: "},
		"an invalid CSV":                   {map[string]string{"manifests/a.yaml": operator("install: {spec: {permissions: all}}")}, "manifests/a.yaml:1: not a valid ClusterServiceVersion: "},
		"an invalid definition":            {map[string]string{"manifests/a.yaml": operator(), "manifests/b.yaml": strings.Replace(definition, "[]", "{}", 1)}, "manifests/b.yaml:1: not a valid CustomResourceDefinition: "},
		"an invalid list":                  {map[string]string{"manifests/a.yaml": "{apiVersion: v1, kind: List, items: 3}"}, "manifests/a.yaml:1: items of a list must be a list"},
		"an item without a type":           {map[string]string{"manifests/a.yaml": "{kind: List, items: [{metadata: {name: x}}]}"}, "manifests/a.yaml:1: Object 'apiVersion' is missing in an item of a list"},
		"content on a marker":              {map[string]string{"manifests/a.yaml": "kind: A\n--- {kind: B}\n"}, "manifests/a.yaml:2: invalid Yaml document separator: {kind: B}; content begins on the line after ---"},
		"a document that would be ignored": {map[string]string{"manifests/a.yaml": "{apiVersion: v1, kind: ConfigMap}\n{apiVersion: v1, kind: Secret}\n"}, "manifests/a.yaml:"},
		"after an end marker":              {map[string]string{"manifests/a.yaml": "apiVersion: v1\nkind: ConfigMap\n...\napiVersion: v1\nkind: Secret\n"}, "manifests/a.yaml:"},
		"bad properties":                   {map[string]string{"manifests/a.yaml": operator(), "metadata/properties.yaml": "properties: 5"}, "metadata/properties.yaml:1: "},
		"bad annotations":                  {map[string]string{"manifests/a.yaml": operator(), "metadata/annotations.yaml": "annotations: ["}, "metadata/annotations.yaml:1:"},
		"properties in the CSV":            {map[string]string{"manifests/a.yaml": strings.Replace(operator(), "metadata:\n", "metadata:\n  annotations: {olm.properties: '{'}\n", 1)}, "manifests/a.yaml:1: failed to unmarshal csv.metadata.annotations['olm.properties']: "},
		"lists in lists in list":           {map[string]string{"manifests/a.yaml": strings.Repeat("{apiVersion: v1, kind: List, items: [", 12) + strings.Repeat("]}", 12)}, "manifests/a.yaml:1: lists nested more than 8 deep"},
		"nested":                           {map[string]string{"manifests/a.yaml": "{apiVersion: v1, kind: A, x: " + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}"}, "manifests/a.yaml:1: nested 60"},
		"aliases":                          {map[string]string{"manifests/a.yaml": "x: &x " + strings.Repeat("a", 100_000) + "\ny: [" + strings.Repeat("*x, ", 1000) + "]\nkind: A\n"}, "manifests/a.yaml:1: aliases expand this to more than 64 MiB; write out the values"},
		"laughs":                           {map[string]string{"manifests/a.yaml": laughs()}, "manifests/a.yaml:"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := bundle.Load(tree(test.files), ".")
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("want %s…\n got %v", test.want, err)
			}
		})
	}
}

// laughs returns a document whose aliases expand to ten to the ninth nodes.
func laughs() string {
	var b strings.Builder
	b.WriteString("kind: A\na0: &a0 [x]\n")
	for i := range 9 {
		n := string(rune('0' + i))
		b.WriteString("a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+n+", ", 10) + "]\n")
	}
	return b.String()
}

func TestSpecialFiles(t *testing.T) {
	files := tree(map[string]string{"manifests/a.yaml": operator()})
	files["manifests/b.yaml"] = &fstest.MapFile{Data: []byte("a.yaml"), Mode: fs.ModeSymlink}
	_, err := bundle.Load(files, ".")
	if want := "manifests/b.yaml: not a regular file (a symbolic link)"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("want %s, got %v", want, err)
	}
	files["manifests/b.yaml"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	if _, err := bundle.Load(files, "."); err == nil || !strings.Contains(err.Error(), "a special file") {
		t.Errorf("a pipe is %v", err)
	}
	files["manifests/b.yaml"] = &fstest.MapFile{Data: bytes.Repeat([]byte("#\n"), 17<<20)}
	if _, err := bundle.Load(files, "."); err == nil || !strings.Contains(err.Error(), "larger than the limit of 32 MiB") {
		t.Errorf("a large file is %v", err)
	}
}

// catalog is an entry of a file-based catalog with the given properties.
func catalog(name string, properties ...string) string {
	return "---\nschema: olm.bundle\nname: " + name + "\npackage: shop\nimage: registry.example.com/shop\nproperties:\n" + strings.Join(properties, "\n") + "\n"
}

func objectProperty(manifest string) string {
	return "  - type: olm.bundle.object\n    value: {data: " + base64.StdEncoding.EncodeToString([]byte(manifest)) + "}"
}

const jsonOperator = `{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion", "metadata": {"name": "shop.v1.2.0"},
 "spec": {"version": "1.2.0", "installModes": [{"type": "AllNamespaces", "supported": true}], "install": {"strategy": "deployment", "spec":
 {"clusterPermissions": [{"serviceAccountName": "till", "rules": []}]}}}}`

func TestCatalog(t *testing.T) {
	files := filestest.Tree{"shop/catalog.yaml": "schema: olm.package\nname: shop\n" + catalog("shop.v1.2.0",
		"  - {type: olm.package, value: {packageName: shop, version: 1.2.0}}", objectProperty(jsonOperator), objectProperty(`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}}`))}.FS()
	for _, dir := range []string{"shop", ".", "shop/catalog.yaml"} {
		b, err := bundle.Load(files, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"shop", "shop.v1.2.0", "1.2.0"}, []string{b.Package, b.Name, b.Version}); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		objects, err := b.Render(bundle.Options{Namespace: "market"})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, o := range objects {
			kinds = append(kinds, o.Kind())
			if o.Origin.File != "shop/catalog.yaml" || o.Origin.Line != 4 {
				t.Errorf("%s is from %v", o.Kind(), o.Origin)
			}
		}
		if diff := cmp.Diff([]string{"ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Secret"}, kinds); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestCatalogErrors(t *testing.T) {
	tests := map[string]struct{ data, want string }{
		"a summary":     {catalog("a.v1", "  - {type: olm.csv.metadata, value: {}}"), "c.yaml:2: the permissions of a.v1 are not readable here: the catalog has only its metadata (olm.csv.metadata), without permissions, deployments, and webhooks"},
		"an image":      {catalog("a.v1", "  - {type: olm.gvk, value: {}}"), "c.yaml:2: the permissions of a.v1 are not readable here: the catalog has no manifests of it"},
		"two":           {catalog("a.v1") + catalog("a.v2"), ".: 2 bundles in this catalog (a.v1, a.v2 …); pass a folder or file with one"},
		"not base64":    {catalog("a.v1", "  - {type: olm.bundle.object, value: {data: '%'}}"), "c.yaml:2: properties[0] (olm.bundle.object): illegal base64"},
		"no data":       {catalog("a.v1", "  - {type: olm.bundle.object, value: {ref: objects/a.yaml}}"), "c.yaml:2: properties[0] (olm.bundle.object): no data"},
		"not JSON":      {catalog("a.v1", objectProperty("kind: A")), "c.yaml:2: properties[0] (olm.bundle.object): invalid character"},
		"not an object": {catalog("a.v1", objectProperty("[]")), "c.yaml:2: not a Kubernetes object"},
		"no CSV":        {catalog("a.v1", objectProperty(`{"apiVersion": "v1", "kind": "Secret"}`)), "c.yaml:2: no ClusterServiceVersion found"},
		"odd":           {"schema: olm.bundle\nname: []\n", "c.yaml:1: not a valid olm.bundle: "},
		"no properties": {"schema: olm.bundle\nname: a\n", "c.yaml:1: the permissions of a are not readable here: the catalog has no manifests of it"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := bundle.Load(filestest.Tree{"c.yaml": test.data}.FS(), ".")
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("want %s…\n got %v", test.want, err)
			}
		})
	}
}

func TestIs(t *testing.T) {
	tests := map[string]struct {
		files fstest.MapFS
		want  bool
	}{
		"annotations":           {tree(map[string]string{"manifests/a.yaml": definition}), true},
		"a CSV":                 {filestest.Tree{"manifests/a.yaml": definition + "---\n" + operator()}.FS(), true},
		"only manifests":        {filestest.Tree{"manifests/a.yaml": definition}.FS(), false},
		"a file with that name": {filestest.Tree{"manifests": operator()}.FS(), false},
		"nothing":               {filestest.Tree{}.FS(), false},
	}
	for name, test := range tests {
		if got := bundle.Is(test.files, "."); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
