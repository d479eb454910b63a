package conformance_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// TestEffectiveRules compares all rules that an identity holds, in every namespace and cluster-wide.
func TestEffectiveRules(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		u, c, err := sides(docs, w)
		if err != nil {
			return "", err
		}
		authorizer := c.Authorizer()
		for _, who := range w.Identities() {
			effective, missing := salint.Effective(u, who), 0
			for _, namespace := range w.Namespaces() {
				rules, absent := authorizer.RulesFor(who, namespace)
				missing += absent
				if diff := kube.DiffOfPermissions(rules, effective.In(namespace)); diff != "" {
					return fmt.Sprintf("rules of %+v in %q %s", who, namespace, diff), nil
				}
			}
			if (missing > 0) != (len(effective.Unknown) > 0) {
				return fmt.Sprintf("roles of %+v that do not exist\nKubernetes: %d\nsalint:     %v", who, missing, effective.Unknown), nil
			}
		}
		return "", nil
	})
}
