package objects

import "slices"

// SecretUser is an object that refers to a Secret.
type SecretUser struct {
	Object *Object
	SecretReference
}

type secretUsersKey struct{}

// SecretUsersIn returns the objects that refer to a Secret in a unit: of Secrets with one name, an object refers to the
// nearest. More are as for [PodSpecs], and must be the same in all calls.
func SecretUsersIn(u *Unit, secret *Object, more ...PodSpecKind) []SecretUser {
	byName := u.Cached(secretUsersKey{}, func() any {
		users := map[string][]SecretUser{}
		for _, o := range u.Objects {
			for _, ref := range SecretReferences(o, more...) {
				users[ref.Name] = append(users[ref.Name], SecretUser{o, ref})
			}
		}
		return users
	}).(map[string][]SecretUser)
	core := ""
	var found []SecretUser
	for _, user := range byName[secret.Name] {
		if !SameNamespace(user.Object.Namespace, secret.Namespace) {
			continue
		}
		query := Query{Group: &core, Kind: "Secret", Namespace: user.Object.Namespace, Name: secret.Name}
		if owned, _ := u.Near(user.Object, u.Find(query)); slices.Contains(owned, secret) {
			found = append(found, user)
		}
	}
	return found
}
