package bundles_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// csv is a bundle of the given version whose operator has permissions on a resource.
func csv(version, resource string) string {
	return fmt.Sprintf(`apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: tide.v%[1]s}
spec:
  version: %[1]s
  installModes: [{type: AllNamespaces, supported: true}]
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: tide
        rules: [{apiGroups: [""], resources: [%[2]s], verbs: [get]}]
`, version, resource)
}

const annotations = "annotations: {operators.operatorframework.io.bundle.package.v1: tide}\n"

var files = filestest.Tree{
	"tide/manifests/csv.yaml":            csv("1.4.0", "pods"),
	"tide/manifests/binding.yaml":        "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: platform}\n",
	"tide/metadata/annotations.yaml":     annotations,
	"anonymous/manifests/csv.yaml":       csv("1.4.0", "pods"),
	"next/manifests/csv.yaml":            csv("1.5.0", "secrets"),
	"next/metadata/annotations.yaml":     annotations,
	"plain/role.yaml":                    "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n",
	"strange/buoy.yaml":                  "apiVersion: sea.example.com/v1\nkind: Buoy\nmetadata: {name: north}\n",
	"broken/manifests/csv.yaml":          "kind: ClusterServiceVersion\nspec: [\n",
	"broken/metadata/annotations.yaml":   annotations,
	"[odd]/manifests/csv.yaml":           csv("1.4.0", "pods"),
	"[odd]/metadata/annotations.yaml":    annotations,
	"chart/Chart.yaml":                   "apiVersion: v2\nname: tide\nversion: 1.4.0\n",
	"unrelated/manifests/configmap.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
}.FS()

// library has a folder for each extension.
func library(dirs map[string]string) *bundles.Library {
	return &bundles.Library{Revision: bundles.Revision{Files: files, Sources: sources(dirs)}}
}

func sources(dirs map[string]string) map[string]bundles.Source {
	named := map[string]bundles.Source{}
	for name, dir := range dirs {
		named[name] = bundles.Source{Dir: dir, Place: ".salint.yaml:1"}
	}
	return named
}

// install returns the installer of an extension that requests a version of a package.
func install(t *testing.T, target, pkg, version string) *installer.Installer {
	t.Helper()
	text := fmt.Sprintf(`apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: tide}
spec:
  namespace: shore
  serviceAccount: {name: installer}
  source: {sourceType: Catalog, catalog: {packageName: %q, version: %q}}
`, pkg, version)
	doc := manifest.Scan("extension.yaml", []byte(text)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	unit := assembly.Units(objects.Objects(doc), nil)[0]
	extension, _ := olm.ReadExtension(unit.Objects[0].Node)
	asked, err := olm.ParseTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	i, err := installer.Of(loader.Extension{
		Extension: extension, Object: unit.Objects[0], Unit: unit, Resolved: loader.ResolvedTarget{Target: asked, Known: true},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestLoad(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ dir, want, failure string }{
		"a bundle":                      {dir: "tide", want: "tide tide.v1.4.0"},
		"a path that is not clean":      {dir: "./tide/", want: "tide tide.v1.4.0"},
		"one that names no package":     {dir: "anonymous", want: "tide tide.v1.4.0"},
		"manifests":                     {dir: "plain", want: " "},
		"nothing":                       {dir: "gone", failure: ".salint.yaml:1: the bundle of ClusterExtension tide: gone: "},
		"a folder outside":              {dir: "../tide", failure: ".salint.yaml:1: the bundle of ClusterExtension tide: ../tide is outside the repository"},
		"a path from the root":          {dir: "/tide", failure: ".salint.yaml:1: the bundle of ClusterExtension tide: /tide is outside the repository"},
		"a broken one":                  {dir: "broken", failure: ".salint.yaml:1: the bundle of ClusterExtension tide: broken/manifests/csv.yaml:"},
		"one without a bundle":          {failure: "the bundle of ClusterExtension tide is unknown. Set its folder with `bundles:` in .salint.yaml, or pass --bundle tide=DIR"},
		"a folder with special letters": {dir: "[odd]", want: "tide tide.v1.4.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dirs := map[string]string{}
			if test.dir != "" {
				dirs["tide"] = test.dir
			}
			loaded, err := library(dirs).Load(t.Context(), install(t, "olm-1.10", "tide", "1.4.0"))
			if !failsWith(err, test.failure) {
				t.Fatalf("failed with %v, want %q", err, test.failure)
			}
			if err == nil && loaded.Package+" "+loaded.Name != test.want {
				t.Errorf("loaded %q %q, want %q", loaded.Package, loaded.Name, test.want)
			}
		})
	}
}

// failsWith reports whether an error begins with want, or is nil if want is "".
func failsWith(err error, want string) bool {
	if err == nil || want == "" {
		return err == nil && want == ""
	}
	return strings.HasPrefix(err.Error(), want)
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		dir, target, pkg, version string
		none                      bool
		failure                   string
	}{
		"what is missing":           {dir: "tide", target: "olm-1.10", pkg: "tide", version: "1.4.0"},
		"any version":               {dir: "tide", target: "olm-1.10", pkg: "tide", version: ">=1.0"},
		"no version":                {dir: "tide", target: "olm-1.10", pkg: "tide"},
		"a package filled in later": {dir: "tide", target: "olm-1.10", pkg: "${PACKAGE}", version: "1.4.0"},
		"OLM's own account":         {dir: "tide", target: "olm-1.11", pkg: "tide", version: "1.4.0", none: true},
		"another package": {dir: "tide", target: "olm-1.10", pkg: "ebb", version: "1.4.0",
			failure: ".salint.yaml:1: the bundle in tide has the package tide, but the extension requests ebb"},
		"another version": {dir: "tide", target: "olm-1.10", pkg: "tide", version: "v1.5.0",
			failure: ".salint.yaml:1: the bundle in tide has the version 1.4.0, but the extension requests 1.5.0"},
		"an unknown kind": {dir: "strange", target: "olm-1.10", failure: "strange/buoy.yaml:1: the kind Buoy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs, err := library(map[string]string{"tide": test.dir}).Preflight(t.Context(), install(t, test.target, test.pkg, test.version))
			if !failsWith(err, test.failure) {
				t.Fatalf("failed with %v, want %q", err, test.failure)
			}
			if err != nil {
				return
			}
			if (needs == nil) != test.none {
				t.Fatalf("needs are %v", needs)
			}
			if needs != nil && (len(needs.Missing) == 0 || !cmp.Equal(needs.Missing, needs.Needed)) {
				t.Errorf("of an account without any binding everything is missing, not %v of %v", needs.Missing, needs.Needed)
			}
		})
	}
}

