package loader

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// isOtherJSON reports whether a document that cannot be parsed is JSON of something other than Kubernetes: it has neither an apiVersion nor
// a kind. Settings of editors and tools have comments and trailing commas, and cloud policies are for other programs.
func isOtherJSON(doc *manifest.Document) bool {
	if path.Ext(doc.File.Path) != ".json" {
		return false
	}
	keys := outerKeys(doc.Bytes())
	return !slices.Contains(keys, "apiVersion") && !slices.Contains(keys, "kind")
}

// isOtherYAML reports whether a document that cannot be parsed is probably for another program than Kubernetes, Helm, and kustomize: no line of
// it begins with an apiVersion or a kind. Site generators and build tools take what YAML forbids, such as a key that is set twice.
func isOtherYAML(doc *manifest.Document) bool {
	name := path.Base(doc.File.Path)
	if objects.IsKustomizationFile(doc.File.Path) || name == "Chart.yaml" || strings.Contains(name, "values") {
		return false
	}
	for line := range bytes.Lines(doc.Bytes()) {
		line = bytes.TrimLeft(line, " \t-{\"'")
		if bytes.HasPrefix(line, []byte("apiVersion")) || bytes.HasPrefix(line, []byte("kind")) {
			return false
		}
	}
	return true
}

// outerKeys returns the strings of the outermost object of a text, its keys among them. Comments are skipped, and what is not valid JSON is
// read as far as braces and quotes go.
func outerKeys(text []byte) []string {
	var found []string
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := endOfString(text, i)
			if depth <= 1 {
				found = append(found, string(text[i+1:end]))
			}
			i = end
		case c == '/' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			i = endOfComment(text, i)
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return found
}

// endOfString returns the place of the quote that ends the string at a place, or of the end of its line.
func endOfString(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i
		}
	}
	return len(text)
}

// endOfComment returns the last place of the comment at a place.
func endOfComment(text []byte, at int) int {
	for i := at + 2; i < len(text); i++ {
		switch {
		case text[at+1] == '/' && text[i] == '\n', text[at+1] == '*' && text[i] == '/' && text[i-1] == '*':
			return i
		}
	}
	return len(text)
}
