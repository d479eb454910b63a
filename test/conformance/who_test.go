package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/world"
)

// TestWho compares the list of all subjects that are allowed a request with the answers for each of them: for every user
// without groups, and for every group without a user.
func TestWho(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		u, c, err := sides(docs, w)
		if err != nil {
			return "", err
		}
		authorizer := c.Authorizer()
		for _, r := range w.Requests(6) {
			if difference, err := compareHolders(u, authorizer, w.Subjects(), r); difference != "" || err != nil {
				return difference, err
			}
		}
		return "", nil
	})
}

func compareHolders(u *objects.Unit, authorizer *kube.Authorizer, subjects []world.Identity, r world.Request) (string, error) {
	holders, _, _ := rbac.WhoCan(u, rbac.Request(r))
	for _, who := range subjects {
		allowed, reason, err := authorizer.Authorize(who, r)
		if err != nil {
			return "", err
		}
		listed := slices.ContainsFunc(holders, func(h rbac.Holder) bool {
			holder := h.Subject.Identity()
			if who.User != "" {
				return holder.User == who.User
			}
			return h.Subject.Kind == rbac.KindGroup && slices.Equal(holder.Groups, who.Groups)
		})
		if listed != allowed {
			return fmt.Sprintf("who can %+v: %+v\nKubernetes: allowed %t, %s\nsalint:     listed %t among %d", r, who, allowed, reason, listed, len(holders)), nil
		}
	}
	return "", nil
}
