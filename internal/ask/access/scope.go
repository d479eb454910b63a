package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// scope corrects the namespace of a request for a cluster-scoped type, and returns a warning if the correction is
// unexpected. The API server authorizes a request for one namespace in that namespace (RequestInfoFactory), so the
// RoleBindings in it apply. Requests for other types use the given namespace, as in kubectl, because some checks have one,
// such as `use` of SecurityContextConstraints when a pod is admitted. Without a given namespace they have none.
func (q Question) scope(asked *Asked) []string {
	if !asked.ClusterScoped {
		return nil
	}
	if asked.isNamespaces() && asked.Name != "" && slices.Contains(oneNamespaceVerbs, asked.Verb) {
		given := q.Namespace
		asked.Namespace = asked.Name
		if given == asked.Name || given == rbac.AnyNamespace {
			return nil
		}
		return []string{fmt.Sprintf("the API server authorizes a request for namespaces/%s in namespace %[1]s: using that namespace", asked.Name)}
	}
	switch {
	case q.Namespace == "":
	case q.Namespace == rbac.AnyNamespace && !asked.inNamespaces():
		asked.Namespace = ""
	case q.Namespace != rbac.AnyNamespace:
		text := fmt.Sprintf("resource '%s' is not namespace scoped", asked.Resource)
		if asked.Group != "" {
			text += fmt.Sprintf(" in group '%s'", asked.Group)
		}
		if !asked.inNamespaces() {
			text += fmt.Sprintf(": using namespace %s as kubectl does, but a real request has no namespace", q.Namespace)
		}
		return []string{text}
	}
	return nil
}

// oneNamespaceVerbs are the verbs of requests to /api/v1/namespaces/NAME.
var oneNamespaceVerbs = []string{"get", "update", "patch", "delete"}

// inNamespaces returns whether requests for a cluster-scoped type are authorized in a namespace: by OpenShift when it
// admits a pod, by the API server when a role is bound in a namespace, and for requests about one namespace.
func (a Asked) inNamespaces() bool {
	switch {
	case a.isNamespaces():
		return slices.Contains(oneNamespaceVerbs, a.Verb)
	case a.Group == "security.openshift.io" && a.Resource == "securitycontextconstraints":
		return a.Verb == "use"
	case a.Group == rbac.Group && a.Resource == "clusterroles":
		return a.Verb == "bind"
	}
	return false
}

func (a Asked) isNamespaces() bool { return a.Group == "" && a.Resource == "namespaces" }

// subresources are names that are probably meant as a subresource, not as the name of an object.
var subresources = []string{"approval", "attach", "binding", "ephemeralcontainers", "eviction", "exec", "finalize", "finalizers", "log",
	"portforward", "proxy", "resize", "scale", "status", "token"}

// subresourceMeant warns about pods/log and pods/web/exec, which mean a pod called log and one called web/exec.
func (q Question) subresourceMeant(asked Asked) []string {
	name, last := "", asked.Name
	if i := strings.LastIndex(asked.Name, "/"); i >= 0 {
		name, last = asked.Name[:i], asked.Name[i+1:]
	}
	if q.Subresource != "" || !slices.Contains(subresources, last) && name == "" {
		return nil
	}
	if name != "" {
		return []string{fmt.Sprintf("'%s' is treated as the name of one of the %s: for the subresource, use %s/%s --subresource %s",
			asked.Name, asked.Resource, q.Type(), name, last)}
	}
	return []string{fmt.Sprintf("'%s' is treated as the name of one of the %s: for the subresource, use %s --subresource %[1]s",
		last, asked.Resource, q.Type())}
}
