package outline

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// settings are documents without a kind that set arguments of the control plane of a cluster: each with a line at the left margin that only they have,
// and another one. They get a kind and a version of this program, so that rules judge them like objects.
//
// Sources: docs.k3s.io/cli/server, docs.rke2.io/reference/server_config, rke.docs.rancher.com/config-options/services, www.vcluster.com/docs (vcluster.yaml),
// www.talos.dev/latest/reference/configuration/v1alpha1/config, and budimanjojo.github.io/talhelper/latest/reference/configuration.
var settings = []struct {
	kind, apiVersion string
	first, second    func() *regexp.Regexp
}{
	{"K3sConfig", "k3s.io/v1", lazyregexp.New(`(?m)^["']?kube-(?:apiserver|controller-manager|scheduler)-arg\+?["']?:`), nil},
	{"RKEConfig", "rke.cattle.io/v1", lazyregexp.New(`(?m)^services:`), lazyregexp.New(`(?m)^[ \t]+(?:kube-api|kube-controller|scheduler):[ \t\r]*$`)},
	{"TalosMachineConfig", "talos.dev/v1alpha1", lazyregexp.New(`(?m)^cluster:`), lazyregexp.New(`(?m)^[ \t]+(?:apiServer|controllerManager|scheduler):`)},
	{"TalosMachineConfig", "talos.dev/v1alpha1", lazyregexp.New(`(?m)^machine:`), lazyregexp.New(`(?m)^[ \t]+pods:[ \t\r]*$`)}, // static pods
	{"TalhelperConfig", "talos.dev/v1", lazyregexp.New(`(?m)^clusterName:`), lazyregexp.New(`(?m)^nodes:`)},
	{"VClusterConfig", "vcluster.com/v1", lazyregexp.New(`(?m)^controlPlane:`), lazyregexp.New(`(?m)^[ \t]+distro:`)},
}

// Settings returns the kind and the version that settings of a control plane without a kind have here; "" for other documents.
func Settings(data []byte) (kind, apiVersion string) {
	if !slices.ContainsFunc([]string{"rgs:", "_args:", "-arg", "/extraArgs", " pods:"}, func(word string) bool { return bytes.Contains(data, []byte(word)) }) {
		return "", ""
	}
	for _, s := range settings {
		if s.first().Match(data) && (s.second == nil || s.second().Match(data)) {
			return s.kind, s.apiVersion
		}
	}
	return "", ""
}
