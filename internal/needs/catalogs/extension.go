package catalogs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Outcome is whether OLM installs a bundle for an extension.
type Outcome int

// The outcomes. It is elsewhere if the extension selects other catalogs, or the catalogs do not have the package, which others of the cluster
// can have.
const (
	Installs Outcome = iota
	Elsewhere
	Unknown
	Nothing
)

func outcomeOf(problem string) Outcome {
	switch {
	case strings.HasPrefix(problem, installsNothing):
		return Nothing
	case strings.HasPrefix(problem, selectsOthers):
		return Elsewhere
	}
	return Unknown
}

// outcomeOfError returns the outcome of a resolution that failed. Catalogs are not known to be equal without their ClusterCatalogs.
func outcomeOfError(err error, having []*Catalog, served map[string]Served) Outcome {
	equal := new(ambiguousError)
	switch {
	case !slices.ContainsFunc(having, func(c *Catalog) bool { return c.found }):
		return Elsewhere
	case errors.As(err, &equal) && slices.ContainsFunc(having, func(c *Catalog) bool { _, known := served[c.Serving]; return c.FromObject && !known }):
		return Unknown
	}
	return Nothing
}

// OfExtension says which bundle OLM installs for an extension: the one in the range that it requests, and for a pinned version also to which
// one OLM would upgrade it, with a release of operator-controller. Only catalogs that its selector selects count, by the labels of the ClusterCatalogs that serve them. The text is ""
// without a package, or if there is no catalog.
func OfExtension(all []*Catalog, e olm.Extension, served map[string]Served, support bundlesupport.Release) (text string, outcome Outcome) {
	if e.Package == "" || len(all) == 0 || rbac.Templated(e.Version+e.Package+strings.Join(e.Channels, "")) {
		return "", Installs
	}
	having, problem := selected(all, e, served)
	if problem != "" {
		return fmt.Sprintf("ClusterExtension %s: %s", e.Name, problem), outcomeOf(problem)
	}
	r := Request{Package: e.Package, Version: e.Version, Channels: e.Channels, Support: support}
	installs, err := Resolve(having, r)
	if err != nil {
		outcome = outcomeOfError(err, having, served)
		if outcome == Elsewhere {
			err = fmt.Errorf("which bundle OLM installs is unknown, because %w", err)
		}
		return fmt.Sprintf("ClusterExtension %s: %v", e.Name, err), outcome
	}
	if installs.Requires != "" {
		return fmt.Sprintf("ClusterExtension %s: OLM selects %s (%s), and does not install it, because it depends on another bundle (%s)",
			e.Name, installs.Name, installs.Catalog.Name, installs.Requires), Nothing
	}
	text = fmt.Sprintf("ClusterExtension %s: OLM installs %s (%s%s)", e.Name, installs.Name, installs.Catalog.Name, unlessOthers(all, e, served))
	if _, pinned := e.Pinned(); !pinned {
		return text + ", unless another version is installed, which it must upgrade", Installs
	}
	r.Version = ""
	if !e.SelfCertified {
		r.Installed = installs.Name
	}
	next, err := Resolve(having, r)
	switch {
	case err != nil || next.Name == installs.Name:
		return text + ", and no other bundle upgrades it", Installs
	case next.Requires != "":
		return fmt.Sprintf("%s. Without the version, it would select %s, and not install it, because it depends on another bundle (%s)", text, next.Name, next.Requires), Installs
	case next.Edge == "":
		return fmt.Sprintf("%s. Without the version, it would install %s", text, next.Name), Installs
	}
	return fmt.Sprintf("%s. Without the version, it would upgrade to %s (%s)", text, next.Name, next.Edge), Installs
}

// unlessOthers names the ClusterCatalogs of the repository that an extension selects, and that are not given: they can have the package, too.
func unlessOthers(all []*Catalog, e olm.Extension, served map[string]Served) string {
	selector, problem := selectorOf(e.CatalogSelector)
	var others []string
	for name, object := range served {
		given := slices.ContainsFunc(all, func(c *Catalog) bool { return c.Serving == name })
		if problem == "" && !given && !object.Unavailable && selector.Matches(labels.Set(object.Labels)) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	const shown = 3
	return ", unless one that was not read changes that: " + words.First(shown, others)
}
