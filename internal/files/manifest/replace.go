package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ReplaceValue replaces the value of a field or item where it is. A scalar that replaces a scalar keeps the rest of its line. Otherwise
// comments in the old value would be lost: the caller refuses them. The error is a *RefusedError.
func (d *Document) ReplaceValue(p Path, value any) (Edit, error) {
	if len(p) == 0 {
		return Edit{}, d.refuse(d.Span.Start, "the path is a whole document, not a field")
	}
	parent, err := d.editable(p[:len(p)-1])
	if err != nil {
		return Edit{}, err
	}
	n, err := d.editable(p)
	switch {
	case err != nil:
		return Edit{}, err
	case n.anchored || n.style&yaml.TaggedStyle != 0:
		return Edit{}, d.refuse(n.span.Start, "%s has an anchor or a tag", p)
	}
	if err := d.checkAnchors(n); err != nil {
		return Edit{}, err
	}
	implied := n.span.Start == n.span.End
	switch {
	case parent.inFlow() && implied && n.colon == 0:
		return Edit{}, d.refuse(n.span.Start, "%s has no value", p)
	case parent.inFlow(), n.kind == yaml.ScalarNode && isScalar(value), n.dash >= 0:
		text := d.flowText(parent, value)
		if implied {
			text = " " + text
		}
		return Edit{n.span, text}, nil
	}
	column := parent.fields[parent.ownIndex(p[len(p)-1])].Key.span.Start
	indent := strings.Repeat(" ", column-d.lineStartOf(column))
	const key = "k"
	lines := strings.TrimPrefix(d.linesAt(n.span.End, map[string]any{key: value}, indent), indent+key+":")
	return Edit{Span{int(n.colon), n.span.End}, lines}, nil
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
