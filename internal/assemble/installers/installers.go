package installers

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Inputs are what the repository has: all of them are read, none is changed.
type Inputs struct {
	// Names are the names of all files, and Candidates of those that [MayInstall] reports, both sorted.
	Names, Candidates []string
	// Files is the tree with the bytes; nil reads nothing.
	Files          render.Files
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
}

// MayInstall reports whether a file may install charts with separate settings: a file of helmfile or Fleet, or a text with a command or a
// module that changes what a chart renders.
func MayInstall(file repo.File) bool {
	switch {
	case isFleet(file.Path), isHelmfile(file.Path):
		return true
	case !file.Text && !textpaths.IsText(file.Path):
		return false
	}
	return path.Ext(file.Path) == ".gotmpl" || isTerraform(file.Path) && bytes.Contains(file.Data, []byte("helm_release")) ||
		bytes.Contains(file.Data, []byte("helm")) &&
			(bytes.Contains(file.Data, []byte("--post-renderer")) || bytes.Contains(file.Data, []byte("template")))
}

// toolFiles returns the files that install charts, sorted: those that are known by their names or contents, and those that a helmfile
// includes.
func (r Inputs) toolFiles() []string {
	var found []string
	for _, name := range r.Names {
		if isFleet(name) || isHelmfile(name) {
			found = append(found, name)
		}
	}
	for _, name := range r.Candidates {
		if path.Ext(name) != ".gotmpl" || isHelmfile(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// includedHelmfiles returns the files that helmfiles include with helmfiles and bases, also through others, and the files that include
// them.
func (r Inputs) includedHelmfiles(files []string) map[string]string {
	included := map[string]string{}
	var candidates []string // listed only when a helmfile includes something
	for queue := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !isHelmfile(name) }); len(queue) > 0; {
		file := queue[0]
		queue = queue[1:]
		data, err := r.Files.ReadFile(file)
		if err != nil || !mentionsIncludes(data) {
			continue
		}
		if candidates == nil {
			candidates = slices.Concat(r.Names, r.Candidates)
		}
		for _, pattern := range helmfileIncludes(string(data)) {
			matches := pathPattern(path.Join(path.Dir(file), pattern))
			for _, name := range candidates {
				if _, known := included[name]; !known && name != file && (matches(name) || isHelmfile(name) && matches(path.Dir(name))) {
					included[name] = file
					queue = append(queue, name)
				}
			}
		}
	}
	return included
}

func mentionsIncludes(data []byte) bool {
	return bytes.Contains(data, []byte("helmfiles:")) || bytes.Contains(data, []byte("bases:"))
}

// helmfileIncludes returns the paths in helmfiles and bases, with * for their unknown parts.
func helmfileIncludes(text string) []string {
	var found []string
	for _, doc := range strings.Split(text, "\n---") {
		var config struct {
			Helmfiles []any `json:"helmfiles"`
			Bases     []any `json:"bases"`
		}
		if yaml.Unmarshal([]byte(withoutStatements(doc)), &config) != nil {
			continue
		}
		for _, item := range append(config.Helmfiles, config.Bases...) {
			if m, is := item.(map[string]any); is {
				item = m["path"]
			}
			if name, is := item.(string); is && !strings.Contains(name, "://") && !strings.HasPrefix(name, "git::") {
				found = append(found, templatedPattern(name, ""))
			}
		}
	}
	return found
}

// onlyStatement is a line with nothing but parts of a template. It can end with CRLF.
var onlyStatement = lazyregexp.New(`(?m)^[ \t]*(?:\{\{.*?\}\}[ \t\r]*)+$`)

// withoutStatements returns a template of YAML without the lines that are only parts of the template.
func withoutStatements(doc string) string { return onlyStatement().ReplaceAllString(doc, "") }

var (
	expression   = lazyregexp.New(`(?s)\{\{.*?\}\}`)
	releaseName  = lazyregexp.New(`\{\{-?\s*\.Release\.Name\s*-?\}\}`)
	escapedParts = strings.NewReplacer("{{`", "", "`}}", "")
)

// templatedPattern returns a path with * for each part that a template supplies. The name of the release is known.
func templatedPattern(name, release string) string {
	name = escapedParts.Replace(name)
	if release != "" && !strings.Contains(release, "{{") {
		name = releaseName().ReplaceAllLiteralString(name, release)
	}
	return expression().ReplaceAllString(name, "*")
}

// pathPattern returns a function that reports whether a path matches a pattern, in which * stands for any text.
func pathPattern(pattern string) func(string) bool {
	pattern = path.Clean(pattern)
	if !strings.Contains(pattern, "*") {
		return func(name string) bool { return name == pattern }
	}
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString
}

// chartsAt returns the folders with a chart or a kustomization that a path from a folder may name.
func (r Inputs) chartsAt(dir, name string) []string {
	if !strings.Contains(name, "*") {
		return []string{path.Join(dir, name)}
	}
	matches := pathPattern(path.Join(dir, name))
	var found []string
	for _, folder := range r.chartFolders() {
		if matches(folder) {
			found = append(found, folder)
		}
	}
	return found
}

// chartFolders returns the folders with a chart or a kustomization.
func (r Inputs) chartFolders() []string {
	var found []string
	for _, name := range r.Names {
		if path.Base(name) == "Chart.yaml" || objects.IsKustomizationFile(name) {
			found = append(found, path.Dir(name))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
