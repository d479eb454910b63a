package objects

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

type opaqueInstallersKey struct{}

// AnyNamespace selects all namespaces in [Unit.OpaqueInstallers]. It is not a valid name.
const AnyNamespace = "*"

// OpaqueInstallers returns the objects of the unit that can create others in a namespace which no manifest shows: an
// operator's ClusterExtension or Subscription, and objects that install a chart. An installer whose namespace is unknown,
// or contains placeholders, counts for every namespace.
func (u *Unit) OpaqueInstallers(namespace string) []*Object {
	byNamespace := u.OpaqueInstallersByNamespace()
	switch namespace {
	case "":
		return byNamespace[""]
	case AnyNamespace:
		var all []*Object
		for _, installers := range byNamespace {
			all = mergeSorted(all, installers)
		}
		return all
	}
	return mergeSorted(byNamespace[namespace], byNamespace[""])
}

// OpaqueInstallersByNamespace returns the same objects by the namespace in which they create others, "" for an unknown one. The map
// must not be changed.
func (u *Unit) OpaqueInstallersByNamespace() map[string][]*Object {
	return u.Cached(opaqueInstallersKey{}, func() any {
		found := map[string][]*Object{}
		for _, o := range u.Objects {
			if to, installs := installNamespace(o); installs {
				if strings.ContainsAny(to, "${") { // not valid in names: a placeholder
					to = ""
				}
				found[to] = append(found[to], o)
			}
		}
		return found
	}).(map[string][]*Object)
}

// installNamespace returns the namespace in which an object can create others; installs is false for objects that create
// none.
func installNamespace(o *Object) (namespace string, installs bool) {
	switch o.Group + "/" + o.Kind {
	case "operators.coreos.com/Subscription":
		return o.Namespace, true
	case "helm.toolkit.fluxcd.io/HelmRelease", "helm.cattle.io/HelmChart":
		if target := o.Node.Lookup(manifest.Path{"spec", "targetNamespace"}).String(); target != "" {
			return target, true
		}
		return o.Namespace, true
	case "argoproj.io/Application":
		spec := o.Node.Get("spec")
		return spec.Lookup(manifest.Path{"destination", "namespace"}).String(), installsChart(spec)
	case "argoproj.io/ApplicationSet":
		spec := o.Node.Lookup(manifest.Path{"spec", "template", "spec"})
		return spec.Lookup(manifest.Path{"destination", "namespace"}).String(), installsChart(spec)
	}
	extension, ok := olm.ReadExtension(o.Node)
	return extension.Namespace, ok
}

// installsChart reports whether a source of an Application is a chart of a chart repository.
func installsChart(spec *manifest.Node) bool {
	if spec.Lookup(manifest.Path{"source", "chart"}) != nil {
		return true
	}
	for i := range Items(spec.Get("sources")) {
		if spec.Lookup(manifest.Path{"sources", strconv.Itoa(i), "chart"}) != nil {
			return true
		}
	}
	return false
}
