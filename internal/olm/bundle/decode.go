package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rendered"
)

// document is one document of a file, as JSON.
type document struct {
	at   rendered.Origin
	json []byte
}

// decodeFile reads the objects of a file as operator-controller does, which takes kubectl's reader: documents of YAML or
// JSON, lists taken apart, empty documents left out.
//
// Source: k8s.io/cli-runtime/pkg/resource (StreamVisitor, FlattenListVisitor) and
// k8s.io/apimachinery/pkg/apis/meta/v1/unstructured (UnstructuredJSONScheme).
func decodeFile(file string, data []byte) ([]rendered.Object, error) {
	documents, err := split(file, data)
	if err != nil {
		return nil, err
	}
	var objects []rendered.Object
	for _, d := range documents {
		var value any
		if err := utiljson.Unmarshal(d.json, &value); err != nil {
			return nil, errorAt(d.at, "%w", err)
		}
		if objects, err = flatten(objects, d.at, value, maxListDepth); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// split gives the documents that hold something.
func split(file string, data []byte) ([]document, error) {
	if documents, ok := splitJSON(file, data); ok {
		return documents, nil
	}
	return splitYAML(file, data)
}

// splitJSON reads JSON objects that follow one another. It is false for anything else, flow style of YAML included.
func splitJSON(file string, data []byte) ([]document, bool) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, false
	}
	var documents []document
	decoder := json.NewDecoder(bytes.NewReader(data))
	line, counted := 1, 0
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return documents, true
		}
		if err != nil {
			return nil, false
		}
		start := int(decoder.InputOffset()) - len(raw)
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		documents = append(documents, document{at: rendered.Origin{File: file, Line: line}, json: raw})
	}
}

func splitYAML(file string, data []byte) ([]document, error) {
	var documents []document
	start, line, startLine := 0, 0, 1
	add := func(end int) error {
		text := data[start:end]
		if blank(text) {
			return nil
		}
		at := rendered.Origin{File: file, Line: startLine + leadingLines(text)}
		raw, err := toJSON(text)
		if err != nil {
			return syntaxError(file, data, at, err)
		}
		if !bytes.Equal(raw, []byte("null")) {
			documents = append(documents, document{at: at, json: raw})
		}
		return nil
	}
	for offset := 0; offset < len(data); {
		next := endOfLine(data, offset)
		line++
		if rest, marker := bytes.CutPrefix(data[offset:next], []byte("---")); marker {
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' {
				return nil, errorAt(rendered.Origin{File: file, Line: line},
					"invalid Yaml document separator: %s; content begins on the line behind ---", clip(string(rest)))
			}
			if err := add(offset); err != nil {
				return nil, err
			}
			start, startLine = next, line+1
		}
		offset = next
	}
	return documents, add(len(data))
}

func endOfLine(data []byte, from int) int {
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(data)
}

// leadingLines counts the empty lines and comments before the content.
func leadingLines(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if !blank(line) {
			return n
		}
		n++
	}
	return n
}

// blank tells whether there is nothing but space and comments.
func blank(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// toJSON converts a document by the library that operator-controller uses, for readings differ: yes is true for this one.
func toJSON(text []byte) ([]byte, error) {
	if err := checkAliases(text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

// syntaxError gives the place of a mistake from our own scanner, which knows lines and columns of the file.
func syntaxError(file string, data []byte, at rendered.Origin, err error) error {
	for _, doc := range manifest.Scan(file, data).Docs {
		var syntax *manifest.SyntaxError
		if errors.As(doc.Parse(), &syntax) {
			return syntax
		}
	}
	return errorAt(at, "%s", clip(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")))
}

// maxListDepth bounds lists within lists.
const maxListDepth = 8

// flatten takes lists apart. What has items is a list, whatever its kind.
func flatten(objects []rendered.Object, at rendered.Origin, value any, depth int) ([]rendered.Object, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errorAt(at, "not a Kubernetes object: apiVersion and kind are missing")
	}
	items, isList := object["items"]
	if !isList {
		if err := checkType(at, object); err != nil {
			return nil, err
		}
		return append(objects, rendered.Object{Origin: at, JSON: object}), nil
	}
	list, ok := items.([]any)
	if !ok && items != nil {
		return nil, errorAt(at, "items of a list must be a list")
	}
	if depth == 0 {
		return nil, errorAt(at, "lists inside lists, more than %d deep", maxListDepth)
	}
	var err error
	for _, item := range list {
		inheritType(object, item)
		if objects, err = flatten(objects, at, item, depth-1); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// inheritType fills in the type of an item of a typed list (RoleList), which may leave it to the list.
func inheritType(list map[string]any, item any) {
	object, ok := item.(map[string]any)
	if !ok || text(object, "kind") != "" || text(object, "apiVersion") != "" {
		return
	}
	object["apiVersion"] = text(list, "apiVersion")
	object["kind"] = strings.TrimSuffix(text(list, "kind"), "List")
}

func checkType(at rendered.Origin, object map[string]any) error {
	if text(object, "kind") == "" {
		return errorAt(at, "Object 'Kind' is missing; a bundle holds Kubernetes objects and nothing else")
	}
	if depth := nesting(object); depth > maxDepth {
		return errorAt(at, "nested %d deep, which no manifest is", depth)
	}
	return nil
}

// maxDepth is several times what the deepest schemas of published definitions need.
const maxDepth = 500

func nesting(value any) int {
	deepest := 0
	switch v := value.(type) {
	case map[string]any:
		for _, field := range v {
			deepest = max(deepest, nesting(field))
		}
	case []any:
		for _, item := range v {
			deepest = max(deepest, nesting(item))
		}
	}
	return deepest + 1
}

func text(from map[string]any, key string) string {
	value, _ := from[key].(string)
	return value
}

// clip keeps messages readable when a manifest is not.
func clip(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:limit], ""), len(s))
}
