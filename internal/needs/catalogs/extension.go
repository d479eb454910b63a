package catalogs

import (
	"fmt"

	"github.com/salint/salint/internal/kube/olm"
)

// OfExtension says which bundle OLM installs for an extension: the one in the range that it requests, and for a pinned version also to which
// one OLM would upgrade it. Only catalogs that its selector selects count, by the labels of the ClusterCatalogs that serve them. It is ""
// without a package, or if there is no catalog.
func OfExtension(all []*Catalog, e olm.Extension, served map[string]Served) string {
	if e.Package == "" || len(all) == 0 {
		return ""
	}
	having, problem := selected(all, e, served)
	if problem != "" {
		return fmt.Sprintf("ClusterExtension %s: %s", e.Name, problem)
	}
	r := Request{Package: e.Package, Version: e.Version, Channels: e.Channels}
	installs, err := Resolve(having, r)
	if err != nil {
		return fmt.Sprintf("ClusterExtension %s: %v", e.Name, err)
	}
	if installs.Requires != "" {
		return fmt.Sprintf("ClusterExtension %s: OLM selects %s (%s), and does not install it, because it depends on another bundle (%s)",
			e.Name, installs.Name, installs.Catalog.Name, installs.Requires)
	}
	text := fmt.Sprintf("ClusterExtension %s: OLM installs %s (%s)", e.Name, installs.Name, installs.Catalog.Name)
	if _, pinned := e.Pinned(); !pinned {
		return text + ", unless another version is installed, which it must upgrade"
	}
	r.Version = ""
	if !e.SelfCertified {
		r.Installed = installs.Name
	}
	next, err := Resolve(having, r)
	switch {
	case err != nil || next.Name == installs.Name:
		return text + ", and no other bundle upgrades it"
	case next.Requires != "":
		return fmt.Sprintf("%s. Without the version, it would select %s, and not install it, because it depends on another bundle (%s)", text, next.Name, next.Requires)
	case next.Edge == "":
		return fmt.Sprintf("%s. Without the version, it would install %s", text, next.Name)
	}
	return fmt.Sprintf("%s. Without the version, it would upgrade to %s (%s)", text, next.Name, next.Edge)
}
