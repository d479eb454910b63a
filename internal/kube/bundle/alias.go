package bundle

import (
	"bytes"
	"fmt"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
)

// maxExpanded limits the size of a document with expanded aliases. The parser's own limit counts nodes, not bytes: an
// anchor on a long text with many aliases stays below it and fills the memory as JSON.
const maxExpanded = 2 * maxFileSize

// checkAliases rejects documents that aliases expand too much. Only documents with something like an alias are parsed here,
// with the parser that sigs.k8s.io/yaml uses, which shares the content of aliases; only expanding is expensive.
func checkAliases(text []byte) error {
	if !mayAlias(text) {
		return nil
	}
	var value any
	if yamlv2.Unmarshal(text, &value) != nil {
		return nil // converting it fails as well, and reports the error
	}
	if expanded(value) > maxExpanded {
		return fmt.Errorf("aliases expand this to more than %d MiB; write out the values", maxExpanded>>20)
	}
	return nil
}

// mayAlias finds an anchor and a * that can begin an alias: preceded by nothing but space or a bracket, and followed by a
// name.
func mayAlias(text []byte) bool {
	if bytes.IndexByte(text, '&') < 0 {
		return false
	}
	for i := range text {
		if text[i] == '*' && (i == 0 || strings.IndexByte(" \t\r\n[{,", text[i-1]) >= 0) &&
			i+1 < len(text) && strings.IndexByte(" \t\r\n*,]}'\"", text[i+1]) < 0 {
			return true
		}
	}
	return false
}

// expanded estimates the bytes of a value with expanded aliases.
func expanded(value any) int {
	size := 1
	switch v := value.(type) {
	case string:
		size += len(v)
	case []any:
		for _, item := range v {
			size += expanded(item)
		}
	case map[any]any:
		for key, field := range v {
			size += expanded(key) + expanded(field)
		}
	}
	return size
}
