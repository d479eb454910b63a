package duplicates

import (
	"bytes"
	"maps"
	"reflect"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/outline"
)

// validName matches the names that API servers accept; others are filled in later.
var validName = lazyregexp.New(`^[\w.:@-]+$`)

// metadata matches the block or flow mapping of the metadata of a document that is written plainly.
var (
	metadata = lazyregexp.New(`(?m)^metadata:(?:[ \t]*(?:#.*)?\r?\n(?:(?:[ \t]+.*|#.*|[ \t]*)\r?(?:\n|\z))*|[ \t]*\{[^\n]*\})`)
	named    = lazyregexp.New(`(?m)(?:^  |^ {4}|[{,]\s*)(name|namespace):[ \t]*["']?([^\s"',}#]+)["']?[ \t]*(?:#.*|[,}].*)?\r?$`)
	inFlow   = lazyregexp.New(`[{,]\s*(name|namespace):\s*["']?([^\s"',}]+)`)
)

// identityOf reads the identity of a document from its bytes; ok is false if they do not show it.
func identityOf(doc *manifest.Document) (id identity, ok bool) {
	data := doc.Bytes()
	kind, version := doc.Kind(), doc.APIVersion()
	if kind == "" && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{{")) { // not JSON, but a template
		kind, version = outline.Header(withoutActions(data))
	}
	if kind == "" || version == "" {
		return identity{}, false
	}
	text := metadata().Find(data)
	if text == nil {
		return identity{}, false
	}
	id.kind = kind
	if group, _, found := strings.Cut(version, "/"); found {
		id.group = group
	}
	form := named()
	if bytes.Contains(text, []byte("{")) && !bytes.Contains(text, []byte("\n")) {
		form = inFlow()
	}
	indent := -1
	for _, at := range form.FindAllSubmatchIndex(text, -1) {
		depth := at[2] - 1 - bytes.LastIndexByte(text[:at[2]], '\n')
		if indent < 0 {
			indent = firstIndent(text)
		}
		if form == named() && depth != indent {
			continue // a label, or a reference to an owner
		}
		if value := string(text[at[4]:at[5]]); string(text[at[2]:at[3]]) == "name" {
			id.name = value
		} else {
			id.namespace = value
		}
	}
	return id, id.isPlain()
}

// isPlain reports whether the name and the namespace are not filled in later.
func (id identity) isPlain() bool {
	return validName().MatchString(id.name) && (id.namespace == "" || validName().MatchString(id.namespace))
}

// isFilledIn reports whether fields of a document are filled in later.
func isFilledIn(data []byte) bool {
	return bytes.Contains(data, []byte("{{")) || bytes.Contains(data, []byte("${"))
}

// firstIndent is the indentation of the fields of metadata.
func firstIndent(text []byte) int {
	for line := range bytes.Lines(text) {
		content := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(content); n > 0 && len(bytes.TrimSpace(content)) > 0 && content[0] != '#' {
			return n
		}
	}
	return 0
}

// withoutActions returns a template without the actions in its first lines.
func withoutActions(data []byte) []byte {
	for data = bytes.TrimSpace(data); bytes.HasPrefix(data, []byte("{{")); data = bytes.TrimSpace(data) {
		_, rest, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return nil
		}
		data = rest
	}
	return data
}

func isJSON(data []byte) bool {
	data = bytes.TrimSpace(data)
	return bytes.HasPrefix(data, []byte("{")) && !bytes.HasPrefix(data, []byte("{{"))
}

// areEqual compares two objects. Labels and annotations without an entry are none.
func areEqual(a, b any) bool { return reflect.DeepEqual(withoutEmpty(a), withoutEmpty(b)) }

func withoutEmpty(object any) any {
	fields, _ := object.(map[string]any)
	metadata, isMap := fields["metadata"].(map[string]any)
	if !isMap {
		return object
	}
	fields, metadata = maps.Clone(fields), maps.Clone(metadata)
	fields["metadata"] = metadata
	for _, field := range []string{"labels", "annotations"} {
		if entries, _ := metadata[field].(map[string]any); len(entries) == 0 {
			delete(metadata, field)
		}
	}
	return fields
}
