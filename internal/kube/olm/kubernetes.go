package olm

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/kubeversion"
)

// kubernetesRelease is the version of Kubernetes in a release of OpenShift.
type kubernetesRelease struct {
	release  string
	versions kubeversion.Range
	source   string
}

// kubernetesTable lists the versions of Kubernetes. A release of OpenShift keeps its minor version, and the next one never has an
// older one, so a release whose version is not known has at least that of the release before it. Releases of operator-controller
// run on several versions and are not listed.
//
// docs/targets.md shows the same table, and a test compares the two.
var kubernetesTable = []kubernetesRelease{
	{"ocp-4.18", kubeversion.Exactly(31), rebase("release-4.18", "v1.31.11", 2377)},
	{"ocp-4.19", kubeversion.Exactly(32), rebase("release-4.19", "v1.32.8", 2411)},
	{"ocp-4.20", kubeversion.Exactly(33), rebase("release-4.20", "v1.33.12", 2666)},
	{"ocp-4.21", kubeversion.Exactly(34), rebase("release-4.21", "v1.34.6", 2634)},
	{"ocp-4.22", kubeversion.Exactly(35), rebase("release-4.22", "v1.35.8", 2773)},
	{"ocp-4.23", kubeversion.AtLeast(35), notOlder("4.22")},
	{"ocp-5.0", kubeversion.Exactly(36), rebase("release-5.0", "v1.36.4", 2776)},
	{"ocp-5.1", kubeversion.AtLeast(36), notOlder("5.0")},
}

func rebase(branch, version string, number int) string {
	return fmt.Sprintf("openshift/kubernetes #%d: %s on branch %s", number, version, branch)
}

func notOlder(release string) string { return "not older than that of " + release }

// kubernetesOf returns the versions of Kubernetes that a target of the table can run. A release as a proposal describes it has that
// of the release itself.
func kubernetesOf(t Target) kubeversion.Range {
	name := strings.TrimSuffix(t.Name, "-proposed")
	for _, r := range kubernetesTable {
		if r.release == name {
			return r.versions
		}
	}
	return kubeversion.Range{}
}
