package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	deferredPod = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n" +
		"spec: {template: {spec: {serviceAccountName: ops-web, containers: [{name: a, image: b}]}}}\n"
	deferredAccount      = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n"
	otherAccount         = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: sibling, namespace: shop}\n"
	deferredSubscription = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: a, namespace: base}\nspec: {name: a}\n"
)

// TestDeferredUnitsAnswer lints one file whose finding depends on a unit that the paths do not select: as its overlay changes it, or
// as it is written.
func TestDeferredUnitsAnswer(t *testing.T) {
	t.Parallel()
	overlay := func(text string) string { return "resources: [own.yaml]\n" + text }
	for name, c := range map[string]struct {
		other, overlay string
		found, built   bool
	}{
		"nothing else":                    {otherAccount, overlay("namePrefix: b-\n"), true, true},
		"the account, with its prefix":    {deferredAccount, overlay("namePrefix: ops-\n"), false, true},
		"the account, without its prefix": {deferredAccount, overlay("nameSuffix: -x\n"), true, true},
		"an account that a patch renames": {
			otherAccount, overlay("patches:\n- target: {kind: ServiceAccount}\n  patch: |-\n    - {op: replace, path: /metadata/name, value: ops-web}\n"), false, true,
		},
		"an operator that the overlay installs there":     {deferredSubscription, overlay("namespace: shop\n"), false, true},
		"an operator that the overlay installs elsewhere": {deferredSubscription, overlay("namespace: ops\n"), true, false},
	} {
		files := map[string]string{
			"pod/pod.yaml": deferredPod, "pod/accounts.yaml": otherAccount, "pod/kustomization.yaml": "resources: [pod.yaml, accounts.yaml]\n",
			"other/own.yaml": c.other, "other/kustomization.yaml": c.overlay,
		}
		out, session := lintDeferred(t, files, "olm-1.11", "pod/pod.yaml", false)
		eager, _ := lintDeferred(t, files, "olm-1.11", "pod/pod.yaml", true)
		if diff := cmp.Diff(textOfOutcome(t, eager), textOfOutcome(t, out)); diff != "" {
			t.Errorf("%s: deferring units changes the outcome (-all built +deferred):\n%s", name, diff)
		}
		var found bool
		for _, f := range out.Findings {
			found = found || strings.HasPrefix(f.Rule, "pod/service-account-not-found")
		}
		deferred, built := false, false
		for _, u := range session.snapshot.Written {
			deferred, built = deferred || u.Deferred(), built || u.Deferred() && !u.Pending()
		}
		if found != c.found || !deferred || built != c.built {
			t.Errorf("%s: found %v (want %v), deferred %v, built %v (want %v)\n%v", name, found, c.found, deferred, built, c.built, out.Findings)
		}
	}
}
