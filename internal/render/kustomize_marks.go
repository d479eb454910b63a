package render

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// Kustomize's own annotation with the origin of an object makes it record every transformation in every object, too, which takes up to half
// of the time of a build. So the files that a build reads as resources, and the generators, get an annotation with their path instead. Where
// the text of a file does not show how, or something else reads the file as well, the build is repeated with kustomize's annotation.

// originMark is the annotation with the file of an object. Kustomize keeps annotations with this prefix when a patch replaces the others.
const originMark = "internal.config.kubernetes.io/salint-origin"

// roles are how the kustomizations of a build use files.
type roles struct {
	// resources are the files that are read as objects, and others the names of everything that is not read as such.
	resources, others map[string]bool
}

// add records the uses of a kustomization's fields.
func (r *roles) add(dir string, fields map[string]any) {
	if r.resources == nil {
		r.resources, r.others = map[string]bool{}, map[string]bool{}
	}
	for field, value := range fields {
		switch field {
		case "resources", "bases":
			names(dir, value, r.resources)
		case "components":
		default:
			names(dir, value, r.others)
		}
	}
}

// names adds all texts in a value that can be names of files.
func names(dir string, value any, to map[string]bool) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, "\n") {
			return
		}
		to[path.Join(dir, value)] = true
		if _, file, hasKey := strings.Cut(value, "="); hasKey {
			to[path.Join(dir, file)] = true
		}
	case []any:
		for _, item := range value {
			names(dir, item, to)
		}
	case map[string]any:
		for _, below := range value {
			names(dir, below, to)
		}
	}
}

// ambiguous reports whether a file is read as objects and as something else.
func (r *roles) ambiguous() bool {
	for name := range r.resources {
		if r.others[name] {
			return true
		}
	}
	return false
}

// marked returns a file as the build reads it: with marks if it has objects.
func (b *kustomizeBuild) marked(asked, real string, data []byte) []byte {
	if b.annotated || !b.roles.resources[asked] {
		return data
	}
	marked, _ := markDocuments(real, data)
	return marked
}

// markGenerators gives the objects that a kustomization generates marks with its path.
func markGenerators(name string, fields map[string]any) (changed bool) {
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list, _ := fields[field].([]any)
		for _, item := range list {
			generator, _ := item.(map[string]any)
			if behavior := generator["behavior"]; behavior == "merge" {
				continue // the object into which it is merged has a mark
			}
			options := mappingIn(generator, "options")
			annotations := mappingIn(options, "annotations")
			if annotations == nil {
				continue
			}
			annotations[originMark] = name
			options["annotations"] = annotations
			generator["options"] = options
			changed = true
		}
	}
	return changed
}

// mappingIn returns a mapping in a mapping, which is empty if there is none; nil if there is something else, or a key in other capitals.
func mappingIn(fields map[string]any, key string) map[string]any {
	if fields == nil || slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(k string) bool { return k != key && strings.EqualFold(k, key) }) {
		return nil
	}
	if fields[key] == nil {
		return map[string]any{}
	}
	below, _ := fields[key].(map[string]any)
	return below
}

// lineInMessage matches messages with a position in a file, which marks move.
var lineInMessage = lazyregexp.New(`\b(?:line|column|offset)\b`)

// unmarked reports whether a build must be repeated with kustomize's own annotations: an object has no mark, a mark may have become part of
// something else, or the message has a position.
func (b *kustomizeBuild) unmarked(built []json.RawMessage, message string) bool {
	key := []byte(strconv.Quote(originMark))
	return b.roles.ambiguous() || lineInMessage().MatchString(message) ||
		slices.ContainsFunc(built, func(data json.RawMessage) bool {
			return !bytes.Contains(data, key) && !bytes.Contains(data, []byte(chartMark))
		})
}

// markDocuments returns a file whose objects are annotated with a name. It is false if some are not, because their text is not written in
// the usual way.
func markDocuments(name string, data []byte) (marked []byte, all bool) {
	all = true
	var result bytes.Buffer
	done := 0
	for _, doc := range manifest.Scan(name, data).Docs {
		at, text, ok := markOf(doc.Bytes(), name)
		if !ok {
			all = false
			continue
		}
		result.Write(data[done : doc.Span.Start+at])
		result.WriteString(text)
		done = doc.Span.Start + at
	}
	result.Write(data[done:])
	return result.Bytes(), all
}

