package impersonation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/needs/impersonation"
)

func unit(t *testing.T, name string, texts ...string) *objects.Unit {
	t.Helper()
	u := &objects.Unit{Name: name, Kind: objects.ApplicationUnit}
	if len(texts) > 0 {
		u.Objects = objectstest.In(t, name+".yaml", strings.Join(texts, "\n---\n"))
	}
	return u
}

func role(rules string) string {
	return "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: deployer, namespace: shop}, rules: [" + rules + "]}"
}

func binding(kind, name string) string {
	return "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: deployer, namespace: shop}, " +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + kind + ", name: " + name + "}, subjects: [{kind: ServiceAccount, name: deployer, namespace: shop}]}"
}

// bindingOf returns a binding of a default role to another account.
func bindingOf(role string) string {
	return strings.NewReplacer("{name: deployer,", "{name: web,", "name: deployer, namespace: shop}]", "name: web, namespace: shop}]").Replace(binding("ClusterRole", role))
}

const (
	bindings = "{apiGroups: [rbac.authorization.k8s.io], resources: [rolebindings], verbs: [create, patch]}"
	services = "{apiGroups: [''], resources: [services], verbs: [get, create, patch, delete]}"
	named    = "{apiGroups: [''], resources: [services], verbs: [create]}, {apiGroups: [''], resources: [services], verbs: [patch], resourceNames: [web]}"
	secrets  = "{apiGroups: [''], resources: [secrets], verbs: [create, delete, get, list, update]}"

	deployments = "{apiGroups: [apps], resources: [deployments], verbs: [get, create, patch]}"
	deployment  = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}"

	service = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}}"
	other   = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: other}}"
	widget  = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: web, namespace: shop}}"
	crd     = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.com}, spec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgets}}}"
)

func annotated(annotation string) string {
	return "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: other, annotations: {" + annotation + "}}}"
}

