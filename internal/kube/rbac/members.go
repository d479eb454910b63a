package rbac

import (
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// userGroup is the API group of OpenShift for users and groups. The API server adds the groups that list a user to it when it
// authenticates its tokens.
//
// Source: openshift/api, user/v1 (Group).
const userGroup = "user.openshift.io"

// Member is a user that an object of the unit makes a member of a group.
type Member struct {
	User string
	// Object is the group, and Path leads to the user in it.
	Object *objects.Object
	Path   manifest.Path
}

// Members returns the users that a group object lists, in their order; none for other objects.
func Members(o *objects.Object) []Member {
	if o.Group != userGroup || o.Kind != KindGroup {
		return nil
	}
	var members []Member
	for i, user := range objects.Items(o.Node.Get("users")) {
		if name := user.String(); name != "" {
			members = append(members, Member{name, o, manifest.Path{"users", strconv.Itoa(i)}})
		}
	}
	return members
}

func membershipsIn(u *objects.Unit) map[string][]string {
	groups := map[string][]string{}
	for _, o := range u.Objects {
		for _, m := range Members(o) {
			groups[m.User] = append(groups[m.User], o.Name)
		}
	}
	return groups
}
