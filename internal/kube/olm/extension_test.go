package olm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// summary holds the fields by which layouts are compared.
type summary struct {
	Layout                            olm.Layout
	Namespace, NamespacePath          string
	Package, PackagePath              string
	Version, VersionPath              string
	Account, AccountPath, AccountName string
	Mixed                             []string
}

func summarize(e olm.Extension) summary {
	s := summary{
		Layout:    e.Layout,
		Namespace: e.Namespace, NamespacePath: e.NamespacePath.String(),
		Package: e.Package, PackagePath: e.PackagePath.String(),
		Version: e.Version, VersionPath: e.VersionPath.String(),
		Account: string(e.Account.State), AccountPath: e.Account.Path.String(), AccountName: e.Account.Name,
	}
	for _, m := range e.Mixed {
		s.Mixed = append(s.Mixed, m.Path.String()+": "+m.Releases)
	}
	return s
}

const catalogPackagePath, catalogVersionPath = "spec.source.catalog.packageName", "spec.source.catalog.version"

func TestLayouts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, version, spec string
		want                summary
	}{
		{"v0.9", "v1alpha1", `{packageName: p, version: 1.2.3}`, summary{Layout: olm.LayoutV09,
			Package: "p", PackagePath: "spec.packageName", Version: "1.2.3", VersionPath: "spec.version",
			Account: "absent", AccountPath: "spec.serviceAccount"}},
		{"v0.11", "v1alpha1", `{packageName: p, installNamespace: ns}`, summary{Layout: olm.LayoutV010,
			Namespace: "ns", NamespacePath: "spec.installNamespace",
			Package: "p", PackagePath: "spec.packageName", VersionPath: "spec.version",
			Account: "absent", AccountPath: "spec.serviceAccount"}},
		{"v0.12", "v1alpha1", `{packageName: p, installNamespace: ns, serviceAccount: {name: sa}}`, summary{
			Layout: olm.LayoutV012, Namespace: "ns", NamespacePath: "spec.installNamespace",
			Package: "p", PackagePath: "spec.packageName", VersionPath: "spec.version",
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa"}},
		{"v0.14", "v1alpha1", `
  installNamespace: ns
  source: {sourceType: Catalog, catalog: {packageName: p, version: 1.x}}
  serviceAccount: {name: sa}`, summary{
			Layout: olm.LayoutV014, Namespace: "ns", NamespacePath: "spec.installNamespace",
			Package: "p", PackagePath: catalogPackagePath, Version: "1.x", VersionPath: catalogVersionPath,
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa"}},
		{"v0.16", "v1alpha1", `
  source: {sourceType: Catalog, catalog: {packageName: p}}
  install: {namespace: ns, serviceAccount: {name: sa}}`, summary{
			Layout: olm.LayoutV015, Namespace: "ns", NamespacePath: "spec.install.namespace",
			Package: "p", PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "named", AccountPath: "spec.install.serviceAccount", AccountName: "sa"}},
		{"v0.16 without an account", "v1alpha1", `{source: {catalog: {packageName: p}}, install: {namespace: ns}}`, summary{
			Layout: olm.LayoutV015, Namespace: "ns", NamespacePath: "spec.install.namespace",
			Package: "p", PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "absent", AccountPath: "spec.install.serviceAccount"}},
		{"v0.18", "v1alpha1", `
  namespace: ns
  serviceAccount: {name: sa}
  source: {sourceType: Catalog, catalog: {packageName: p}}`, summary{
			Layout: olm.LayoutV018, Namespace: "ns", NamespacePath: "spec.namespace",
			Package: "p", PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa"}},
		{"v1", "v1", `
  namespace: ns
  serviceAccount: {name: sa}
  install: {preflight: {crdUpgradeSafety: {enforcement: None}}}
  source: {sourceType: Catalog, catalog: {packageName: p, version: "2.0"}}`, summary{
			Layout: olm.LayoutV1, Namespace: "ns", NamespacePath: "spec.namespace",
			Package: "p", PackagePath: catalogPackagePath, Version: "2.0", VersionPath: catalogVersionPath,
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa"}},
		{"a future version", "v2", `{namespace: ns}`, summary{
			Layout: olm.LayoutV1, Namespace: "ns", NamespacePath: "spec.namespace",
			PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "absent", AccountPath: "spec.serviceAccount"}},
		{"nothing", "v1", `null`, summary{
			Layout: olm.LayoutV1, NamespacePath: "spec.namespace",
			PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "absent", AccountPath: "spec.serviceAccount"}},
	}
	for _, test := range tests {
		obj := object(t, "apiVersion: olm.operatorframework.io/"+test.version+
			"\nkind: ClusterExtension\nmetadata: {name: demo}\nspec: "+test.spec+"\n")
		got, ok := olm.ReadExtension(obj)
		if !ok {
			t.Errorf("%s: not an extension", test.name)
			continue
		}
		if diff := cmp.Diff(test.want, summarize(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if got.Name != "demo" || got.Kind != "ClusterExtension" || got.NameTemplated {
			t.Errorf("%s: read as %s %q", test.name, got.Kind, got.Name)
		}
	}
}

func TestMixedLayouts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, version, spec string
		want                summary
	}{
		{"v1 with the package of v0.12", "v1", `
  packageName: p
  version: 1.0.0
  namespace: ns
  serviceAccount: {name: sa}`, summary{Layout: olm.LayoutV1,
			Namespace: "ns", NamespacePath: "spec.namespace",
			Package: "p", PackagePath: "spec.packageName", Version: "1.0.0", VersionPath: "spec.version",
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa",
			Mixed: []string{"spec.packageName: v0.9 to v0.13", "spec.version: v0.9 to v0.13"}}},
		{"v1 with the account of v0.15", "v1", `
  source: {catalog: {packageName: p}}
  install: {namespace: ns, serviceAccount: {name: sa}}`, summary{Layout: olm.LayoutV1,
			Namespace: "ns", NamespacePath: "spec.install.namespace",
			Package: "p", PackagePath: catalogPackagePath, VersionPath: catalogVersionPath,
			Account: "named", AccountPath: "spec.install.serviceAccount", AccountName: "sa",
			Mixed: []string{"spec.install.namespace: v0.15 to v0.17", "spec.install.serviceAccount: v0.15 to v0.17"}}},
		{"v0.12 with a catalog source", "v1alpha1", `
  packageName: p
  installNamespace: ns
  channel: stable
  source: {catalog: {packageName: q}}
  serviceAccount: {name: sa}`, summary{Layout: olm.LayoutV012,
			Namespace: "ns", NamespacePath: "spec.installNamespace",
			Package: "p", PackagePath: "spec.packageName", VersionPath: "spec.version",
			Account: "named", AccountPath: "spec.serviceAccount", AccountName: "sa",
			Mixed: []string{"spec.source: v0.14 and later"}}},
	}
	for _, test := range tests {
		got, _ := olm.ReadExtension(object(t, "apiVersion: olm.operatorframework.io/"+test.version+
			"\nkind: ClusterExtension\nmetadata: {name: demo}\nspec: "+test.spec+"\n"))
		if diff := cmp.Diff(test.want, summarize(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestSeveralAccounts(t *testing.T) {
	t.Parallel()
	got, _ := olm.ReadExtension(object(t, `
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
spec:
  namespace: ns
  serviceAccount: {name: one}
  install: {serviceAccount: {name: two}}
`))
	want := []olm.Account{{Name: "two", State: olm.Named, Path: manifest.Path{"spec", "install", "serviceAccount"}}}
	if diff := cmp.Diff(want, got.Others); diff != "" || got.Account.Name != "one" {
		t.Errorf("account %q, others (-want +got):\n%s", got.Account.Name, diff)
	}
}

func TestAccountStates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]olm.Account{
		"other: 1":                                {State: olm.Absent},
		"serviceAccount:":                         {State: olm.Null},
		"serviceAccount: ~":                       {State: olm.Null},
		"serviceAccount: {}":                      {State: olm.Empty},
		"serviceAccount: {namespace: x}":          {State: olm.Empty},
		`serviceAccount: {name: ""}`:              {State: olm.EmptyName},
		`serviceAccount: {name: "  "}`:            {State: olm.EmptyName},
		"serviceAccount: {name: }":                {State: olm.EmptyName},
		"serviceAccount: {name: sa}":              {State: olm.Named, Name: "sa"},
		`{"serviceAccount": {"name": "123"}}`:     {State: olm.Named, Name: "123"},
		"serviceAccount: {name: 123}":             {State: olm.Malformed},
		"serviceAccount: {name: true}":            {State: olm.Malformed},
		"serviceAccount: {name: [sa]}":            {State: olm.Malformed},
		"serviceAccount: {name: {a: b}}":          {State: olm.Malformed},
		"serviceAccount: sa":                      {State: olm.Malformed},
		`serviceAccount: ""`:                      {State: olm.Malformed},
		"serviceAccount: [{name: sa}]":            {State: olm.Malformed},
		"serviceAccount: ${ACCOUNT}":              {State: olm.Templated, Name: "${ACCOUNT}"},
		"serviceAccount: {{ .account }}":          {State: olm.Templated},
		"serviceAccount: {name: '${ACCOUNT}-sa'}": {State: olm.Templated, Name: "${ACCOUNT}-sa"},
		"serviceAccount: {name: $(ACCOUNT)}":      {State: olm.Templated, Name: "$(ACCOUNT)"},
		"serviceAccount:\n    name: {{ .sa }}":    {State: olm.Templated},
		"serviceAccount:\n    name: '{{ .sa }}'":  {State: olm.Templated, Name: "{{ .sa }}"},
		"x: &a {name: sa}\n  serviceAccount: *a":  {State: olm.Named, Name: "sa"},
	} {
		got, ok := olm.ReadExtension(object(t,
			"apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nspec:\n  "+text+"\n"))
		want.Path = manifest.Path{"spec", "serviceAccount"}
		if diff := cmp.Diff(want, got.Account); !ok || diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestExtensionKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]olm.Account{
		"serviceAccountName: sa":      {State: olm.Named, Name: "sa"},
		"serviceAccountName: ''":      {State: olm.EmptyName},
		"serviceAccountName:":         {State: olm.EmptyName},
		"serviceAccountName: {a: b}":  {State: olm.Malformed},
		"serviceAccountName: {{ x }}": {State: olm.Templated},
		"paused: true":                {State: olm.Absent},
	} {
		got, ok := olm.ReadExtension(object(t, `
apiVersion: olm.operatorframework.io/v1alpha1
kind: Extension
metadata: {name: demo, namespace: team}
spec:
  source: {sourceType: package, package: {name: p, version: 1.0.0}}
  `+text+"\n"))
		want.Path = manifest.Path{"spec", "serviceAccountName"}
		if diff := cmp.Diff(want, got.Account); !ok || diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if got.Kind != "Extension" || got.Layout != olm.LayoutExtension || got.Namespace != "team" ||
			got.Package != "p" || got.Version != "1.0.0" {
			t.Errorf("%s: read as %+v", text, got)
		}
	}
}

func TestTemplatedNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"${NAME}": "${NAME}", "'{{ .name }}'": "{{ .name }}", "{{ .name }}": "", "demo-${ENV}": "demo-${ENV}",
	} {
		got, ok := olm.ReadExtension(object(t,
			"apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: "+text+"\n"))
		if !ok || got.Name != want || !got.NameTemplated {
			t.Errorf("%s: name %q, templated %t; want %q, true", text, got.Name, got.NameTemplated, want)
		}
	}
}

func TestOtherObjectsAreNotExtensions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog",
		"apiVersion: example.com/v1\nkind: ClusterExtension",
		"apiVersion: v1\nkind: ClusterExtension",
		"kind: ClusterExtension",
		"apiVersion: [olm.operatorframework.io/v1]\nkind: ClusterExtension",
		"[]", "text", "null",
	} {
		if got, ok := olm.ReadExtension(object(t, text)); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	if _, ok := olm.ReadExtension(nil); ok {
		t.Error("nil is read as an extension")
	}
}
