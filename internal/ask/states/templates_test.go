package states

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/templates/unfixed"
)

// varying is a template that grants something else to each revision of a release, and fixed one that does not.
const (
	varying = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reef}
rules: [{apiGroups: [""], resources: [{{ if .Release.IsUpgrade }}secrets{{ else }}configmaps{{ end }}], verbs: [get]}]
`
	fixed = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reef}
rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
`
)

func TestTemplatesInArchives(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		template string
		nested   bool
		want     map[objects.Position]string
	}{
		"a template that varies": {varying, false, map[objects.Position]string{{File: "reef/charts/coral.tgz", Line: 1, Column: 1}: "coral/templates/role.yaml "}},
		"one in a dependency of the dependency": {varying, true, map[objects.Position]string{
			{File: "reef/charts/coral.tgz", Line: 1, Column: 1}: "coral/charts/polyp.tgz/coral/templates/role.yaml "}},
		"a template that does not": {fixed, false, map[objects.Position]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := packed(t, map[string]string{"coral/Chart.yaml": "name: coral\n", "coral/templates/role.yaml": test.template})
			if test.nested {
				archive = packed(t, map[string]string{"coral/charts/polyp.tgz": archive})
			}
			into := map[string]string{}
			texts := texts{files: fstest.MapFS{"reef/charts/coral.tgz": {Data: []byte(archive)}}, into: into}
			texts.folder("reef")
			got := map[objects.Position]string{}
			for _, b := range unfixed.New(into, false).Blocks() {
				at, template := placeOf(b)
				got[at] = template
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestArchivesAreLimited checks that what an archive has beyond the limit is not read.
func TestArchivesAreLimited(t *testing.T) {
	t.Parallel()
	large := string(bytes.Repeat([]byte("a"), maxTemplates+1))
	into := map[string]string{}
	texts := texts{files: fstest.MapFS{"reef.tgz": {Data: []byte(packed(t, map[string]string{"coral/templates/role.yaml": large}))}}, into: into}
	texts.file("reef.tgz")
	if len(into) > 0 {
		t.Errorf("%d templates were read", len(into))
	}
}

// packed returns an archive of files.
func packed(t *testing.T, files map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	entries := tar.NewWriter(compressed)
	for name, content := range files {
		if err := entries.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := entries.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := entries.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
