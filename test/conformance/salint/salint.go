// Package salint answers questions about RBAC manifests with salint's own code, from the same text that the other side
// reads.
package salint

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/world"
)

// Version is the version of Kubernetes whose code the suite asks.
const Version kubeversion.Version = 37

// Empty returns a unit without objects in a cluster of that version.
func Empty() *objects.Unit {
	return &objects.Unit{
		Name: "k", Kind: objects.KustomizationUnit, Kubernetes: func() kubeversion.Range { return kubeversion.Exactly(Version) },
	}
}

// Read reads manifests as those of one kustomization.
func Read(text string) (*objects.Unit, error) {
	u := Empty()
	for _, doc := range manifest.Scan("rbac.yaml", []byte(text)).Docs {
		if err := doc.Parse(); err != nil {
			return nil, err
		}
		u.Objects = append(u.Objects, objects.Objects(doc)...)
	}
	return u, nil
}

// Ask puts a question.
func Ask(u *objects.Unit, who world.Identity, r world.Request) rbac.Answer {
	return rbac.Ask(u, nil, rbac.Identity(who), rbac.Request(r))
}

// Effective returns everything that an identity can do.
func Effective(u *objects.Unit, who world.Identity) rbac.Effective {
	return rbac.EffectiveFor(u, nil, rbac.Identity(who))
}

// Contradicts reports whether an answer differs from that of Kubernetes. If salint reports unknown roles, its answer is not
// a no, but that is an excuse only if there are roles that an API server rejects.
func Contradicts(answer rbac.Answer, allowed bool, w *world.World) bool {
	if w.Options.Refused && allowed && len(answer.Unknown) > 0 {
		return false
	}
	return answer.Allowed != allowed
}
