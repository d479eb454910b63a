package manifest

import "sigs.k8s.io/kustomize/kyaml/yaml"

// RenameField changes the key of a field and keeps the key's quotes; value, comments, and position stay. The new key must
// be a word that needs no quotes. The error is a *RefusedError.
func (d *Document) RenameField(p Path, key string) (Edit, error) {
	if len(p) == 0 {
		return Edit{}, d.refuse(d.Span.Start, "a document has no key")
	}
	parent, err := d.editable(p[:len(p)-1])
	if err != nil {
		return Edit{}, err
	}
	if parent.kind != yaml.MappingNode && parent.target == nil {
		return Edit{}, d.refuse(parent.span.Start, "%s is not in a mapping", p)
	}
	index := parent.ownIndex(p[len(p)-1])
	if index < 0 {
		return Edit{}, d.refuseMissing(parent, p)
	}
	if parent.ownIndex(key) >= 0 {
		return Edit{}, d.refuse(parent.span.Start, "%s already exists", p[:len(p)-1].Join(key))
	}
	return d.renameKey(parent.fields[index].Key, key)
}

func (d *Document) renameKey(n *Node, key string) (Edit, error) {
	if n.target != nil || n.anchored || n.style&yaml.TaggedStyle != 0 {
		return Edit{}, d.refuse(n.span.Start, "the key has an anchor or a tag, or is an alias")
	}
	switch n.style &^ yaml.FlowStyle {
	case yaml.DoubleQuotedStyle:
		key = jsonText(key)
	case yaml.SingleQuotedStyle:
		key = "'" + key + "'"
	case 0:
	default:
		return Edit{}, d.refuse(n.span.Start, "the key is written as a block")
	}
	return Edit{n.span, key}, nil
}
