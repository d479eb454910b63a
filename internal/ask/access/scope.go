package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// scope puts the namespace of a cluster-scoped type right, and warns where that is not what one might think.
//
// The API server takes a request for one namespace to be made in that namespace (RequestInfoFactory), so that the
// RoleBindings in it count. Other types are asked as kubectl asks: with the namespace that was given, which counts for what
// is checked with one, such as `use` of SecurityContextConstraints when a pod is admitted. Without one they are in none.
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
		return []string{fmt.Sprintf("the API server looks for a request about namespaces/%s in the namespace %[1]s: asked there", asked.Name)}
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
			text += fmt.Sprintf(": asked with namespace %s as kubectl does, but a request for it names none", q.Namespace)
		}
		return []string{text}
	}
	return nil
}

// oneNamespaceVerbs are those of requests to /api/v1/namespaces/NAME.
var oneNamespaceVerbs = []string{"get", "update", "patch", "delete"}

// inNamespaces tells of a cluster-scoped type whether somebody asks about it with a namespace: OpenShift when it admits a
// pod, the API server when a role is bound in a namespace, and whoever is about one namespace.
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

// subresources are names that are more likely meant as a subresource than as the name of an object.
var subresources = []string{"approval", "attach", "binding", "ephemeralcontainers", "eviction", "exec", "finalize", "finalizers", "log",
	"portforward", "proxy", "resize", "scale", "status", "token"}

// subresourceMeant warns of pods/log and pods/web/exec, which mean a pod called log and one called web/exec.
func (q Question) subresourceMeant(asked Asked) []string {
	name, last := "", asked.Name
	if i := strings.LastIndex(asked.Name, "/"); i >= 0 {
		name, last = asked.Name[:i], asked.Name[i+1:]
	}
	if q.Subresource != "" || !slices.Contains(subresources, last) && name == "" {
		return nil
	}
	if name != "" {
		return []string{fmt.Sprintf("'%s' is taken for the name of one of the %s: for a subresource write %s/%s --subresource %s",
			asked.Name, asked.Resource, q.Type(), name, last)}
	}
	return []string{fmt.Sprintf("'%s' is taken for the name of one of the %s: for the subresource write %s --subresource %[1]s",
		last, asked.Resource, q.Type())}
}
