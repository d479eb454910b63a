package catalogs

import (
	"fmt"

	"github.com/salint/salint/internal/kube/olm"
)

// OfExtension says which bundle OLM installs for an extension: the one in the range that it requests, and for a pinned version also to which
// one OLM would upgrade it. It is "" without a package, or if no catalog has it.
func OfExtension(all []*Catalog, e olm.Extension) string {
	var having []*Catalog
	for _, c := range all {
		if c.Package == e.Package {
			having = append(having, c)
		}
	}
	if e.Package == "" || len(having) == 0 {
		return ""
	}
	r := Request{Package: e.Package, Version: e.Version, Channels: e.Channels}
	installs, err := Resolve(having, r)
	if err != nil {
		return fmt.Sprintf("ClusterExtension %s: %v", e.Name, err)
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
	case next.Edge == "":
		return fmt.Sprintf("%s. Without the version, it would install %s", text, next.Name)
	}
	return fmt.Sprintf("%s. Without the version, it would upgrade to %s (%s)", text, next.Name, next.Edge)
}
