package silence

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// isPatch returns whether a path leads to the text of a patch: in a kustomization, or where Argo CD and Flux take patches
// in the same form.
func isPatch(path manifest.Path) bool {
	if last := len(path) - 1; last >= 0 && (path[last] == "patch" || path[last] == "ops") {
		path = path[:last]
	} else if last < 1 || path[last-1] != "patchesStrategicMerge" {
		return false
	}
	if len(path) < 2 {
		return false
	}
	_, err := strconv.Atoi(path[len(path)-1])
	return err == nil && slices.Contains([]string{"patches", "patchesJson6902", "patchesStrategicMerge"}, path[len(path)-2])
}

// commentOfPatch returns whether an offset inside a literal block, whose lines are those of the file, is outside all
// strings of the patch that the block contains.
func commentOfPatch(file *manifest.File, block *manifest.Node, offset int) bool {
	if block.Style()&yaml.LiteralStyle == 0 {
		return false
	}
	first, _ := file.Position(block.Span().Start)
	line, _ := file.Position(offset)
	text := block.String()
	lines := strings.SplitAfter(text, "\n")
	n := line - first - 1 // the block begins on the line below its indicator
	if n < 0 || n >= len(lines) {
		return false
	}
	start := bytes.LastIndexByte(file.Data[:offset], '\n') + 1
	end := len(file.Data)
	if i := bytes.IndexByte(file.Data[start:], '\n'); i >= 0 {
		end = start + i
	}
	inner := strings.TrimRight(lines[n], "\r\n")
	indent := len(bytes.TrimRight(file.Data[start:end], "\r")) - len(inner)
	if offset-start < indent {
		return true // a comment that is indented less than the text belongs to the file
	}
	at := len(strings.Join(lines[:n], "")) + offset - start - indent
	return !insideScalar(manifest.Scan(file.Path, []byte(text)), at)
}
