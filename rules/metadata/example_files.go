package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// exampleText is an example in METADATA: manifests, or a mapping of paths to contents.
type exampleText struct {
	manifests string
	files     map[string]string
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *exampleText) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &t.manifests) == nil {
		return nil
	}
	return json.Unmarshal(data, &t.files)
}

func (t exampleText) isEmpty() bool { return t.manifests == "" && len(t.files) == 0 }

// isExampleFile reports whether the heading of a section is the path of a file, and no other word.
func isExampleFile(name string) bool { return strings.ContainsAny(name, "./") }

// joinFiles checks the paths of the files of an example, and sets its text to all of them.
func (e *Example) joinFiles() error {
	if e.Files == nil {
		return nil
	}
	if e.Bundle != "" || e.Base != "" {
		return errors.New("an example with files cannot have `bundle` or `base`: add the bundle as files, and name it in a file .salint.yaml")
	}
	if strings.TrimSpace(e.Text) != "" {
		return errors.New("an example has either manifests or files: write the path of the first file above its manifests")
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		if !fs.ValidPath(name) || name == "." || strings.Split(name, "/")[0] == ".git" {
			return fmt.Errorf("%q is not the path of a file of the example, such as clusters/east/role.yaml", name)
		}
		fmt.Fprintf(&text, "---\n# %s\n%s", name, strings.TrimPrefix(e.Files[name], "---\n"))
	}
	e.Text = strings.TrimPrefix(text.String(), "---\n")
	return nil
}

// isBuilt reports whether objects of an example are made by a kustomization or chart, so that its files do not show them.
func (e *Example) isBuilt() bool {
	for name := range e.Files {
		switch path.Base(name) {
		case "Chart.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization":
			return true
		}
	}
	return false
}
