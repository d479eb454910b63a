package session

import (
	"flag"
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestConditionsHideNothing -conditions.runs 2000 -conditions.seed 1000
var (
	conditionRuns = flag.Int64("conditions.runs", 40, "how many random repositories are linted")
	conditionSeed = flag.Int64("conditions.seed", 0, "the first seed")
)

// TestConditionsHideNothing lints random repositories, with rules evaluated only where one of their conditions holds, and with all of
// them evaluated: the findings are the same. Each rule with a condition has findings in some of the repositories.
func TestConditionsHideNothing(t *testing.T) {
	t.Parallel()
	count := newConditionCount(t)
	for seed := *conditionSeed; seed < *conditionSeed+*conditionRuns*int64(long.Runs(1, 5)); seed++ {
		files := newConditionRepo(rand.New(rand.NewSource(seed)))
		for _, target := range []string{"auto", "olm-1.9", "olm-1.11", "synthetic"} {
			count.compare(t, fmt.Sprintf("seed %d, target %s", seed, target), files, target)
		}
	}
	count.check(t)
}

// TestConditionsOfGoldenCases does the same with repositories of golden cases.
func TestConditionsOfGoldenCases(t *testing.T) {
	t.Parallel()
	count := newConditionCount(t)
	for _, group := range []string{"rules", "shapes", "targets", "fix", "gitops", "overlays"} {
		archives, err := filepath.Glob("../../../fixtures/" + group + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for i, archive := range archives {
			if i%long.Runs(8, 1) != 0 {
				continue
			}
			for _, target := range []string{"auto", "olm-1.9", "olm-1.11", "synthetic"} {
				count.compare(t, archive+", target "+target, filesOfCase(t, archive), target)
			}
		}
	}
	if count.findings == 0 {
		t.Fatal("the golden cases have no findings: the test compares nothing")
	}
}

// conditionCount counts what the comparisons are worth.
type conditionCount struct {
	// conditional are the rules with conditions; found and skipped count their findings, and the evaluations that were left out.
	conditional    []string
	found, skipped map[string]int
	findings       int
}

func newConditionCount(t *testing.T) *conditionCount {
	t.Helper()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &conditionCount{found: map[string]int{}, skipped: map[string]int{}}
	for _, rule := range registry.Rules() {
		if len(rule.EvaluateIf) > 0 {
			c.conditional = append(c.conditional, rule.Name)
		}
	}
	return c
}

func (c *conditionCount) compare(t *testing.T, name string, files map[string]string, target string) {
	t.Helper()
	few, fewSession := lintEverything(t, files, target, false)
	all, allSession := lintEverything(t, files, target, true)
	if diff := cmp.Diff(textOfOutcome(t, all), textOfOutcome(t, few)); diff != "" {
		t.Fatalf("%s: a condition hides a finding (-all evaluated +conditions):\n%s\n%s", name, diff, tree(files).Dump())
	}
	c.findings += len(few.Findings)
	for _, f := range few.Findings {
		c.found[f.Rule]++
	}
	for rule, n := range allSession.stats.Evaluations {
		c.skipped[rule] += n - fewSession.stats.Evaluations[rule]
	}
}

// lintEverything lints files, with everything also where no condition holds.
func lintEverything(t *testing.T, files map[string]string, target string, everything bool) (*Outcome, *Session) {
	t.Helper()
	return lintFiles(t, files, Options{Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, ""}, Target: target, everything: everything})
}

func (c *conditionCount) check(t *testing.T) {
	t.Helper()
	t.Logf("findings: %v\nevaluations left out: %v", c.found, c.skipped)
	for _, rule := range c.conditional {
		if c.found[rule] == 0 || c.skipped[rule] == 0 {
			t.Errorf("%s: %d findings, %d evaluations left out: the repositories do not test its conditions", rule, c.found[rule], c.skipped[rule])
		}
	}
}

// conditionRepo is a random repository of extensions in all states, with what is bound to their identities.
type conditionRepo struct {
	*rand.Rand
	files map[string]string
}

func newConditionRepo(r *rand.Rand) map[string]string {
	g := conditionRepo{r, map[string]string{}}
	folders := []string{"clusters/a", "clusters/b", "apps"}[:1+g.Intn(3)]
	for _, folder := range folders {
		for i := range 1 + g.Intn(3) {
			g.files[fmt.Sprintf("%s/extension-%d.yaml", folder, i)] = g.extension()
		}
		if g.Intn(3) > 0 {
			g.files[folder+"/installation.yaml"] = g.installation()
		}
		if len(g.files)%3 == 0 {
			g.files[folder+"/own-account.yaml"] = limitedOwnAccount
		}
		for i := range g.Intn(6) {
			g.files[fmt.Sprintf("%s/rbac-%d.yaml", folder, i)] = g.one(g.account(), g.binding(), g.binding(), g.role())
		}
		if g.Intn(4) == 0 {
			g.files[folder+"/signal.yaml"] = g.signal()
		}
		if g.Intn(3) == 0 {
			g.kustomization(folder)
		}
	}
	for i := range 2 {
		g.files[fmt.Sprintf("flux/%d.yaml", i)] = g.impersonation(i)
		g.files[fmt.Sprintf("units/%d/objects.yaml", i)] = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: quay-installer, namespace: ops}\n---\n" +
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: quay, namespace: ops}\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: quay-installer, namespace: ops}]\n"
	}
	return g.files
}

