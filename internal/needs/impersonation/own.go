package impersonation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// Purpose is why a tool needs a permission that is not about an object it applies.
type Purpose string

// The purposes for which tools act as the account, in addition to applying objects.
const (
	// ReleaseStorage is for the Secrets in which Helm keeps what it released.
	ReleaseStorage Purpose = "Helm keeps the release in Secrets"
	// NamespaceCreation is for the namespace that a tool creates before the objects.
	NamespaceCreation Purpose = "the namespace is created"
	// HealthChecks is for what a tool reads to know whether objects are ready.
	HealthChecks Purpose = "health checks read what workloads create"
)

// askOwn asks for what the tool does as the account in addition to applying objects.
func (c *checker) askOwn() {
	spec := view.Of(c.Application.Object).Get("spec")
	if c.Application.Tool == gitops.FluxHelm {
		c.askStorage(spec)
	}
	c.askCreatedNamespace()
	c.askHealth(spec)
}

// askFor is ask, and records the purpose if something is missing.
func (c *checker) askFor(why Purpose, namespace string, verbs []string, group, resource string, names ...string) {
	certain, doubts := len(c.certain), len(c.doubts.Missing)
	c.ask(namespace, []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: names}})
	if len(c.certain) > certain && !slices.Contains(c.purposes, why) {
		c.purposes = append(c.purposes, why)
	}
	if len(c.doubts.Missing) > doubts && !slices.Contains(c.doubtful, why) {
		c.doubtful = append(c.doubtful, why)
	}
}

// askStorage asks for the Secrets of the release. Each version of a release is a Secret with another name, which Helm finds by its labels. They
// are in the namespace of the HelmRelease, whatever its target namespace is.
//
// Source: helm.sh/helm, pkg/storage/driver/secrets.go; fluxcd/helm-controller, api/v2 (GetStorageNamespace).
func (c *checker) askStorage(spec view.View) {
	namespace := spec.Get("storageNamespace").String()
	if namespace == "" {
		namespace = c.Application.Namespace.Value
	}
	if isPlain(namespace) {
		c.askFor(ReleaseStorage, namespace, []string{"create", "delete", "get", "list", "update"}, "", "secrets")
	}
}

// askCreatedNamespace asks for the creation of the target namespace, if the tool is to create it and no manifest does.
//
// Helm 3 creates the object with a request without a name, before it knows whether the namespace exists; Helm 4 can apply it on the server
// (pkg/action/install.go), and then needs create and patch on that name only. Argo CD reads the namespace, and creates it if it does not
// exist (gitops-engine, pkg/sync, autoCreateNamespace).
func (c *checker) askCreatedNamespace() {
	name := c.Application.Target.Value
	if !c.Application.CreateNamespace.Value || !isPlain(name) {
		return
	}
	if c.Application.Tool == gitops.ArgoCD {
		c.askFor(NamespaceCreation, name, []string{"get"}, "", "namespaces", name)
	}
	if c.hasNamespace(name) || c.mayApplyNamespace(name) {
		return
	}
	c.askFor(NamespaceCreation, "", []string{"create"}, "", "namespaces")
}

// hasNamespace reports whether a manifest creates a namespace.
func (c *checker) hasNamespace(name string) bool {
	return slices.ContainsFunc(slices.Concat(c.Near, c.Others, c.Units), func(unit *objects.Unit) bool {
		return len(unit.Find(objects.Query{Kind: "Namespace", Name: name, Group: new(string)})) > 0
	})
}

// mayApplyNamespace reports whether the account can apply a namespace on the server.
func (c *checker) mayApplyNamespace(name string) bool {
	for _, verb := range []string{"create", "patch"} {
		request, _ := requestOf(rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{""}, Resources: []string{"namespaces"}, ResourceNames: []string{name}}, name)
		if ok, _ := c.allowed(request); !ok {
			return false
		}
	}
	return true
}

// askHealth asks for what the tool reads to know whether workloads are ready: the ReplicaSets of Deployments, and Flux also the pods of these and of
// StatefulSets. Without these permissions nothing becomes ready. Argo CD reads them as its own account.
//
// Source: fluxcd/cli-utils, pkg/kstatus/polling/statusreaders; fluxcd/kustomize-controller, internal/controller (the poller has the
// client that impersonates); helm.sh/helm/v3, pkg/kube/ready.go.
func (c *checker) askHealth(spec view.View) {
	for _, o := range c.waitedFor(spec) {
		namespace := c.namespace(o)
		if o.Group != "apps" || !isPlain(namespace) {
			continue
		}
		if o.Kind == "Deployment" {
			c.askFor(HealthChecks, namespace, []string{"list"}, "apps", "replicasets")
		}
		if c.Application.Tool == gitops.FluxKustomize && slices.Contains([]string{"Deployment", "StatefulSet", "ReplicaSet"}, o.Kind) {
			c.askFor(HealthChecks, namespace, []string{"list"}, "", "pods")
		}
	}
}

// waitedFor returns the applied objects that the tool waits for: all of them, or those that healthChecks of Flux name.
func (c *checker) waitedFor(spec view.View) []*objects.Object {
	switch c.Application.Tool {
	case gitops.FluxHelm:
		if spec.Get("install", "disableWait").Bool().Value && spec.Get("upgrade", "disableWait").Bool().Value {
			return nil
		}
		return c.applied(func(*objects.Object) bool { return true })
	case gitops.FluxKustomize:
		if spec.Get("wait").Bool().Value {
			return c.applied(func(*objects.Object) bool { return true })
		}
		checks := spec.Get("healthChecks").Items()
		return c.applied(func(o *objects.Object) bool {
			return slices.ContainsFunc(checks, func(check view.View) bool {
				return check.Get("kind").String() == o.Kind && check.Get("name").String() == o.Name && check.Get("namespace").String() == c.namespace(o)
			})
		})
	}
	return nil
}

// applied returns the objects of the application that are known and selected.
func (c *checker) applied(selected func(*objects.Object) bool) []*objects.Object {
	var found []*objects.Object
	for _, unit := range c.Units {
		if unit.NotBuilt {
			continue
		}
		for _, o := range unit.Objects {
			if len(verbsFor(c.Application, o)) > 0 && c.isKnown(o) && selected(o) {
				found = append(found, o)
			}
		}
	}
	return found
}
