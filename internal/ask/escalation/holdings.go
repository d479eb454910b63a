package escalation

// holdings are permissions of one kind by namespace and name, so that those for an object are found without a search.
type holdings map[objectName]held

func holdingsOf(list []held) holdings {
	found := holdings{}
	for _, h := range list {
		key := objectName{h.namespace, h.name}
		if _, known := found[key]; !known {
			found[key] = h
		}
	}
	return found
}

// on returns the permission for an object. The widest comes first.
func (s holdings) on(namespace, name string) (held, bool) {
	for _, key := range []objectName{{}, {"", name}, {namespace, ""}, {namespace, name}} {
		if h, ok := s[key]; ok {
			return h, true
		}
	}
	return held{}, false
}
