package access

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// platform says what a cluster may allow by itself that is not known here: to the components of Kubernetes by roles in
// kube-system, the roles of its controllers and the node authorizer, and on OpenShift to everybody, for types of its own.
func platform(who rbac.Identity, r rbac.Request) []Doubt {
	switch {
	case isComponent(who):
		return []Doubt{{Message: "Kubernetes grants its own components more than is known here"}}
	case strings.HasSuffix(r.Group, ".openshift.io") && slices.Contains(who.Groups, authenticated):
		return []Doubt{{Message: "OpenShift lets everybody use some of its own types, which is not known here"}}
	}
	return nil
}

// isComponent tells of the users that Kubernetes makes for its own programs, and of its own accounts.
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
