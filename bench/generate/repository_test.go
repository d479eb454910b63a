package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const files = 2000

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	first := slices.Collect(repository{Files: files, Size: 1500, Seed: 7}.all())
	again := slices.Collect(repository{Files: files, Size: 1500, Seed: 7}.all())
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("two runs differ (-first +again):\n%s", diff)
	}
	other := slices.Collect(repository{Files: files, Size: 1500, Seed: 8}.all())
	if cmp.Equal(first, other) {
		t.Error("another seed gave the same repository")
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	size, documents, extensions := 0, 0, 0
	for f := range (repository{Files: files, Size: 1500, Seed: 1}).all() {
		size += len(f.Text)
		documents += f.Documents
		if strings.Contains(f.Path, "/operator-") {
			extensions++
		}
	}
	if mean := size / files; mean < 1400 || mean > 1600 {
		t.Errorf("files have %d bytes on average, want about 1500", mean)
	}
	if documents < files*15/10 || documents > files*17/10 {
		t.Errorf("%d documents in %d files, want about 1.6 a file", documents, files)
	}
	if extensions != files/100 {
		t.Errorf("%d files concern extensions, want 1 in 100 of %d", extensions, files)
	}
}

func TestFlat(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for f := range (repository{Files: files, Size: 1500, Seed: 1, Flat: true}).all() {
		if strings.Contains(f.Path, "/") || seen[f.Path] {
			t.Fatalf("%s is not a name of its own in one folder", f.Path)
		}
		seen[f.Path] = true
	}
}

func TestAccess(t *testing.T) {
	t.Parallel()
	unit := access{Identities: 50, Bindings: 150, Roles: 25, Seed: 1}
	all := slices.Collect(unit.all())
	if diff := cmp.Diff(all, slices.Collect(unit.all())); diff != "" {
		t.Errorf("two runs differ (-first +again):\n%s", diff)
	}
	documents := 0
	for _, f := range all {
		documents += f.Documents
		if f.Path != "kustomization.yaml" && !strings.Contains(all[len(all)-1].Text, f.Path) {
			t.Errorf("%s is not applied", f.Path)
		}
	}
	if documents != 50+150+25+1 {
		t.Errorf("%d documents, want one for each object and the kustomization", documents)
	}
}

func TestEveryDocumentIsAnObject(t *testing.T) {
	t.Parallel()
	all := slices.Concat(
		slices.Collect(repository{Files: 100, Size: 1500, Seed: 1}.all()),
		slices.Collect(access{Identities: 50, Bindings: 150, Roles: 25, Seed: 1}.all()),
	)
	for _, f := range all {
		if f.Path == "kustomization.yaml" {
			continue
		}
		decoder := yaml.NewDecoder(strings.NewReader(f.Text))
		objects := 0
		for {
			var object yaml.ResourceMeta
			err := decoder.Decode(&object)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || object.Kind == "" || object.Name == "" {
				t.Fatalf("%s holds something that is no object: %v", f.Path, err)
			}
			objects++
		}
		if objects != f.Documents {
			t.Errorf("%s has %d objects, want %d", f.Path, objects, f.Documents)
		}
	}
}

// TestClusterIsComplete checks that every file that a kustomization of the cluster names is there.
func TestClusterIsComplete(t *testing.T) {
	t.Parallel()
	there := map[string]string{}
	for f := range (cluster{Applications: 25}).all() {
		there[f.Path] = f.Text
	}
	named := 0
	for file, text := range there {
		dir, ok := strings.CutSuffix(file, "/kustomization.yaml")
		if !ok {
			continue
		}
		for line := range strings.Lines(text) {
			if name, isItem := strings.CutPrefix(strings.TrimSpace(line), "- "); isItem {
				named++
				if there[dir+"/"+name] == "" {
					t.Errorf("%s names %s, which does not exist", file, name)
				}
			}
		}
	}
	if named < 75 {
		t.Errorf("the kustomizations name only %d files", named)
	}
}
