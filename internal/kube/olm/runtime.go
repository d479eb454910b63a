package olm

// Runtime is how operator-controller applies the objects of an extension, and what its identity needs for that.
type Runtime struct {
	// Name is Helm or Boxcutter.
	Name string
	// Account tells that it acts as the account of the extension, where one is set.
	Account bool
	// Placeholder tells that it takes the account name Placeholder for the synthetic identity, with its gate on.
	Placeholder bool
	// Finalizers is the resource of olm.operatorframework.io on whose subresource finalizers the identity needs the verb
	// update; "" when it needs none.
	Finalizers string
	// Collections tells that the identity also lists and watches whatever it applies.
	Collections bool
}

// Names of the runtimes.
const (
	HelmRuntime      = "Helm"
	BoxcutterRuntime = "Boxcutter"
)

// runtimeRow holds for a range of releases of one family.
type runtimeRow struct {
	family      string
	first, last release
	Runtime
}

const clusterExtensions = "clusterextensions"

// runtimes lists what is known of releases that honor the account; those that ignore it need nothing of it. Sources: at
// operator-controller's tags v1.0.0 to v1.11.0, cmd/operator-controller/main.go
// (who maps accounts to clients), internal/operator-controller/action/restconfig.go (the placeholder),
// internal/operator-controller/applier/boxcutter.go and internal/operator-controller/authorization/rbac.go (finalizers);
// for OpenShift the same files in the branches release-4.18 to release-5.1 of operator-framework-operator-controller.
var runtimes = []runtimeRow{
	{upstream, minorOf(1, 0), minorOf(1, 2), Runtime{HelmRuntime, true, false, clusterExtensions, true}},
	{upstream, minorOf(1, 3), minorOf(1, 10), Runtime{HelmRuntime, true, true, clusterExtensions, true}},
	{upstream, minorOf(1, 6), minorOf(1, 7), Runtime{BoxcutterRuntime, false, false, "", false}},
	{upstream, minorOf(1, 8), minorOf(1, 8), Runtime{BoxcutterRuntime, true, false, "clusterextensionrevisions", false}},
	{upstream, minorOf(1, 9), minorOf(1, 10), Runtime{BoxcutterRuntime, true, false, "clusterobjectsets", false}},
	{openshift, minorOf(4, 18), newest, Runtime{HelmRuntime, true, false, clusterExtensions, true}},
	{openshift, minorOf(4, 22), newest, Runtime{BoxcutterRuntime, true, false, "clusterobjectsets", false}},
}

// newest stands for no upper end.
var newest = minorOf(9999, 9999)

func minorOf(major, minor int) release { return release{major: major, minor: minor} }

// RuntimeOf reports which runtime a target has under the given gates. Without a word about the gate it is Helm. ok is
// false where the release is not known well enough to say, as for the model required with Boxcutter.
func RuntimeOf(target Target, given map[string]bool) (runtime Runtime, ok bool) {
	name := HelmRuntime
	if on, _ := gateState(given, BoxcutterGate); on {
		name = BoxcutterRuntime
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
	// A bare model, or a proposal that changes nothing here.
	return Runtime{HelmRuntime, true, target.Placeholder, clusterExtensions, true}, true
}