// simpleKey matches a line with a key and the start of its value.
var simpleKey = lazyregexp.New(`^( *)([A-Za-z][\w./-]*):(?:[ \t]+(.*))?$`)

// anyKey matches a line that starts with a key, which can have quotes.
var anyKey = lazyregexp.New(`^( +)["'\w][^{}]*:`)

// markOf returns where to insert the annotation into a document, and the text.
func markOf(doc []byte, name string) (at int, text string, ok bool) {
	value, err := json.Marshal(name)
	start, line := metadataLine(doc)
	if start < 0 || err != nil || !fs.ValidPath(name) {
		return 0, "", false
	}
	entry := originMark + ": " + string(value)
	if flow := flowMetadata().FindIndex(line); flow != nil && closed(line) && !bytes.Contains(line, []byte("annotations")) {
		return start - len(line) + bytes.IndexByte(line, '{') + 1, "annotations: {" + entry + "}, ", true
	}
	if len(bytes.TrimRight(line, " \t\r\n")) > len("metadata:") || !bytes.HasSuffix(line, []byte("\n")) {
		return 0, "", false
	}
	return inBlock(doc, start, entry)
}

// flowMetadata matches metadata in one line.
var flowMetadata = lazyregexp.New(`^metadata: +\{[^#]*\}\s*$`)

// inBlock is markOf for an entry of metadata over several lines: behind the line of `annotations`, or of `metadata`.
func inBlock(doc []byte, start int, entry string) (at int, text string, ok bool) {
	first, indent, offset := start, "", start
	annotations := false
	for line := range bytes.Lines(doc[start:]) {
		offset += len(line)
		content := bytes.TrimRight(line, " \t\r\n")
		if isBlank(content) {
			continue
		}
		key := simpleKey().FindSubmatch(content)
		switch {
		case annotations: // the first annotation, whose indentation the others have
			below := anyKey().FindSubmatch(content)
			if below == nil || len(below[1]) <= len(indent) {
				return 0, "", false
			}
			return offset - len(line), string(below[1]) + entry + "\n", true
		case content[0] != ' ':
			if indent == "" {
				return 0, "", false
			}
			return first, indent + "annotations:\n" + indent + "  " + entry + "\n", true
		case indent == "" && key == nil:
			return 0, "", false
		case indent == "":
			indent = string(key[1])
		case indentation(content) < len(indent):
			return 0, "", false
		case indentation(content) > len(indent):
			if !closed(content) {
				return 0, "", false
			}
			continue
		}
		if key == nil || !closed(key[3]) {
			return 0, "", false
		}
		if string(key[2]) == "annotations" {
			if len(key[3]) > 0 {
				return 0, "", false
			}
			annotations = true
		}
	}
	if indent == "" || annotations {
		return 0, "", false
	}
	return first, indent + "annotations:\n" + indent + "  " + entry + "\n", true
}

// metadataLine returns the only line with `metadata:`, and the offset behind it; -1 if there is none, or if the document is a list.
func metadataLine(doc []byte) (end int, found []byte) {
	end = -1
	offset := 0
	for line := range bytes.Lines(doc) {
		offset += len(line)
		switch {
		case bytes.HasPrefix(line, []byte("items:")), bytes.HasPrefix(line, []byte("kind:")) && bytes.HasSuffix(bytes.TrimSpace(line), []byte("List")):
			return -1, nil
		case bytes.HasPrefix(line, []byte("metadata:")):
			if end >= 0 {
				return -1, nil
			}
			end, found = offset, line
		}
	}
	return end, found
}

func isBlank(content []byte) bool {
	content = bytes.TrimLeft(content, " \t")
	return len(content) == 0 || content[0] == '#'
}

func indentation(content []byte) int { return len(content) - len(bytes.TrimLeft(content, " ")) }

// closed reports whether a line opens no quotes or brackets that another line closes.
func closed(content []byte) bool {
	return bytes.Count(content, []byte(`"`))%2 == 0 && bytes.Count(content, []byte("'"))%2 == 0 &&
		bytes.Count(content, []byte("{")) == bytes.Count(content, []byte("}")) && bytes.Count(content, []byte("[")) == bytes.Count(content, []byte("]"))
}
