package olm

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// Layout is one of the forms that the manifest of an extension has had. It is named after the first release of
// operator-controller with it.
type Layout string

// The layouts, in order of their release.
const (
	LayoutV09  Layout = "v0.9"
	LayoutV010 Layout = "v0.10"
	// LayoutExtension is the namespaced kind Extension, which exists in v0.10 only.
	LayoutExtension Layout = "v0.10 Extension"
	LayoutV012      Layout = "v0.12"
	LayoutV014      Layout = "v0.14"
	LayoutV015      Layout = "v0.15"
	// LayoutV018 has the fields of v1.0 under the version v1alpha1.
	LayoutV018 Layout = "v0.18"
	LayoutV1   Layout = "v1.0"
)

// layout holds the paths of the fields that salint reads. A path is nil if the layout has no such field.
type layout struct {
	name     Layout
	releases string
	version  string // API version

	namespace, account, packageName, packageVersion manifest.Path
}

var (
	specPackage        = manifest.Path{"spec", "packageName"}
	specVersion        = manifest.Path{"spec", "version"}
	specNamespace      = manifest.Path{"spec", "namespace"}
	specAccount        = manifest.Path{"spec", "serviceAccount"}
	specInstallNS      = manifest.Path{"spec", "installNamespace"}
	specPreflight      = manifest.Path{"spec", "preflight"}
	specSource         = manifest.Path{"spec", "source"}
	installNamespace   = manifest.Path{"spec", "install", "namespace"}
	installAccount     = manifest.Path{"spec", "install", "serviceAccount"}
	installPreflight   = manifest.Path{"spec", "install", "preflight"}
	catalogPackage     = manifest.Path{"spec", "source", "catalog", "packageName"}
	catalogVersion     = manifest.Path{"spec", "source", "catalog", "version"}
	specChannel        = manifest.Path{"spec", "channel"}
	specConstraint     = manifest.Path{"spec", "upgradeConstraintPolicy"}
	extensionAccount   = manifest.Path{"spec", "serviceAccountName"}
	extensionPackage   = manifest.Path{"spec", "source", "package", "name"}
	extensionVersion   = manifest.Path{"spec", "source", "package", "version"}
	extensionNamespace = manifest.Path{"metadata", "namespace"}
)

const (
	// APIGroup is the API group of ClusterExtensions in all releases.
	APIGroup = "olm.operatorframework.io"
	v1alpha1 = "v1alpha1"
	v1       = "v1"
)

// layouts lists the layouts of the kind ClusterExtension. Source: api/v1alpha1 and api/v1 of operator-controller,
// clusterextension_types.go at the tags v0.9.0 to v1.11.0.
var layouts = []layout{
	{name: LayoutV09, releases: "v0.9", version: v1alpha1,
		packageName: specPackage, packageVersion: specVersion},
	{name: LayoutV010, releases: "v0.10 to v0.11", version: v1alpha1,
		namespace: specInstallNS, packageName: specPackage, packageVersion: specVersion},
	{name: LayoutV012, releases: "v0.12 to v0.13", version: v1alpha1,
		namespace: specInstallNS, account: specAccount, packageName: specPackage, packageVersion: specVersion},
	{name: LayoutV014, releases: "v0.14", version: v1alpha1,
		namespace: specInstallNS, account: specAccount, packageName: catalogPackage, packageVersion: catalogVersion},
	{name: LayoutV015, releases: "v0.15 to v0.17", version: v1alpha1,
		namespace: installNamespace, account: installAccount, packageName: catalogPackage, packageVersion: catalogVersion},
	{name: LayoutV018, releases: "v0.18", version: v1alpha1,
		namespace: specNamespace, account: specAccount, packageName: catalogPackage, packageVersion: catalogVersion},
	{name: LayoutV1, releases: "v1.0 and later", version: v1,
		namespace: specNamespace, account: specAccount, packageName: catalogPackage, packageVersion: catalogVersion},
}

// extensionLayout is the layout of the kind Extension: api/v1alpha1/extension_types.go at v0.10.0.
var extensionLayout = layout{name: LayoutExtension, releases: "v0.10", version: v1alpha1,
	namespace: extensionNamespace, account: extensionAccount,
	packageName: extensionPackage, packageVersion: extensionVersion}

// marker is a field that distinguishes layouts.
type marker struct {
	path     manifest.Path
	releases string
	layouts  []Layout
}

// markers lists the fields that only some layouts have.
var markers = [...]marker{
	{specPackage, "v0.9 to v0.13", []Layout{LayoutV09, LayoutV010, LayoutV012}},
	{specVersion, "v0.9 to v0.13", []Layout{LayoutV09, LayoutV010, LayoutV012}},
	{specChannel, "v0.9 to v0.13", []Layout{LayoutV09, LayoutV010, LayoutV012}},
	{specConstraint, "v0.9 to v0.13", []Layout{LayoutV09, LayoutV010, LayoutV012}},
	{specInstallNS, "v0.10 to v0.14", []Layout{LayoutV010, LayoutV012, LayoutV014}},
	{specPreflight, "v0.12 to v0.14", []Layout{LayoutV012, LayoutV014}},
	{specSource, "v0.14 and later", []Layout{LayoutV014, LayoutV015, LayoutV018, LayoutV1}},
	{installNamespace, "v0.15 to v0.17", []Layout{LayoutV015}},
	{installAccount, "v0.15 to v0.17", []Layout{LayoutV015}},
	{installPreflight, "v0.15 and later", []Layout{LayoutV015, LayoutV018, LayoutV1}},
	{specNamespace, "v0.18 and later", []Layout{LayoutV018, LayoutV1}},
	{specAccount, "v0.12 to v0.14 and v0.18 and later", []Layout{LayoutV012, LayoutV014, LayoutV018, LayoutV1}},
}

// Misplaced is a field that the layout of its extension does not have: the API server rejects it, or drops it.
type Misplaced struct {
	Path manifest.Path
	// Releases are the releases of operator-controller that have the field, as in "v0.9 to v0.13".
	Releases string
}

// detectLayout finds the layout of the API version that has most of the existing fields; of equally good ones the earliest.
// The fields that it does not have are returned as misplaced.
func detectLayout(obj *manifest.Node, version string) (layout, []Misplaced) {
	var present [len(markers)]bool
	for i := range markers {
		_, present[i] = obj.Field(markers[i].path)
	}
	best := bestLayout(present, version)
	var misplaced []Misplaced
	for i := range markers {
		if m := &markers[i]; present[i] && !slices.Contains(m.layouts, best.name) {
			misplaced = append(misplaced, Misplaced{Path: m.path, Releases: m.releases})
		}
	}
	return *best, misplaced
}

func bestLayout(present [len(markers)]bool, version string) *layout {
	var best *layout
	most := -1
	for n := range layouts {
		candidate := &layouts[n]
		// An unknown future version is more likely to be like v1 than like the alpha versions.
		if alpha := candidate.version == v1alpha1; alpha != (version == v1alpha1) {
			continue
		}
		fits := 0
		for i := range markers {
			if present[i] && slices.Contains(markers[i].layouts, candidate.name) {
				fits++
			}
		}
		if fits > most {
			best, most = candidate, fits
		}
	}
	return best
}