// impersonation returns a Kustomization of Flux that is applied as an account, or as its controller.
func (g conditionRepo) impersonation(i int) string {
	account := g.one("", "", "serviceAccountName: quay-installer, ", "serviceAccountName: none, ")
	return fmt.Sprintf("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: unit-%[1]d, namespace: ops}\n"+
		"spec: {interval: 1h, path: ./units/%[1]d, prune: true, %[2]ssourceRef: {kind: GitRepository, name: ops}}\n", i, account)
}

func (g conditionRepo) one(of ...string) string { return of[g.Intn(len(of))] }

func (g conditionRepo) name() string { return g.one("harbor", "quay", "registry") }

func (g conditionRepo) accountName() string {
	return g.one("harbor-installer", "quay-installer", "installer", "default", "olm.synthetic-user")
}

func (g conditionRepo) namespace() string { return g.one("ops", "ops", "shop") }

func (g conditionRepo) annotations() string {
	return g.one("", "", "", "", ", annotations: {argocd.argoproj.io/sync-wave: '"+g.one("-1", "1", "2")+"'}",
		", annotations: {argocd.argoproj.io/sync-options: "+g.one("Force=true", "Replace=true", "Prune=false")+"}",
		", annotations: {kustomize.toolkit.fluxcd.io/force: enabled}", ", annotations: {helm.sh/hook: "+g.one("pre-install", "post-install")+"}")
}

func (g conditionRepo) extension() string {
	version := g.one("v1", "v1", "v1", "v1", "v1alpha1")
	account := g.one("serviceAccount: {name: "+g.accountName()+"}", "serviceAccount: {name: "+g.accountName()+"}", "serviceAccount: {name: "+g.accountName()+"}",
		"serviceAccount: {}", "serviceAccount: null", "serviceAccount: {name: ''}", "serviceAccount: x", "serviceAccount: {name: '${SA}'}", "serviceAccount: {name: 7}", "", "", "")
	namespace := g.one("namespace: "+g.namespace(), "namespace: "+g.namespace(), "namespace: "+g.namespace(), "installNamespace: ops", "namespace: '${NS}'", "")
	pinned := g.one("", "", ", version: 1.2.x", ", version: 1.2.3")
	return "apiVersion: olm.operatorframework.io/" + version + "\nkind: ClusterExtension\nmetadata: {name: " + g.one(g.name(), g.name(), g.name(), "'${NAME}'") + g.annotations() + "}\nspec:\n  " +
		strings.Join(slices.DeleteFunc([]string{namespace, account, "source: {sourceType: Catalog, catalog: {packageName: a" + pinned + "}}"},
			func(line string) bool { return line == "" }), "\n  ") + "\n"
}

// installation returns an account with a role and a binding, most often with the extension that names it.
func (g conditionRepo) installation() string {
	name, namespace := g.name(), g.namespace()
	role := g.roleName()
	subject := "{kind: ServiceAccount, name: " + name + "-installer, namespace: " + namespace + "}"
	extension := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: " + name + "}\nspec: {namespace: " + namespace +
		", serviceAccount: {name: " + name + "-installer}, source: {sourceType: Catalog, catalog: {packageName: a}}}\n---\n"
	if g.Intn(4) == 0 {
		extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: " + name + "}\nspec: {namespace: " + namespace +
			", source: {sourceType: Catalog, catalog: {packageName: a}}}\n---\n"
		subject = g.one(subject, "{kind: User, name: 'olm:clusterextension:"+name+"'}")
	}
	return extension + "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + name + "-installer, namespace: " + namespace + "}\n---\n" +
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: " + name + "-installer}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + role + "}\nsubjects: [" + subject + "]\n---\n" +
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + role + "}\nrules: [" + g.rulesOf(role) + "]\n"
}

func (g conditionRepo) account() string {
	return "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + g.accountName() + g.one(", namespace: "+g.namespace(), ", namespace: "+g.namespace(), "") + g.annotations() + "}\n"
}

