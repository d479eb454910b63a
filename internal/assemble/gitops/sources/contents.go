package sources

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/gobwas/glob"
	"sigs.k8s.io/yaml"
)

// Contents are the files and folders of a folder that a source applies.
type Contents struct {
	// Files are applied as they are; Folders are built as kustomizations.
	Files, Folders []string
	// Skipped are files that are turned into objects by a program.
	Skipped []string
}

// Contents returns the files of the repository that a source of kind Directory or Collected applies; for a kustomization it
// is the folder. Charts and sources outside the repository have none.
func (s Source) Contents(names []string) Contents {
	switch {
	case !s.Here():
		return Contents{}
	case s.Kind == Kustomize:
		return Contents{Folders: []string{s.Path.Value}}
	case s.Kind == Directory:
		return s.Directory.contents(s.Path.Value, names)
	case s.Kind == Collected:
		return collected(s.Path.Value, s.notIgnored(names), len(s.fetched.Rules) > 0)
	}
	return Contents{}
}

// Below returns the path of a file relative to a folder; false if the folder does not contain it.
func Below(dir, name string) (string, bool) {
	if dir == "." {
		return name, true
	}
	return strings.CutPrefix(name, dir+"/")
}

// contents returns the manifests in a folder, as Argo CD finds them.
func (f Filter) contents(dir string, names []string) Contents {
	include, exclude := Matcher(f.Include.Value), Matcher(f.Exclude.Value)
	var c Contents
	for _, name := range names {
		rest, inside := Below(dir, name)
		switch {
		case !inside, strings.Contains(rest, "/") && !f.Recurse.Value:
		case !f.AnyExtension.Value && !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonnet"}, path.Ext(rest)):
		case f.Exclude.Value != "" && exclude(rest), f.Include.Value != "" && !include(rest):
		case path.Ext(rest) == ".jsonnet":
			c.Skipped = append(c.Skipped, name)
		default:
			c.Files = append(c.Files, name)
		}
	}
	slices.Sort(c.Files)
	slices.Sort(c.Skipped)
	return c
}

// maxPattern limits the length of a pattern of paths or names.
const maxPattern = 1 << 10

// Matcher returns a function that matches as Argo CD's patterns do: * matches slashes as well, unless they are separators. An invalid pattern
// matches nothing.
func Matcher(pattern string, separators ...rune) func(string) bool {
	if len(pattern) > maxPattern {
		return func(string) bool { return false }
	}
	compiled, err := glob.Compile(pattern, separators...)
	if err != nil {
		return func(string) bool { return false }
	}
	return compiled.Match
}

// skipMark anywhere in a file of a Directory keeps Argo CD from applying the file.
var skipMark = []byte("+argocd:skip-file-rendering")

// SkipsFile reports whether a file contains the mark that keeps Argo CD from applying it.
func SkipsFile(data []byte) bool { return bytes.Contains(data, skipMark) }

// collected returns the manifests that Flux lists in a folder without a kustomization: all files below, except those in
// folders with a kustomization, which are built. With rules of the repository about what is fetched, those that Flux has otherwise do not hold.
func collected(dir string, names []string, hasRules bool) Contents {
	built := map[string]bool{}
	for _, name := range names {
		if base := path.Base(name); base == "kustomization.yaml" || base == "kustomization.yml" || base == "Kustomization" {
			built[path.Dir(name)] = true
		}
	}
	var c Contents
	for _, name := range names {
		rest, inside := Below(dir, name)
		if !inside || ignored(name, hasRules) {
			continue
		}
		if folder := topmost(dir, rest, built); folder != "" {
			c.Folders = append(c.Folders, folder)
		} else if ext := path.Ext(rest); ext == ".yaml" || ext == ".yml" {
			c.Files = append(c.Files, name)
		}
	}
	slices.Sort(c.Files)
	slices.Sort(c.Folders)
	c.Folders = slices.Compact(c.Folders)
	return c
}

// topmost returns the first folder on the path from dir to a file that has a kustomization; "" if there is none.
func topmost(dir, rest string, built map[string]bool) string {
	steps := strings.Split(rest, "/")
	for _, step := range steps[:len(steps)-1] {
		if dir = path.Join(dir, step); built[dir] {
			return dir
		}
	}
	return ""
}

// Kustomization returns the kustomization that lists the contents of a folder, as Flux generates it.
func (c Contents) Kustomization(dir string) []byte {
	resources := []string{}
	for _, name := range slices.Concat(c.Files, c.Folders) {
		if rest, inside := Below(dir, name); inside {
			resources = append(resources, "./"+rest)
		}
	}
	slices.Sort(resources)
	data, err := yaml.Marshal(map[string]any{
		"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": resources,
	})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return data
}
