package catalogs

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Kind is the kind of the objects that serve catalogs.
const Kind = "ClusterCatalog"

// nameLabel is the label that OLM adds to each ClusterCatalog: its name.
const nameLabel = "olm.operatorframework.io/metadata.name"

// Served is a ClusterCatalog, as far as it decides who installs from it.
type Served struct {
	Labels      map[string]string
	Priority    int
	Unavailable bool
}

// ServedBy returns the ClusterCatalogs by name: those of the unit of an extension, and of those of other units the ones that do not differ
// between units.
func ServedBy(own *objects.Unit, all []*objects.Unit) map[string]Served {
	served := clusterCatalogs(own)
	differ := map[string]bool{}
	others := map[string]Served{}
	for _, unit := range all {
		for name, one := range clusterCatalogs(unit) {
			known, there := others[name]
			differ[name] = differ[name] || there && !reflect.DeepEqual(known, one)
			others[name] = one
		}
	}
	for name, one := range others {
		if _, there := served[name]; !there && !differ[name] {
			served[name] = one
		}
	}
	return served
}

func clusterCatalogs(u *objects.Unit) map[string]Served {
	found := map[string]Served{}
	if u == nil {
		return found
	}
	for _, o := range u.Objects {
		if o.Group == olm.APIGroup && o.Kind == Kind {
			found[o.Name] = servedOf(o)
		}
	}
	return found
}

func servedOf(o *objects.Object) Served {
	s := Served{Labels: map[string]string{}}
	for _, label := range o.Node.Lookup(manifest.Path{"metadata", "labels"}).Fields() {
		s.Labels[label.Key.String()] = label.Value.String()
	}
	s.Labels[nameLabel] = o.Name // catalogd's webhook overwrites it
	s.Priority, _ = strconv.Atoi(o.Node.Lookup(manifest.Path{"spec", "priority"}).String())
	s.Unavailable = o.Node.Lookup(manifest.Path{"spec", "availabilityMode"}).String() == "Unavailable"
	return s
}

// installsNothing begins the problems because of which OLM installs nothing, and selectsOthers those of extensions that select none of the
// given catalogs; others are unknown.
const (
	installsNothing = "OLM installs nothing, because "
	selectsOthers   = "which bundle OLM installs is unknown, because it selects none of these catalogs"
)

// selected returns the catalogs from which OLM installs an extension, with their priorities, or why it is unknown or there are none.
//
// Source: operator-controller v1.10.0, resolve/catalog.go: a missing selector selects all, and catalogs that are unavailable are left out.
func selected(all []*Catalog, e olm.Extension, served map[string]Served) (having []*Catalog, problem string) {
	selector, problem := selectorOf(e.CatalogSelector)
	if problem != "" {
		return nil, problem
	}
	var names, unavailable []string
	for _, c := range all {
		names = append(names, c.Name)
		object, known := served[c.Serving]
		switch {
		case !known && !c.decides(selector):
			return nil, fmt.Sprintf("it selects catalogs by labels, and those of %s are unknown: define its ClusterCatalog in the repository, and pass its name as --catalog NAME=%s", c.Name, c.Name)
		case !known:
			object.Labels = map[string]string{nameLabel: c.Serving}
		}
		if !selector.Matches(labels.Set(object.Labels)) {
			continue
		}
		if object.Unavailable {
			unavailable = append(unavailable, c.Name)
			continue
		}
		chosen := *c
		if c.FromObject {
			chosen.Priority = object.Priority
		}
		having = append(having, &chosen)
	}
	switch {
	case len(having) > 0:
		return having, ""
	case len(unavailable) > 0 && onlyByName(selector):
		return nil, installsNothing + "the catalog that it selects is unavailable: " + strings.Join(unavailable, ", ")
	case len(unavailable) > 0:
		return nil, "which bundle OLM installs is unknown, because what it selects of these catalogs is unavailable: " + strings.Join(unavailable, ", ")
	}
	return nil, selectsOthers + ": " + strings.Join(names, ", ") + others(selector, served)
}

// others says which catalogs of the repository an extension selects instead of the given ones.
func others(selector labels.Selector, served map[string]Served) string {
	for _, name := range slices.Sorted(maps.Keys(served)) {
		if selector.Matches(labels.Set(served[name].Labels)) {
			return fmt.Sprintf("; it selects ClusterCatalog %s, which --catalog %s=DIR adds", name, name)
		}
	}
	return ""
}

// onlyByName reports whether a selector selects catalogs by nothing but their name.
func onlyByName(selector labels.Selector) bool {
	requirements, _ := selector.Requirements()
	return len(requirements) > 0 && !slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return r.Key() != nameLabel })
}

// decides reports whether the name of a catalog alone decides whether a selector selects it.
func (c *Catalog) decides(selector labels.Selector) bool {
	return selector.Empty() || c.Named && onlyByName(selector)
}

// selectorOf reads spec.source.catalog.selector.
func selectorOf(field *manifest.Node) (selector labels.Selector, problem string) {
	if field == nil || field.IsNull() {
		return labels.Everything(), ""
	}
	var read metav1.LabelSelector
	text, err := json.Marshal(field.Decode())
	switch {
	case err == nil && rbac.Templated(string(text)):
		return nil, "which catalogs it selects is unknown, because spec.source.catalog.selector is substituted later"
	case err == nil:
		err = json.Unmarshal(text, &read)
	}
	if err == nil {
		selector, err = metav1.LabelSelectorAsSelector(&read)
	}
	if err != nil {
		return nil, installsNothing + "spec.source.catalog.selector is invalid: " + err.Error()
	}
	return selector, ""
}
