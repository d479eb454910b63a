package evaluate

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
)

// readHolder reads the parts of which the holder of a finding consists: strings, paths of fields of its object, and {ref, path}.
func readHolder(s *evalcontext.Evaluation, _ *metadata.Rule, f map[string]any, r *Report) error {
	value, given := f["holder"]
	if !given {
		return nil
	}
	parts, ok := value.([]any)
	if !ok || len(parts) == 0 {
		return fmt.Errorf("a holder must be a list of strings and paths, not %s", typeOf(value))
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		text, err := partOfHolder(s, part, r.Object)
		if err != nil {
			return fmt.Errorf("holder: %w", err)
		}
		texts[i] = text
	}
	r.Holder = strings.Join(texts, partEnd)
	return nil
}

// partOfHolder returns the text of a part: a string itself, or the written value of a field, of another object as {ref, path}.
func partOfHolder(s *evalcontext.Evaluation, part any, o *objects.Object) (string, error) {
	written := part
	switch part := part.(type) {
	case string:
		return part, nil
	case map[string]any:
		other, err := s.Lookup(part["ref"])
		if err != nil {
			return "", err
		}
		o, written = other, part["path"]
	}
	path, err := parsePath(written)
	if err != nil {
		return "", err
	}
	return holderField(o, path), nil
}

// holderField returns the value of a field before a kustomization changes it, so that a holder has one name in all overlays.
// Other than in a case, a field of a template has the value of the rendering: its place changes with every line above it.
func holderField(o *objects.Object, path manifest.Path) string {
	if o.Applied != nil {
		trace := setBy(o.Applied.Trace(path))
		if trace.Doc == nil {
			return o.Node.Lookup(path).String()
		}
	}
	return writtenValue(o, path)
}
