package bundle

import (
	"bytes"
	"fmt"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
)

// maxExpanded bounds what aliases may make of a document. The parser's own limit counts nodes, not their bytes: an anchor on
// a long text and many aliases to it stay below it and fill the memory as JSON.
const maxExpanded = 2 * maxFileSize

// checkAliases refuses documents that aliases blow up. Only documents with something like an alias pay for the look. It takes
// the parser that sigs.k8s.io/yaml is made of, which shares what an alias repeats; only writing it out costs.
func checkAliases(text []byte) error {
	if !mayAlias(text) {
		return nil
	}
	var value any
	if yamlv2.Unmarshal(text, &value) != nil {
		return nil // converting it will fail as well, and be reported
	}
	if expanded(value) > maxExpanded {
		return fmt.Errorf("aliases make this more than %d MiB; write out what is meant", maxExpanded>>20)
	}
	return nil
}

// mayAlias looks for an anchor and for a * that may begin an alias: with nothing but space or a bracket before it, and a
// name behind it.
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

// expanded is about how many bytes the value is when written out.
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
