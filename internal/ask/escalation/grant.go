package escalation

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/rbac"
)

// OfGrant returns how a subject becomes cluster-admin with the roles and bindings in manifests alone, as the steps of a sentence; none if
// there is no way. OLM acts as the account that an extension names.
func OfGrant(subject rbac.Subject, manifests []byte) []string {
	if len(manifests) == 0 {
		return nil
	}
	var all []*objects.Object
	for _, doc := range manifest.Scan("grant", manifests).Docs {
		if doc.Parse() != nil {
			return nil
		}
		all = append(all, objects.Objects(doc)...)
	}
	units := assembly.Units(all, nil)
	if len(units) == 0 {
		return nil
	}
	chains := NewWorld(units[0], Options{OLM: func(*objects.Object) OLM { return OLMNamed }}).Chains()
	i := slices.IndexFunc(chains, func(c Chain) bool { return c.Subject == subject })
	if i < 0 {
		return nil
	}
	var steps []string
	for _, link := range chains[i].Links {
		step := link.Sentence()
		if strings.HasPrefix(link.Known, "assumes") {
			step += " (" + link.Known + ")"
		}
		steps = append(steps, step)
	}
	return steps
}
