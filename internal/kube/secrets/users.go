package secrets

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// User is an object that refers to a Secret.
type User struct {
	Object *objects.Object
	Reference
}

type secretUsersKey struct{}

// Users returns the objects that refer to a Secret in a unit: of Secrets with one name, an object refers to the
// nearest. More are as for [PodSpecs], and must be the same in all calls.
func Users(u *objects.Unit, secret *objects.Object, more ...objects.PodSpecKind) []User {
	byName := u.Cached(secretUsersKey{}, func() any {
		users := map[string][]User{}
		for _, o := range u.Objects {
			for _, ref := range References(o, more...) {
				users[ref.Name] = append(users[ref.Name], User{o, ref})
			}
		}
		return users
	}).(map[string][]User)
	core := ""
	var found []User
	for _, user := range byName[secret.Name] {
		if !objects.SameNamespace(user.Object.Namespace, secret.Namespace) {
			continue
		}
		query := objects.Query{Group: &core, Kind: "Secret", Namespace: user.Object.Namespace, Name: secret.Name}
		if owned, _ := u.Near(user.Object, u.Find(query)); slices.Contains(owned, secret) {
			found = append(found, user)
		}
	}
	return found
}
