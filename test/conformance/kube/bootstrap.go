package kube

import (
	"slices"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// Facing are the ClusterRoles made for users that every cluster has.
func Facing() []string { return []string{"cluster-admin", "admin", "edit", "view"} }

// Bootstrap are the ClusterRoles that an API server makes for itself, aggregated.
func Bootstrap() (*Cluster, error) {
	c := &Cluster{}
	return c, c.AddBuiltin()
}

// AddBuiltin adds the ClusterRoles of a new cluster, without its bindings, and aggregates.
func (c *Cluster) AddBuiltin() error {
	for _, role := range bootstrapRoles() {
		c.ClusterRoles = append(c.ClusterRoles, &role)
	}
	return c.Aggregate()
}

// bootstrapRoles are built once, because that takes longer than everything else. They are aggregated among themselves; code
// that aggregates them with others gives its copies other lists of rules and leaves these unchanged.
var bootstrapRoles = sync.OnceValue(func() []rbacv1.ClusterRole {
	roles := slices.Concat(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles())
	c := &Cluster{}
	for i := range roles {
		c.ClusterRoles = append(c.ClusterRoles, &roles[i])
	}
	if err := c.Aggregate(); err != nil {
		panic(err) // the selectors of the bootstrap policy are valid
	}
	return roles
})

// ClusterRole finds a role by its name, or nil.
func (c *Cluster) ClusterRole(name string) *rbacv1.ClusterRole {
	for _, role := range c.ClusterRoles {
		if role.Name == name {
			return role
		}
	}
	return nil
}
