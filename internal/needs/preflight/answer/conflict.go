package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/deniedtext"
)

// conflict explains a conflict of server-side apply, which exists only if the manifest has another value than the live extension. A manifest
// without the field has no conflict. To force it does not help: a live account can be removed in some releases, and changed in none.
func (e *FieldMessage) conflict(m deniedtext.FieldMessage, target *olm.Target) {
	e.Rule, e.Releases = "olm/fields-immutable", "every release, for server-side apply"
	e.Meaning = fmt.Sprintf("the API server rejects %s, because %q manages %s with another value, which --force-conflicts cannot change", e.who(), m.Manager, m.Field)
	if target != nil && slices.Contains([]olm.Model{olm.Ignored, olm.Removed}, target.Model) {
		e.Rule = "olm/service-account-deprecated"
		e.Remedy = "Remove the field, then apply again: a manifest without it has no conflict"
		e.Command = fixFor(target, "", olm.Ignored, olm.Removed)
		return
	}
	e.Remedy = "Restore the name that the live extension has, or remove the field where OLM ignores it"
	e.Command = "kubectl get clusterextension " + e.quoted() + " -o 'jsonpath={." + strings.TrimSuffix(m.Field, ".name") + ".name}'"
}
