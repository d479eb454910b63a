package evaluate

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
)

// readCase reads the case of a finding, a name or a list of parts. A finding of a user's rule without one has its message
// as its case, because the rule can say several things about a field.
func readCase(s *evalcontext.Evaluation, rule *metadata.Rule, f map[string]any, r *Report) error {
	value, given := f["case"]
	if !given {
		if rule.User {
			r.Case = r.Message
		}
		return nil
	}
	parts, ok := value.([]any)
	if !ok {
		parts = []any{value}
	}
	if len(parts) == 0 || len(parts) == 1 && parts[0] == "" {
		return fmt.Errorf("a case must be a name, or a list of names, paths, and {ref, path}, not %s", typeOf(value))
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		text, err := partOfCase(s, part, r.Object)
		if err != nil {
			return err
		}
		texts[i] = text
	}
	r.Case = strings.Join(texts, partEnd)
	return nil
}

// partEnd separates the parts of a case. Manifests cannot contain it.
const partEnd = "\x00"

// partOfCase returns the text of a part: a string itself, or the written value of a field of an object.
func partOfCase(s *evalcontext.Evaluation, part any, o *objects.Object) (string, error) {
	switch part := part.(type) {
	case string:
		return part, nil
	case []any:
		path, err := parsePath(part)
		return writtenValue(o, path), err
	case map[string]any:
		other, err := s.Lookup(part["ref"])
		if err != nil {
			return "", fmt.Errorf("case: %w", err)
		}
		path, err := parsePath(part["path"])
		return writtenValue(other, path), err
	}
	return "", fmt.Errorf("a case must be a name, or a list of names, paths, and {ref, path}, not %s", typeOf(part))
}

// writtenValue returns the value of a field before a kustomization changes it, for instance with a prefix. A template fills in
// another value in each rendering, so the value is the place in the template.
func writtenValue(o *objects.Object, path manifest.Path) string {
	if o.Applied == nil {
		return o.Node.Lookup(path).String()
	}
	trace := setBy(o.Applied.Trace(path))
	if trace.Doc == nil {
		file, span := trace.Locate()
		line, column := file.Position(span.Start)
		return fmt.Sprintf("%s:%d:%d", file.Path, line, column)
	}
	if node := trace.Doc.Root.Lookup(trace.Path); node.IsScalar() {
		return node.String()
	}
	return o.Node.Lookup(path).String()
}

// setBy returns the first place that sets a field, and does not change what another one sets.
func setBy(places []objects.Trace) objects.Trace {
	for _, place := range places {
		if place.What != objects.Transformer {
			return place
		}
	}
	return places[0]
}

// tellApart adds the messages to the cases of findings of one evaluation that would otherwise be one finding, although they say
// different things: a rule that names too few cases must not hide a problem.
func tellApart(reports []Report) {
	type field struct {
		rule, object, path, named string
	}
	first := map[field]int{}
	for i := range reports {
		r := &reports[i]
		key := field{r.Rule, r.Object.Ref(), r.Path.String(), r.Case}
		j, known := first[key]
		switch {
		case !known:
			first[key] = i
		case reports[j].Message != r.Message:
			r.Case += partEnd + r.Message
		}
	}
}

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