// The content of an extension is read once, and definitions are looked up only for unknown kinds.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	counted := &counting{FS: files}
	asked := 0
	l := &bundles.Library{
		Revision: bundles.Revision{Files: counted, Sources: sources(map[string]string{"tide": "strange"})},
		Define: func(_ context.Context, kinds []string) ([]map[string]any, error) {
			asked++
			if diff := cmp.Diff([]string{"Buoy"}, kinds); diff != "" {
				t.Error(diff)
			}
			return []map[string]any{{"spec": map[string]any{
				"group": "sea.example.com", "scope": "Cluster", "names": map[string]any{"kind": "Buoy", "plural": "buoys"},
			}}}, nil
		},
	}
	for range 3 {
		i := install(t, "olm-1.10", "tide", "") // the same extension in another unit
		needs, err := l.Preflight(t.Context(), i)
		if err != nil || len(needs.Missing) == 0 {
			t.Fatal(needs, err)
		}
	}
	opened := counted.opened.Load()
	if _, err := l.Load(t.Context(), install(t, "olm-1.10", "tide", "")); err != nil {
		t.Fatal(err)
	}
	if again := counted.opened.Load(); again != opened || opened == 0 || asked != 1 {
		t.Errorf("opened %d times, then %d; asked %d times for definitions", opened, again, asked)
	}
}

type counting struct {
	fs.FS
	opened atomic.Int64
}

func (c *counting) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	return c.FS.Open(name)
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	before := filestest.Tree{
		"next/manifests/csv.yaml":          csv("1.4.0", "pods"),
		"next/metadata/annotations.yaml":   annotations,
		"old/manifests/csv.yaml":           csv("1.3.0", "secrets"),
		"old/metadata/annotations.yaml":    annotations,
		"broken/manifests/csv.yaml":        "kind: ClusterServiceVersion\nspec: [\n",
		"broken/metadata/annotations.yaml": annotations,
	}.FS()
	failing := errors.New("git is gone")
	for name, test := range map[string]struct {
		dir     string
		was     map[string]string
		base    error
		grows   int
		none    bool
		failure string
	}{
		"of one folder":                     {dir: "next", was: map[string]string{"tide": "next"}, grows: 1},
		"before the folder was named":       {dir: "next", grows: 1},
		"of two folders":                    {dir: "next", was: map[string]string{"tide": "old"}},
		"of a new one":                      {dir: "tide", none: true},
		"of one that was named and missing": {dir: "tide", was: map[string]string{"tide": "gone"}, none: true},
		"of one that was broken":            {dir: "next", was: map[string]string{"tide": "broken"}, failure: ".salint.yaml:1 at the base revision: the bundle"},
		"of one that was outside":           {dir: "next", was: map[string]string{"tide": "../x"}, failure: ".salint.yaml:1 at the base revision: the bundle"},
		"without git":                       {dir: "next", base: failing, failure: "the base revision: git is gone"},
		"of one that is missing":            {dir: "gone", failure: ".salint.yaml:1: the bundle of ClusterExtension tide: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := library(map[string]string{"tide": test.dir})
			l.Base = func(context.Context) (bundles.Revision, error) {
				return bundles.Revision{Files: before, Sources: sources(test.was)}, test.base
			}
			growth, err := l.Growth(t.Context(), install(t, "olm-1.11", "tide", ""))
			if !failsWith(err, test.failure) {
				t.Fatalf("failed with %v, want %q", err, test.failure)
			}
			if err != nil {
				return
			}
			if (growth == nil) != test.none || growth != nil && len(growth.Changes) != test.grows {
				t.Errorf("growth is %+v", growth)
			}
		})
	}
}

func TestGrowthWithoutRevision(t *testing.T) {
	t.Parallel()
	growth, err := library(map[string]string{"tide": "gone"}).Growth(t.Context(), install(t, "olm-1.11", "tide", ""))
	if growth != nil || err != nil {
		t.Error(growth, err)
	}
}

func TestExclude(t *testing.T) {
	t.Parallel()
	l := library(map[string]string{
		"a": "tide", "b": "./tide/", "c": "[odd]", "d": "chart", "e": "plain", "f": "../tide", "g": "gone", "h": ".", "i": "/tide",
	})
	if diff := cmp.Diff([]string{`\[odd]/**`, "tide/**"}, l.Exclude()); diff != "" {
		t.Error(diff)
	}
	if none := new(bundles.Library).Exclude(); none != nil {
		t.Error(none)
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	var found []string
	for _, doc := range library(map[string]string{"a": "tide", "b": "gone", "c": ".", "d": "../x", "e": "plain"}).Bindings() {
		found = append(found, doc.File.Path)
	}
	if diff := cmp.Diff([]string{"tide/manifests/binding.yaml"}, found); diff != "" {
		t.Error(diff)
	}
}
