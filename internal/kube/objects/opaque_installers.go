package objects

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

type opaqueInstallersKey struct{}

// AnyNamespace asks [Unit.OpaqueInstallers] for those of all namespaces. It is no valid name.
const AnyNamespace = "*"

// OpaqueInstallers lists the objects of the unit that may bring others to a namespace which no manifest shows: an operator's
// ClusterExtension or Subscription, and what installs a chart. Those whose namespace is not known, or only known when names
// are filled in, may bring them to any.
func (u *Unit) OpaqueInstallers(namespace string) []*Object {
	byNamespace := u.Cached(opaqueInstallersKey{}, func() any {
		found := map[string][]*Object{}
		for _, o := range u.Objects {
			if to, installs := installsTo(o); installs {
				if strings.ContainsAny(to, "${") { // no name has these: it is filled in later
					to = ""
				}
				found[to] = append(found[to], o)
			}
		}
		return found
	}).(map[string][]*Object)
	switch namespace {
	case "":
		return byNamespace[""]
	case AnyNamespace:
		var all []*Object
		for _, brought := range byNamespace {
			all = mergeSorted(all, brought)
		}
		return all
	}
	return mergeSorted(byNamespace[namespace], byNamespace[""])
}

// installsTo is the namespace to which an object may bring others; installs is false for objects that bring none.
func installsTo(o *Object) (namespace string, installs bool) {
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

// installsChart tells of an Application that one of its sources is a chart of a repository of charts.
func installsChart(spec *manifest.Node) bool {
	if spec.Lookup(manifest.Path{"source", "chart"}) != nil {
		return true
	}
	for i := range items(spec.Get("sources")) {
		if spec.Lookup(manifest.Path{"sources", strconv.Itoa(i), "chart"}) != nil {
			return true
		}
	}
	return false
}
