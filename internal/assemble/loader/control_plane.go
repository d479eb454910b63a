package loader

import (
	"bytes"
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The settings of k3s, RKE2, RKE, and Talos are no objects: they have no kind. These match what sets the flags of the control plane in them, and the
// flags that rules check. Sources: docs.k3s.io/cli/server, docs.rke2.io/reference/server_config, rke.docs.rancher.com, and
// www.talos.dev/latest/reference/configuration/v1alpha1/config.
var (
	planeSettings = lazyregexp.New(`(?m)^(?:kube-(?:apiserver|controller-manager)-arg|cluster|services|machine)\+?:`)
	planeArgs     = lazyregexp.New(`(?m)^(?:kube-(?:apiserver|controller-manager)-arg\+?:|[ \t]+extra_?[aA]rgs:)`)
	planeFlags    = lazyregexp.New(`(?m)^[ \t]*(?:- +)?["']?(?:--)?(?:disable-admission-plugins|admission-control|service-account-[a-z-]+|authorization-mode|oidc-[a-z-]+|controllers)["']?[=:]|feature-gates["']?[=:].*(?:Token|ServiceAccount|RootCA)`)
)

// unreadFlags returns the problem of a file that sets flags of the control plane about accounts in a form that is not read.
func unreadFlags(f *manifest.File) (p Problem, found bool) {
	if !objects.IsManifestName(f.Path) || strings.HasPrefix(path.Base(f.Path), "values") || !bytes.Contains(f.Data, []byte("rgs:")) && !bytes.Contains(f.Data, []byte("-arg")) {
		return p, false
	}
	for _, doc := range f.Docs {
		text := doc.Bytes()
		if doc.Kind() != "" || !planeSettings().Match(text) || !planeArgs().Match(text) {
			continue
		}
		if at := planeFlags().FindIndex(text); at != nil {
			p.Message = "flags of the control plane in this form were not checked: rules read those of pods, kubeadm, Cluster API, kind, kops, k0s, and OpenShift"
			p.Offset = doc.Span.Start + at[0]
			p.Position.File = f.Path
			p.Position.Line, p.Position.Column = f.Position(p.Offset)
			return p, true
		}
	}
	return p, false
}