func (g conditionRepo) roleName() string {
	return g.one("cluster-admin", "view", "installer", "installer", "everything", "writer", "part", "olm-clusterextension-harbor-bundle", "olm-clusterextension-quay-installer-bundle")
}

func (g conditionRepo) binding() string {
	kind := g.one("ClusterRoleBinding", "ClusterRoleBinding", "ClusterRoleBinding", "RoleBinding")
	subject := g.one(
		"{kind: ServiceAccount, name: "+g.accountName()+", namespace: "+g.namespace()+"}",
		"{kind: ServiceAccount, name: "+g.accountName()+", namespace: "+g.namespace()+"}",
		"{kind: User, name: 'olm:clusterextension:"+g.name()+"'}",
		"{kind: Group, name: '"+g.one("olm:clusterextensions", "system:serviceaccounts:ops", "developers")+"'}",
		"{kind: User, name: jane}",
		"{kind: User, name: 'olm:clusterextension:"+g.one("gone", "${NAME}", "")+"'}",
		"{kind: "+g.one("User", "Group", "ServiceAccount")+", name: '"+g.one("olm:clusterextensions", "olm:clusterextensions:harbor", "olm:ClusterExtension:harbor")+"'}",
		"{apiGroup: "+g.one("null", "''", "{}", "rbac", "rbac.authorization.k8s.io")+", kind: User, name: 'olm:clusterextension:"+g.name()+"'}",
	)
	subject = g.one(subject, subject, "{kind: User, name: jane}, "+subject)
	namespace := ""
	if kind == "RoleBinding" {
		namespace = ", namespace: " + g.namespace()
	}
	return "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\nmetadata: {name: " + g.one("a", "b", "c", "d", "e", "f") + namespace + g.annotations() + "}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + g.one("ClusterRole", "ClusterRole", "ClusterRole", "Role") + ", name: " + g.roleName() + "}\nsubjects: [" + subject + "]\n"
}

func (g conditionRepo) role() string {
	name := g.roleName()
	return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + name + g.annotations() + "}\nrules: [" + g.rulesOf(name) + "]\n"
}

// rulesOf returns rules that suit the name of a role.
func (g conditionRepo) rulesOf(role string) string {
	switch role {
	case "everything":
		return "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}"
	case "writer":
		return "{apiGroups: [olm.operatorframework.io], resources: [" + g.one("clusterextensions", "clustercatalogs", "'*'") + "], verbs: [" + g.one("get", "create", "patch", "'*'") + "]}"
	case "part":
		return "{apiGroups: ['*'], resources: ['*'], verbs: [" + g.one("get, list, watch", "create, update, patch, delete, deletecollection, get, list, watch") + "]}"
	}
	return "{apiGroups: [olm.operatorframework.io], resources: [" + g.one("clusterextensions/finalizers", "clusterobjectsets/finalizers") + "], verbs: [update]" +
		g.one("", ", resourceNames: [harbor]") + "}, {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [create]}"
}

// limitedOwnAccount is the account of operator-controller, with less than OLM needs.
const limitedOwnAccount = `apiVersion: v1
kind: ServiceAccount
metadata: {name: operator-controller-controller-manager, namespace: olmv1-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator-controller-manager-role}
rules: [{apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: operator-controller-manager-rolebinding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator-controller-manager-role}
subjects: [{kind: ServiceAccount, name: operator-controller-controller-manager, namespace: olmv1-system}]
`

func (g conditionRepo) signal() string {
	schema := g.one("required: [namespace, serviceAccount, source]\n            properties: {serviceAccount: {type: object}}", "required: [namespace, source]\n            properties: {serviceAccount: {type: object}}")
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: clusterextensions.olm.operatorframework.io}\n" +
		"spec:\n  group: olm.operatorframework.io\n  names: {kind: ClusterExtension, plural: clusterextensions}\n  scope: Cluster\n  versions:\n  - name: v1\n    served: true\n    storage: true\n" +
		"    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            " + schema + "\n"
	controller := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator-controller, namespace: olmv1-system}\nspec: {template: {spec: {containers: [{name: manager, image: 'quay.io/operator-framework/operator-controller:v1." +
		g.one("7", "9", "10", "11") + ".0', args: ['--feature-gates=" + g.one("SyntheticPermissions=true", "SyntheticPermissions=false", "BoxcutterRuntime=true", "AllAlpha=false") + "']}]}}}\n"
	return g.one(crd, controller, controller)
}

func (g conditionRepo) kustomization(folder string) {
	var names []string
	for name := range g.files {
		if path, ok := strings.CutPrefix(name, folder+"/"); ok {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	g.files[folder+"/kustomization.yaml"] = "resources: [" + strings.Join(names, ", ") + "]\n" + g.one("", "namePrefix: x-\n", "namespace: ops\n")
}
