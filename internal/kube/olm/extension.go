package olm

import (
	"regexp"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Extension is a ClusterExtension (or Extension of v0.10), read from whichever layout it is written in.
type Extension struct {
	// Kind is ClusterExtension, or Extension: the namespaced kind that only v0.10 had.
	Kind string
	// APIVersion is as written, as in olm.operatorframework.io/v1.
	APIVersion string
	// Name is metadata.name as written, not as applied; "" when it is missing, generated or a bare template.
	Name string
	// NameTemplated tells that the name is filled in before it is applied.
	NameTemplated bool
	// Namespace is the namespace that the extension is installed in, where its account lives; "" when none is written.
	Namespace string
	// NamespacePath leads to where the layout has the namespace, or to where it was found.
	NamespacePath manifest.Path
	// Layout is the layout that fits best, and Releases the releases of operator-controller that have it.
	Layout   Layout
	Releases string
	// Mixed lists the fields that belong to other layouts.
	Mixed []Misplaced
	// Package and Version are those asked of the catalog; Version may be a range.
	Package, Version         string
	PackagePath, VersionPath manifest.Path
	// Account is the account where the layout has it; where there is none, the account found elsewhere, which is then
	// in Mixed as well.
	Account Account
	// Others are accounts that stand in further places.
	Others []Account
}

// exactVersion is a version constraint that one version satisfies: its numbers are all there.
var exactVersion = regexp.MustCompile(`^\s*=?\s*v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)\s*$`)

// Pinned returns the one version that the extension asks for; ok is false where it leaves a choice, as a range does.
func (e Extension) Pinned() (version string, ok bool) {
	match := exactVersion.FindStringSubmatch(e.Version)
	if match == nil {
		return "", false
	}
	return match[1], true
}

// Kinds that OLM v1 installs operators by.
const (
	ClusterExtensionKind = "ClusterExtension"
	ExtensionKind        = "Extension"
)

// ReadExtension reads an extension. ok is false for every other object. A manifest need not be complete: a patch of an
// extension is read as far as it goes.
func ReadExtension(obj *manifest.Node) (extension Extension, ok bool) {
	apiVersion, kind := obj.Get("apiVersion").String(), obj.Get("kind").String()
	group, version, _ := strings.Cut(apiVersion, "/")
	if group != apiGroup {
		return Extension{}, false
	}
	switch kind {
	case ClusterExtensionKind:
		l, misplaced := detectLayout(obj, version)
		extension = readLayout(obj, l)
		extension.Mixed = misplaced
		extension.Account, extension.Others = readAccounts(obj, l.account)
	case ExtensionKind:
		extension = readLayout(obj, extensionLayout)
		extension.Account = readAccountName(obj, extensionAccount)
	default:
		return Extension{}, false
	}
	extension.Kind, extension.APIVersion = kind, apiVersion
	return extension, true
}

func readLayout(obj *manifest.Node, l layout) Extension {
	name := obj.Lookup(manifest.Path{"metadata", "name"})
	e := Extension{
		Name: name.String(), NameTemplated: isTemplateNode(name),
		Layout: l.name, Releases: l.releases,
	}
	e.Namespace, e.NamespacePath = readText(obj, l.namespace, specNamespace, specInstallNS, installNamespace)
	e.Package, e.PackagePath = readText(obj, l.packageName, catalogPackage, specPackage)
	e.Version, e.VersionPath = readText(obj, l.packageVersion, catalogVersion, specVersion)
	return e
}

// readText reads a scalar where the layout has it, else where other layouts have it. Without one it gives the path of
// the layout.
func readText(obj *manifest.Node, own manifest.Path, others ...manifest.Path) (string, manifest.Path) {
	for _, path := range append([]manifest.Path{own}, others...) {
		if text := obj.Lookup(path).String(); text != "" && len(path) > 0 {
			return text, path
		}
	}
	return "", own
}

// accountPaths are the places in which layouts of ClusterExtension have the account.
var accountPaths = []manifest.Path{specAccount, installAccount}

// readAccounts reads the account in its own place, then those in the places of other layouts. A layout without an
// account returns the place in which later layouts have it.
func readAccounts(obj *manifest.Node, own manifest.Path) (account Account, others []Account) {
	if own == nil {
		own = specAccount
	}
	account = readAccount(obj, own)
	for _, path := range accountPaths {
		if path.String() == own.String() {
			continue
		}
		if other := readAccount(obj, path); other.State != Absent {
			others = append(others, other)
		}
	}
	if account.State == Absent && len(others) > 0 {
		return others[0], others[1:]
	}
	return account, others
}
