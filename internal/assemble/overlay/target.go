package overlay

import (
	"regexp"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// certainty is whether a patch is applied to an object. It is possible if it depends on labels, or on a name between two
// prefixes.
type certainty int

const (
	no certainty = iota
	possible
	certain
)

// appliesTo returns whether a patch is applied to an object.
func (p patch) appliesTo(o *objects.Object) certainty {
	source := sourceOf(o)
	if !p.reaches[fileOf(o)] {
		return no
	}
	if p.target == nil {
		return p.namesObject(source, o)
	}
	return selects(p.target, source, o)
}

// namesObject returns whether a strategic merge patch without a target names an object.
func (p patch) namesObject(source, o *objects.Object) certainty {
	if p.what != objects.StrategicPatch {
		return no
	}
	root := p.node()
	group, _ := objects.SplitAPIVersion(root.Get("apiVersion").String())
	kind, name := root.Get("kind").String(), root.Get("metadata").Get("name").String()
	if kind != source.Kind && kind != o.Kind || group != source.Group && group != o.Group {
		return no
	}
	return compareName(name, source, o, func(name, other string) bool { return name == other })
}

// compareName compares a name with the first and the last name of an object; if a prefix or suffix was added in several
// steps, names in between are possible.
func compareName(name string, source, o *objects.Object, same func(name, other string) bool) certainty {
	switch {
	case same(name, source.Name), same(name, o.Name):
		return certain
	case source.Name != o.Name && strings.Contains(o.Name, source.Name) && strings.Contains(name, source.Name):
		return possible
	}
	return no
}

// selects returns whether a selector matches; its fields are regular expressions for the whole value (kustomize
// api/types/selector.go).
func selects(target *manifest.Node, source, o *objects.Object) certainty {
	_, version := objects.SplitAPIVersion(source.APIVersion)
	_, versionNow := objects.SplitAPIVersion(o.APIVersion)
	for field, values := range map[string][2]string{
		"group": {source.Group, o.Group}, "version": {version, versionNow}, "kind": {source.Kind, o.Kind},
	} {
		pattern := target.Get(field).String()
		if pattern != "" && !matches(pattern, values[0]) && !matches(pattern, values[1]) {
			return no
		}
	}
	result := certain
	if pattern := target.Get("name").String(); pattern != "" && !matches(pattern, source.Name) && !matches(pattern, o.Name) {
		if source.Name == o.Name {
			return no
		}
		result = possible
	}
	pattern := target.Get("namespace").String()
	if pattern != "" && (!matches(pattern, source.Namespace) || !matches(pattern, o.Namespace)) {
		result = possible
	}
	if target.Get("labelSelector").String() != "" || target.Get("annotationSelector").String() != "" {
		result = possible
	}
	return result
}

func matches(pattern, value string) bool {
	if regexp.QuoteMeta(pattern) == pattern {
		return pattern == value // most patterns are words, and an expression takes long to compile
	}
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	return err == nil && re.MatchString(value)
}
