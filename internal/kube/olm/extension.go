package olm

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/versionrange"
)

// Extension is a ClusterExtension (or an Extension of v0.10), read from any layout.
type Extension struct {
	// Kind is ClusterExtension, or Extension: the namespaced kind of v0.10 only.
	Kind string
	// APIVersion is as written, as in olm.operatorframework.io/v1.
	APIVersion string
	// Name is metadata.name as written, not as applied; "" if it is missing, generated, or only a placeholder.
	Name string
	// NameTemplated is true if the name contains a placeholder.
	NameTemplated bool
	// Namespace is the namespace that the extension is installed in, which contains its account; "" if none is set.
	Namespace string
	// NamespacePath leads to the namespace in the layout, or to the field in which it was found.
	NamespacePath manifest.Path
	// Layout is the layout that fits best, and Releases are the releases of operator-controller with it.
	Layout   Layout
	Releases string
	// Mixed lists the fields that belong to other layouts.
	Mixed []Misplaced
	// Package and Version are those requested from the catalog; Version can be a range.
	Package, Version         string
	PackagePath, VersionPath manifest.Path
	// Channels are those of the catalog that are requested; none for all. SelfCertified allows upgrades that no channel has.
	Channels      []string
	SelfCertified bool
	// CatalogSelector is spec.source.catalog.selector; nil if it is missing.
	CatalogSelector *manifest.Node
	// VersionProblem is why the version is rejected; "" if it is not, is a placeholder, or is not that of the newest layout.
	VersionProblem string
	// Account is the account at its path in the layout; without one, the account found at another path, which is then also
	// in Mixed.
	Account Account
	// Others are accounts at further paths.
	Others []Account
}

// exactVersion matches a version constraint that only one version satisfies: all its numbers are given.
var exactVersion = lazyregexp.New(`^\s*=?\s*v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)\s*$`)

// Pinned returns the single version that the extension requests; ok is false if there is a choice, as in a range.
func (e Extension) Pinned() (version string, ok bool) {
	match := exactVersion().FindStringSubmatch(e.Version)
	if match == nil {
		return "", false
	}
	return match[1], true
}

// The kinds with which OLM v1 installs operators.
const (
	ClusterExtensionKind = "ClusterExtension"
	ExtensionKind        = "Extension"
)

// ReadExtension reads an extension. ok is false for every other object. A manifest need not be complete: the fields of a
// patch are read as far as they exist.
func ReadExtension(obj *manifest.Node) (extension Extension, ok bool) {
	apiVersion := obj.Get("apiVersion").String()
	group, version, _ := strings.Cut(apiVersion, "/")
	if group != APIGroup {
		return Extension{}, false
	}
	kind := obj.Get("kind").String()
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
	for _, channel := range items(obj.Lookup(manifest.Path{"spec", "source", "catalog", "channels"})) {
		e.Channels = append(e.Channels, channel.String())
	}
	e.CatalogSelector = obj.Lookup(manifest.Path{"spec", "source", "catalog", "selector"})
	e.SelfCertified = obj.Lookup(manifest.Path{"spec", "source", "catalog", "upgradeConstraintPolicy"}).String() == "SelfCertified"
	if slices.Equal(e.VersionPath, catalogVersion) {
		e.VersionProblem = versionProblem(obj)
	}
	return e
}

// versionProblem returns why spec.source.catalog.version is rejected.
func versionProblem(obj *manifest.Node) string {
	field, there := obj.Field(catalogVersion)
	switch version := field.Value; {
	case !there || version.IsNull() || isTemplateNode(version):
		return ""
	case !version.IsString():
		return "the API server rejects a value that is not a string, so quote it"
	default:
		return versionrange.Problem(version.String())
	}
}

// readText reads a scalar at the path of the layout, otherwise at those of other layouts. If it finds none, it returns the
// path of the layout.
func readText(obj *manifest.Node, own manifest.Path, others ...manifest.Path) (string, manifest.Path) {
	if text := obj.Lookup(own).String(); text != "" && len(own) > 0 {
		return text, own
	}
	for _, path := range others {
		if text := obj.Lookup(path).String(); text != "" {
			return text, path
		}
	}
	return "", own
}

// accountPaths are the paths of the account in the layouts of ClusterExtension.
var accountPaths = []manifest.Path{specAccount, installAccount}

// readAccounts reads the account at the path of the layout, then those at the paths of other layouts. For a layout without
// an account, the path is that of later layouts.
func readAccounts(obj *manifest.Node, own manifest.Path) (account Account, others []Account) {
	if own == nil {
		own = specAccount
	}
	account = readAccount(obj, own)
	for _, path := range accountPaths {
		if slices.Equal(path, own) {
			continue
		}
		if other := readAccount(obj, path); other.State != Absent && other.State != Hidden {
			others = append(others, other)
		}
	}
	if account.State == Absent && len(others) > 0 {
		return others[0], others[1:]
	}
	return account, others
}