func TestCheck(t *testing.T) {
	t.Parallel()
	granted := func(rules string) []string { return []string{role(rules), binding("Role", "deployer")} }
	prune := gitops.Application{Tool: gitops.FluxKustomize, Prune: view.Field[bool]{Value: true}}
	argo := gitops.Application{Tool: gitops.ArgoCD, Target: view.Field[string]{Value: "shop"}}
	server := gitops.Application{Tool: gitops.ArgoCD, ServerSide: view.Field[bool]{Value: true}}
	release := gitops.Application{Tool: gitops.FluxHelm, Target: view.Field[string]{Value: "shop"}, Namespace: view.Field[string]{Value: "platform"}}
	making, argoMaking := release, argo
	making.CreateNamespace.Value, argoMaking.CreateNamespace.Value = true, true
	helm := gitops.Application{Tool: gitops.FluxHelm, Target: view.Field[string]{Value: "shop"}}
	for _, c := range []struct {
		name                  string
		app                   gitops.Application
		applied, near, others []string
		spec                  string
		want                  string
	}{
		{name: "nothing is bound", applied: []string{service}, near: []string{role(services)}, want: "unknown"},
		{name: "bound on another cluster only", applied: []string{service}, near: nil, others: granted(""), want: "unknown"},
		{name: "everything", applied: []string{service}, near: granted(services), app: prune},
		{name: "by name", applied: []string{service}, near: granted(named)},
		{name: "prune", applied: []string{service}, near: granted(named), app: prune, want: "shop: delete, get services"},
		{name: "prune disabled", applied: []string{strings.Replace(service, "namespace: shop", "namespace: shop, labels: {kustomize.toolkit.fluxcd.io/prune: disabled}", 1)}, near: granted(named), app: prune},
		{name: "another namespace", applied: []string{other}, near: granted(services), want: "other: create, patch services"},
		{name: "a target namespace", applied: []string{strings.Replace(service, ", namespace: shop", "", 1)}, near: granted("{apiGroups: [''], resources: [services], verbs: [get, create]}"), app: argo, want: "shop: patch services"},
		{name: "no namespace", applied: []string{strings.Replace(service, ", namespace: shop", "", 1)}, near: granted(named)},
		{name: "a variable", applied: []string{strings.Replace(other, "other", "'${ns}'", 1), strings.Replace(other, "web", "'${name}'", 1)}, near: granted(named)},
		{name: "Argo CD reads", applied: []string{service}, near: granted(named), app: argo, want: "shop: get services"},
		{name: "Argo CD applies on the server", applied: []string{service}, near: granted(named), app: server},
		{name: "Helm reads", applied: []string{service}, near: granted(named), app: helm, want: "shop: get services"},
		{name: "ignored by Flux", applied: []string{annotated("kustomize.toolkit.fluxcd.io/ssa: Ignore"), annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled")}, near: granted(services)},
		{name: "hooks and replaced", applied: []string{annotated("argocd.argoproj.io/hook: PreSync"), annotated("argocd.argoproj.io/sync-options: Replace=true")}, near: granted(services), app: argo},
		{name: "an unknown kind", applied: []string{widget}, near: granted(services)},
		{name: "a defined kind", applied: []string{widget, crd}, near: granted(services + ", {apiGroups: ['*'], resources: [customresourcedefinitions], verbs: ['*']}"), want: "everywhere: create, patch customresourcedefinitions.apiextensions.k8s.io; shop: create, patch widgets.example.com"},
		{name: "a role with more", applied: []string{role(services)}, near: granted("{apiGroups: ['*'], resources: [roles], verbs: [create, patch]}"), want: "shop: create, delete, get, patch services"},
		{name: "a role with as much", applied: []string{role(services)}, near: granted(services + ", {apiGroups: ['*'], resources: [roles], verbs: [create, patch]}")},
		{name: "a role with escalate", applied: []string{role(services)}, near: granted("{apiGroups: ['*'], resources: [roles], verbs: [create, patch, escalate]}")},
		{name: "a binding of an unknown role", applied: []string{binding("ClusterRole", "unknown")}, near: granted("{apiGroups: ['*'], resources: [rolebindings], verbs: [create, patch]}")},
		{name: "a binding of a default role", applied: []string{bindingOf("view")}, near: granted(bindings), want: "shop: bind clusterroles.rbac.authorization.k8s.io (named view)"},
		{name: "a binding of a default role, with bind", applied: []string{bindingOf("view")}, near: granted(bindings + ", {apiGroups: ['*'], resources: [clusterroles], verbs: [bind], resourceNames: [view]}")},
		{name: "a binding of the same default role", applied: []string{bindingOf("admin")}, near: []string{binding("ClusterRole", "admin")}},
		{name: "a binding of a smaller default role", applied: []string{bindingOf("edit")}, near: []string{binding("ClusterRole", "admin")}},
		{name: "a binding of a larger default role", applied: []string{bindingOf("admin")}, near: append(granted(bindings), strings.Replace(binding("ClusterRole", "edit"), "name: deployer", "name: edits", 1)), want: "shop: bind clusterroles.rbac.authorization.k8s.io (named admin); unknown ClusterRole edit"},
		{name: "a binding of cluster-admin", applied: []string{bindingOf("cluster-admin")}, near: []string{binding("ClusterRole", "admin")}, want: "everywhere: every verb on every URL; shop: every verb on every resource; unknown ClusterRole admin"},
		{name: "a binding of cluster-admin, with every resource", applied: []string{bindingOf("cluster-admin")}, near: granted("{apiGroups: ['*'], resources: ['*'], verbs: ['*']}")},
		{name: "a role with more than a default role", applied: []string{role("{apiGroups: [''], resources: [pods, nodes], verbs: [get]}")}, near: []string{binding("ClusterRole", "admin")}, want: "shop: get nodes; unknown ClusterRole admin"},
		{name: "granted elsewhere", applied: []string{service, other}, near: granted(""), others: granted(services), want: "other: create, patch services"},
		{name: "a role elsewhere", applied: []string{other, service}, near: []string{binding("Role", "deployer")}, others: []string{role(services)}, want: "other: create, patch services"},
		{name: "a role that is not here", applied: []string{service, other}, near: []string{binding("ClusterRole", "unknown")}, want: "other: create, patch services"},
		{name: "only a role that is not here", applied: []string{service}, near: []string{binding("ClusterRole", "unknown")}, want: "shop: create, patch services; unknown ClusterRole unknown"},
		{name: "a default role", applied: []string{service}, near: []string{binding("ClusterRole", "edit")}, app: prune},
		{name: "a binding that is filled in later", applied: []string{service}, near: granted(""), others: []string{strings.Replace(binding("ClusterRole", "edit"), "name: deployer, namespace: shop}]", "name: '${name}', namespace: shop}]", 1)}, want: "shop: create, patch services; uncertain"},
		{name: "releases in a namespace without permissions", app: release, near: granted(services), want: "platform: create, delete, get, list, update secrets"},
		{name: "releases in another namespace", app: release, spec: "storageNamespace: shop", near: granted(secrets)},
		{name: "releases, some verbs", app: release, spec: "storageNamespace: shop", near: granted("{apiGroups: [''], resources: [secrets], verbs: [create, get, update]}"), want: "shop: delete, list secrets"},
		{name: "a default role that holds releases", app: release, spec: "storageNamespace: shop", near: []string{binding("ClusterRole", "edit")}},
		{name: "a new namespace", app: making, spec: "storageNamespace: shop", near: granted(secrets), want: "everywhere: create namespaces"},
		{name: "a new namespace that can be applied", app: making, spec: "storageNamespace: shop", near: granted(secrets + ", {apiGroups: [''], resources: [namespaces], verbs: [create, patch], resourceNames: [shop]}")},
		{name: "a new namespace with a manifest", app: making, spec: "storageNamespace: shop", near: granted(secrets), others: []string{"{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"}},
		{name: "a new namespace of Argo CD", app: argoMaking, near: granted(services), want: "everywhere: create namespaces; shop: get namespaces"},
		{name: "Helm waits", app: release, spec: "storageNamespace: shop", applied: []string{deployment}, near: granted(secrets + ", " + deployments), want: "shop: list replicasets.apps"},
		{name: "Helm does not wait", app: release, spec: "storageNamespace: shop, install: {disableWait: true}, upgrade: {disableWait: true}", applied: []string{deployment}, near: granted(secrets + ", " + deployments)},
		{name: "Flux waits", spec: "wait: true", applied: []string{deployment}, near: granted(deployments), want: "shop: list pods, replicasets.apps"},
		{name: "Flux does not wait", applied: []string{deployment}, near: granted(deployments)},
		{name: "a health check", spec: "healthChecks: [{kind: Deployment, name: web, namespace: shop}]", applied: []string{deployment}, near: granted(deployments), want: "shop: list pods, replicasets.apps"},
		{name: "a health check of another", spec: "healthChecks: [{kind: Deployment, name: other, namespace: shop}]", applied: []string{deployment}, near: granted(deployments)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.app.Object = objectstest.In(t, "app.yaml", "{apiVersion: v1, kind: App, metadata: {name: app}, spec: {"+c.spec+"}}")[0]
			if c.app.Tool == "" {
				c.app.Tool = gitops.FluxKustomize
			}
			in := impersonation.Input{Application: &c.app, Account: objects.Account{Namespace: "shop", Name: "deployer"}, Units: []*objects.Unit{unit(t, "applied", c.applied...)}}
			in.Near = []*objects.Unit{unit(t, "near", c.near...)}
			if c.others != nil {
				in.Others = []*objects.Unit{unit(t, "others", c.others...)}
			}
			if diff := cmp.Diff(c.want, text(impersonation.Check(in))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func text(r *impersonation.Result) string {
	if r == nil {
		return "unknown"
	}
	var parts []string
	for _, scope := range r.Summary() {
		where := scope.Namespace
		if where == "" {
			where = "everywhere"
		}
		parts = append(parts, where+": "+strings.Join(permission.RuleTexts(scope.Rules, 0), "; "))
	}
	for _, role := range r.Doubtful {
		parts = append(parts, "unknown "+role.Kind+" "+role.Name)
	}
	if r.Uncertain {
		parts = append(parts, "uncertain")
	}
	return strings.Join(parts, "; ")
}

// TestRoleOfAnotherUnit checks that a role counts that is in another unit of the cluster than its binding.
func TestRoleOfAnotherUnit(t *testing.T) {
	t.Parallel()
	app := gitops.Application{Tool: gitops.FluxKustomize, Object: objectstest.In(t, "app.yaml", "{apiVersion: v1, kind: App, metadata: {name: app}}")[0]}
	in := impersonation.Input{
		Application: &app, Account: objects.Account{Namespace: "shop", Name: "deployer"},
		Units: []*objects.Unit{unit(t, "applied", service, other)},
		Near:  []*objects.Unit{unit(t, "bindings", binding("Role", "deployer")), unit(t, "roles", role(services))},
	}
	if got := text(impersonation.Check(in)); got != "other: create, patch services" {
		t.Error(got)
	}
	in.Units[0].NotBuilt = true
	if got := text(impersonation.Check(in)); got != "" {
		t.Errorf("of a unit that could not be built: %s", got)
	}
}
