package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// rbacGroup is the API group of roles and bindings.
const rbacGroup = "rbac.authorization.k8s.io"

// accountFields name an account.
var accountFields = []string{"serviceAccount", "serviceAccountName"}

// powerGroups are the ends of API groups whose objects decide what is applied, as which identity, who has which permissions, or what is admitted. The
// proof of a general edit compares bindings and roles, and not what these decide.
var powerGroups = []string{
	"argoproj.io", "fluxcd.io", "operators.coreos.com", "olm.operatorframework.io", "openshift.io", "admissionregistration.k8s.io", "apiextensions.k8s.io",
	"apiregistration.k8s.io", "certificates.k8s.io", "flowcontrol.apiserver.k8s.io", "kyverno.io", "gatekeeper.sh", "kubewarden.io", "rbacmanager.reactiveops.io",
	"capsule.clastix.io", "cattle.io", "crossplane.io", "open-cluster-management.io", "kustomize.config.k8s.io", "kro.run", "k14s.io", "carvel.dev", "helm.sh",
}

// powerKeys are the beginnings of labels and annotations that decide about permissions or admission.
var powerKeys = []string{
	"rbac.authorization.k8s.io/", "rbac.authorization.kubernetes.io/", "pod-security.kubernetes.io/", "kubernetes.io/service-account.", "eks.amazonaws.com/",
	"iam.gke.io/", "azure.workload.identity/", "vault.hashicorp.com/", "kustomize.toolkit.fluxcd.io/", "argocd.argoproj.io/", "olm.operatorframework.io/", "operators.coreos.com/",
	"openshift.io/", "security.openshift.io/", "kapp.k14s.io/", "kyverno.io/", "policies.kyverno.io/",
}

// FieldProblem returns why a general fix never changes a field of the objects of a kind: it identifies the object, holds data of a Secret,
// or decides more than the proof of such a fix compares. It is "" for other fields.
func FieldProblem(kind, group string, path []string) string {
	field := manifest.Path(path).String()
	switch {
	case len(path) == 0:
		return "the path of the field is empty"
	case path[0] == "apiVersion", path[0] == "kind", path[0] == "status":
		return path[0] + " of an object is not changed by a general fix"
	case path[0] == "metadata" && (len(path) < 3 || path[1] != "labels" && path[1] != "annotations"):
		return field + " is not changed by a general fix"
	case path[0] == "metadata":
		return keyProblem(kind, path)
	case group == rbacGroup:
		return field + " decides who has which permissions"
	case kind == "Secret" && group == "":
		return field + " of a Secret is not changed by a general fix"
	case slices.ContainsFunc(path, func(step string) bool { return slices.Contains(accountFields, step) }):
		return field + " names an account"
	case slices.ContainsFunc(powerGroups, func(end string) bool { return group == end || strings.HasSuffix(group, "."+end) }):
		return fmt.Sprintf("%s of %s can decide what is applied or allowed, which is not compared", field, kind)
	}
	return ""
}

// keyProblem is about labels and annotations.
func keyProblem(kind string, path []string) string {
	key := path[len(path)-1]
	if slices.ContainsFunc(powerKeys, func(start string) bool { return strings.HasPrefix(key, start) }) {
		return fmt.Sprintf("%s of %s can decide who can do what, which is not compared", key, kind)
	}
	return ""
}

// ObjectProblem returns why a fixer can change no object of the kinds, which are Kind.group; "" if it can change one of them. All of
// them are workloads if that is set.
func ObjectProblem(name string, arguments map[string]any, kinds []string, areWorkloads func(kind string) bool) string {
	fixer, problem := find(name), ""
	for _, key := range kinds {
		kind, group, _ := strings.Cut(key, ".")
		switch {
		case fixer == nil:
			return ""
		case fixer.Arguments != nil:
			problem = FieldProblem(kind, group, pathOf(name, arguments))
		case fixer.Objects == nil || slices.Contains(fixer.Objects, key) || slices.Contains(fixer.Objects, Workloads) && areWorkloads(key):
			return ""
		default:
			problem = fmt.Sprintf("%s changes %s, and no %s", name, strings.Join(fixer.Objects, " and "), kind)
		}
		if problem == "" {
			return ""
		}
	}
	return problem
}

// pathOf returns the path that a general fixer changes.
func pathOf(name string, arguments map[string]any) []string {
	key, _ := arguments["key"].(string)
	switch {
	case strings.HasSuffix(name, "-label"):
		return []string{"metadata", "labels", key}
	case strings.HasSuffix(name, "-annotation"):
		return []string{"metadata", "annotations", key}
	}
	list, _ := arguments["path"].([]any)
	path := make([]string, len(list))
	for i, step := range list {
		path[i] = fmt.Sprint(step)
	}
	return path
}

// toolDomains are the domains of keys that programs act on.
var toolDomains = []string{
	"kubernetes.io", "k8s.io", "argoproj.io", "fluxcd.io", "helm.sh", "openshift.io", "operatorframework.io", "kustomize.config.k8s.io", "amazonaws.com",
	"cert-manager.io", "istio.io", "linkerd.io", "kyverno.sh", "gatekeeper.sh", "crossplane.io", "cattle.io", "gke.io", "google.com", "azure.com", "azure.workload.identity",
}

func isOfTool(key string) bool {
	domain, _, prefixed := strings.Cut(key, "/")
	return prefixed && slices.ContainsFunc(toolDomains, func(d string) bool { return domain == d || strings.HasSuffix(domain, "."+d) })
}

// DecidesMore reports whether a label or annotation can decide what a program does: one of Kubernetes or of a tool that applies objects, and
// any of a kind of objects that others select by their labels.
func DecidesMore(key, kind string) bool {
	switch kind {
	case "Pod", "Namespace", "Node", "ClusterRole", "Service", "Secret":
		return true
	}
	return isOfTool(key)
}

// KindFor returns the kind of a fix for objects of kinds, as Kind.group: a safe label or annotation is unsafe where that holds for all.
func KindFor(name, kind string, arguments map[string]any, kinds []string) string {
	fixer, key := find(name), ""
	if fixer != nil && slices.Contains(fixer.Arguments, "key") {
		key, _ = arguments["key"].(string)
	}
	if kind != "safe" || key == "" || len(kinds) == 0 {
		return kind
	}
	for _, of := range kinds {
		bare, _, _ := strings.Cut(of, ".")
		if !DecidesMore(key, bare) {
			return kind
		}
	}
	return "unsafe"
}
