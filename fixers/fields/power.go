package fields

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

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

// checkPower refuses an edit that decides more than the proof of a general edit compares.
func checkPower(o *objects.Object, path manifest.Path) error {
	if path[0] == "metadata" {
		return checkEntry(o, path)
	}
	if slices.ContainsFunc(powerGroups, func(end string) bool { return o.Group == end || strings.HasSuffix(o.Group, "."+end) }) {
		return engine.Refuse("%s of %s can decide what is applied or allowed, which is not compared: change it by hand", path, engine.NameOf(o))
	}
	return nil
}

// checkEntry refuses labels and annotations that decide about permissions.
func checkEntry(o *objects.Object, path manifest.Path) error {
	key := path[len(path)-1]
	if slices.ContainsFunc(powerKeys, func(start string) bool { return strings.HasPrefix(key, start) }) {
		return engine.Refuse("%s of %s can decide who can do what, which is not compared: change it by hand", path, engine.NameOf(o))
	}
	return nil
}

// checkUnits refuses an edit of an object that other deployment units apply, too, unless a rule requests it in each of them.
func checkUnits(c *engine.Context, r engine.Request) error {
	forms := c.Repo.AppliedForms(r.Object)
	if len(forms) < 2 {
		return nil
	}
	for _, form := range forms {
		if !slices.Contains(r.Units, form.Unit) {
			return engine.Refuse("%s applies %s, too, and no rule requests this change there: change it by hand where it should differ", form.Unit, engine.NameOf(r.Object))
		}
	}
	return nil
}

// checkComments refuses to replace a value with comments, which would be lost. A scalar that replaces a scalar keeps them.
func checkComments(o *objects.Object, path manifest.Path, value any) error {
	source := o.Source()
	field, there := source.Node.Field(path)
	if !there || field.Value.IsScalar() && isScalar(value) {
		return nil
	}
	if hasComments(source.Doc.ParsedNode(field.Key)) || hasComments(source.Doc.ParsedNode(field.Value)) {
		return engine.Refuse("%s has comments, which would be lost: change it by hand", o.Position(path))
	}
	return nil
}

func hasComments(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	return n.HeadComment+n.LineComment+n.FootComment != "" || slices.ContainsFunc(n.Content, hasComments)
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
