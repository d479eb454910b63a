package applications

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/refusal"
)

// directory returns the objects of the files that Argo CD applies as they are, or that it fails to read one of them.
func (p *plan) directory(a *gitops.Application, s sources.Source) part {
	names := append(s.Contents(p.Names).Files, p.linked(s)...)
	made := part{source: s, takesNewFiles: true, files: p.Files(slices.DeleteFunc(slices.Clone(names), func(file string) bool { return p.skipped[file] }))}
	for _, name := range names {
		if why := p.refused(name); why != nil {
			made.failed = newFailure(a, *why, s.Path.Value, "Correct the file, or exclude it", isDelivered(a, s))
			break
		}
	}
	return made
}

// linked returns the files to which symbolic links in a directory lead: Argo CD applies them as files of the directory
// (getPotentiallyValidManifestFile in reposerver/repository). It does not follow links to folders.
func (p *plan) linked(s sources.Source) []string {
	if len(p.Links) == 0 {
		return nil
	}
	var files []string
	for _, link := range s.Contents(slices.Sorted(maps.Keys(p.Links))).Files {
		if to := p.Links[link]; p.paths.HasFile(to) {
			files = append(files, to)
		}
	}
	return files
}

// refused returns why Argo CD fails to read a file of a directory, or nil.
func (p *plan) refused(name string) *objects.Problem {
	why, known := p.refusedFiles[name]
	if known || p.Overlay.Files == nil {
		return why
	}
	if data, err := p.Overlay.Files.ReadFile(name); err == nil {
		why = refusedFile(name, data)
	}
	p.refusedFiles[name] = why
	return why
}

// refusedFile follows getObjsFromYAMLOrJSON in Argo CD's reposerver/repository, as of version 3.6.
func refusedFile(name string, data []byte) *objects.Problem {
	if sources.SkipsFile(data) {
		return nil
	}
	if path.Ext(name) == ".json" {
		return refusedJSON(name, data)
	}
	err := readYAML(data)
	if err == nil {
		return nil
	}
	found := refusal.Invalid(name, data, err)
	return &objects.Problem{Position: found.Position, Message: fmt.Sprintf("in %s, %s", name, found.Reason)}
}

func refusedJSON(name string, data []byte) *objects.Problem {
	err := readJSON(data)
	if err == nil {
		return nil
	}
	at := objects.Position{File: name, Line: 1, Column: 1}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Offset > 0 {
		at.Line, at.Column = manifest.Scan(name, data).Position(int(syntax.Offset) - 1)
	}
	why, _, _ := strings.Cut(err.Error(), "\n")
	return &objects.Problem{Position: at, Message: fmt.Sprintf("it cannot read %s as JSON: %s", name, why)}
}

// readJSON reads one object. The manifest of an image, and with it any other JSON object whose fields have no other types, is ignored.
func readJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&unstructured.Unstructured{}); err != nil {
		decoder = json.NewDecoder(bytes.NewReader(data))
		if decoder.Decode(&imageManifest{}) != nil {
			return err
		}
	}
	if decoder.More() {
		return errors.New("the file has several objects, and Argo CD reads one")
	}
	return nil
}

// imageManifest has the types of the fields of an OCI manifest (specs-go/v1.Manifest).
type imageManifest struct {
	SchemaVersion           int
	MediaType, ArtifactType string
	Config                  descriptor
	Layers                  []descriptor
	Subject                 *descriptor
	Annotations             map[string]string
}

type descriptor struct {
	MediaType, Digest, ArtifactType string
	Size                            int64
	URLs                            []string
	Annotations                     map[string]string
	Data                            []byte
	Platform                        *struct {
		Architecture, OS, Variant string
	}
}

// readYAML reads all documents. A file of which none is an object is ignored, unless it looks like one.
func readYAML(data []byte) error {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for read := 0; ; {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object)
		switch {
		case errors.Is(err, io.EOF), err != nil && read == 0 && !looksLikeObject(data):
			return nil
		case err != nil:
			return err
		case object != nil:
			read++
		}
	}
}

func looksLikeObject(data []byte) bool {
	return !slices.ContainsFunc([]string{"apiVersion:", "kind:", "metadata:"}, func(key string) bool { return !bytes.Contains(data, []byte(key)) })
}
