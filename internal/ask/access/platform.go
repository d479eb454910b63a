package access

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// platform returns a doubt if a cluster grants permissions by default that salint does not model: to the components of
// Kubernetes, by roles in kube-system, the roles of its controllers and the node authorizer; on OpenShift to every user,
// for some of its types.
func platform(who rbac.Identity, r rbac.Request) []Doubt {
	switch {
	case isComponent(who):
		return []Doubt{{Message: "Kubernetes grants its own components permissions that salint does not model"}}
	case strings.HasSuffix(r.Group, ".openshift.io") && slices.Contains(who.Groups, authenticated):
		return []Doubt{{Message: "OpenShift grants every user access to some of its types, which salint does not model"}}
	}
	return nil
}

// isComponent returns whether an identity is a user or account of Kubernetes' own programs.
func isComponent(who rbac.Identity) bool {
	const accounts = "system:serviceaccount:"
	switch {
	case who.User == "system:anonymous", strings.HasPrefix(who.User, "system:serviceaccounts"):
		return false
	case strings.HasPrefix(who.User, accounts):
		return strings.HasPrefix(who.User, accounts+"kube-system:")
	}
	return strings.HasPrefix(who.User, "system:") || slices.Contains(who.Groups, "system:nodes")
}
