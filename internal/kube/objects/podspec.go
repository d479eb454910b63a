package objects

import (
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
)

// PodSpecKind defines where objects of a kind embed the specification of a pod. A step [AnyItem] matches every item of a
// list or mapping.
type PodSpecKind struct {
	Group, Kind string
	Path        manifest.Path
}

// AnyItem is the step in a path of a [PodSpecKind] that matches every item.
const AnyItem = "*"

// PodSpec is the specification of a pod inside an object.
type PodSpec struct {
	// Path leads to it inside the object.
	Path manifest.Path
	Node *manifest.Node
}

// PodSpecs returns the pod specifications of a workload, in the order of the file; none for other objects. More are kinds
// that the configuration adds to those of [Workloads].
func PodSpecs(o *Object, more ...PodSpecKind) []PodSpec {
	var specs []PodSpec
	seen := map[string]bool{}
	for _, kinds := range [][]PodSpecKind{workloads, more} {
		for _, kind := range kinds {
			if kind.Group != o.Group || kind.Kind != o.Kind {
				continue
			}
			for _, spec := range podSpecsAt(o.Node, nil, kind.Path) {
				if !seen[spec.Path.String()] {
					seen[spec.Path.String()] = true
					specs = append(specs, spec)
				}
			}
		}
	}
	return specs
}

// AccountPods returns the pod specifications whose account the manifest decides: not those for which an operator sets another one.
func AccountPods(o *Object, more ...PodSpecKind) []PodSpec {
	pods := PodSpecs(o, more...)
	if !operatorSetsAccount(o) {
		return pods
	}
	return slices.DeleteFunc(pods, func(p PodSpec) bool { return p.Node.Get(accountNameField).String() == "" })
}

// podSpecsAt follows the rest of a path from a node.
func podSpecsAt(n *manifest.Node, path, rest manifest.Path) []PodSpec {
	for i, step := range rest {
		if step != AnyItem {
			continue
		}
		var specs []PodSpec
		around := path.Join(rest[:i]...)
		for _, key := range KeysOf(n.Lookup(rest[:i])) {
			specs = append(specs, podSpecsAt(n.Lookup(rest[:i].Join(key)), around.Join(key), rest[i+1:])...)
		}
		return specs
	}
	if node := n.Lookup(rest); node.IsMapping() {
		return []PodSpec{{path.Join(rest...), node}}
	}
	return nil
}

// KeysOf lists the steps from a list or mapping to its items.
func KeysOf(n *manifest.Node) []string {
	var keys []string
	for i := range Items(n) {
		keys = append(keys, strconv.Itoa(i))
	}
	if n.IsMapping() {
		for _, field := range n.Fields() {
			keys = append(keys, field.Key.String())
		}
	}
	return keys
}

const (
	accountNameField  = "serviceAccountName"
	accountAliasField = "serviceAccount"
	defaultAccount    = "default"
	templatedName     = "{{ }}"
)

// Account returns the name of the account that the pod runs as, and the field that sets it. As in the API server,
// serviceAccountName takes precedence over its deprecated alias serviceAccount, and a pod without either, or only with
// empty ones, gets `default`: then the field is "". A placeholder without quotes, as in {{ account }}, is parsed as a
// mapping: it is returned as [templatedName].
func (p PodSpec) Account() (name, field string) {
	for _, field := range []string{accountNameField, accountAliasField} {
		written := p.Node.Get(field)
		if written.IsMapping() {
			return templatedName, field
		}
		if name := written.String(); name != "" {
			return name, field
		}
	}
	return defaultAccount, ""
}

// Alias returns the value of the deprecated field serviceAccount, and whether the field exists.
func (p PodSpec) Alias() (value *manifest.Node, there bool) {
	field, there := p.Node.Field(manifest.Path{accountAliasField})
	return field.Value, there
}
