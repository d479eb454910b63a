package judging

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// itemNames are the names of the items of lists, each list once: a binding can have thousands of subjects with a finding each.
type itemNames struct{ known sync.Map } // *manifest.Node of a list to []string

// lastingPath returns a path in an object that stays the same when other items of a list are added or removed: an item that has a
// name is written by its name, with kind and namespace if it has these, as in subjects[ServiceAccount ci/runner].name, and a token of an
// AppProject by its iat and id. Another item at the same index has another path. A pod's field serviceAccount is written as serviceAccountName, which is the same field.
func (n *itemNames) lastingPath(o *objects.Object, path manifest.Path) string {
	var b strings.Builder
	node := o.Node
	for i, step := range path {
		if index, err := strconv.Atoi(step); err == nil && node != nil && 0 <= index && index < len(node.Items()) {
			b.WriteString("[" + n.of(node)[index] + "]")
			node = node.Items()[index]
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if step == "serviceAccount" && o.Kind != olm.ClusterExtensionKind && i == len(path)-1 {
			step = "serviceAccountName"
		}
		b.WriteString(step)
		node = node.Get(path[i])
	}
	return b.String()
}

// of returns what identifies each item among those of its list: its index if it has no name.
func (n *itemNames) of(list *manifest.Node) []string {
	if names, known := n.known.Load(list); known {
		return names.([]string)
	}
	names, counts := make([]string, len(list.Items())), map[string]int{}
	for i, item := range list.Items() {
		name := nameOfItem(item)
		if name == "" {
			names[i] = strconv.Itoa(i)
			continue
		}
		if counts[name]++; counts[name] > 1 {
			name = fmt.Sprintf("%s #%d", name, counts[name])
		}
		names[i] = name
	}
	n.known.Store(list, names)
	return names
}

func nameOfItem(item *manifest.Node) string {
	if !item.IsMapping() {
		return ""
	}
	name := item.Get("name").String()
	if name == "" {
		return nameOfToken(item)
	}
	if namespace := item.Get("namespace").String(); namespace != "" {
		return item.Get("kind").String() + " " + namespace + "/" + name
	}
	return strings.TrimSpace(item.Get("kind").String() + " " + name)
}

// nameOfToken returns what identifies a token of an AppProject: when it was issued, and its id if it has one.
func nameOfToken(item *manifest.Node) string {
	issued := item.Get("iat").String()
	if issued == "" {
		return ""
	}
	return strings.TrimSpace("iat " + issued + " " + item.Get("id").String())
}
