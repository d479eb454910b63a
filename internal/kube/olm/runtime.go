package olm

// Runtime is the way in which operator-controller applies the objects of an extension, and the permissions that its
// identity needs for that.
type Runtime struct {
	// Name is Helm or Boxcutter.
	Name string
	// Account is true if the runtime acts as the account of the extension, if one is set.
	Account bool
	// Placeholder is true if the account name Placeholder represents the synthetic identity, with its gate on.
	Placeholder bool
	// Finalizers is the resource of olm.operatorframework.io whose subresource finalizers the identity must be allowed to
	// update; "" if none.
	Finalizers string
	// Collections is true if the identity also lists and watches all that it applies.
	Collections bool
}

// Names of the runtimes.
const (
	HelmRuntime      = "Helm"
	BoxcutterRuntime = "Boxcutter"
)

// runtimeRow applies to a range of releases of one family.
type runtimeRow struct {
	family      string
	first, last release
	Runtime
}

const clusterExtensions = "clusterextensions"

// runtimes lists the releases that honor the account; those that ignore it require nothing of it. Sources: at
// operator-controller's tags v1.0.0 to v1.11.0, cmd/operator-controller/main.go (mapping of accounts to clients),
// internal/operator-controller/action/restconfig.go (the placeholder), internal/operator-controller/applier/boxcutter.go
// and internal/operator-controller/authorization/rbac.go (finalizers); for OpenShift the same files in the branches
// release-4.18 to release-4.23 of operator-framework-operator-controller.
var runtimes = []runtimeRow{
	{upstream, minorOf(1, 0), minorOf(1, 2), Runtime{HelmRuntime, true, false, clusterExtensions, true}},
	{upstream, minorOf(1, 3), minorOf(1, 10), Runtime{HelmRuntime, true, true, clusterExtensions, true}},
	{upstream, minorOf(1, 6), minorOf(1, 7), Runtime{BoxcutterRuntime, false, false, "", false}},
	{upstream, minorOf(1, 8), minorOf(1, 8), Runtime{BoxcutterRuntime, true, false, "clusterextensionrevisions", false}},
	{upstream, minorOf(1, 9), minorOf(1, 10), Runtime{BoxcutterRuntime, true, false, "clusterobjectsets", false}},
	{openshift, minorOf(4, 18), lastOpenShift4, Runtime{HelmRuntime, true, false, clusterExtensions, true}},
	{openshift, minorOf(4, 22), lastOpenShift4, Runtime{BoxcutterRuntime, true, false, "clusterobjectsets", false}},
}

// lastOpenShift4 represents the last release of OpenShift 4: from 5.0 on, the account is ignored.
var lastOpenShift4 = minorOf(4, 9999)

func minorOf(major, minor int) release { return release{major: major, minor: minor} }

// RuntimeOf returns the runtime of a target with the given gates. If the gate is not set, it is Helm. ok is false if the
// release is not known well enough, as for the model required with Boxcutter, or not known at all.
func RuntimeOf(target Target, given map[string]bool) (runtime Runtime, ok bool) {
	name := HelmRuntime
	if on, _ := gateState(given, BoxcutterGate); on {
		name = BoxcutterRuntime
	}
	if target.Model == Unknown {
		return Runtime{}, false
	}
	if target.Model == Ignored || target.Model == Removed {
		return Runtime{Name: name}, true
	}
	r, known := parseRelease(target.Name)
	for _, row := range runtimes {
		if known && row.Name == name && row.family == r.family && !r.before(row.first) && !row.last.before(r) {
			return row.Runtime, true
		}
	}
	if known || name == BoxcutterRuntime {
		return Runtime{}, false
	}
	// A bare model, or a proposal without changes here.
	return Runtime{HelmRuntime, true, target.Placeholder, clusterExtensions, true}, true
}
