package rules_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evalcontext"
)

// namesakes is a repository with the same names in two folders.
var namesakes = map[string]string{
	"dev/extension.yaml": `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: argocd}
spec:
  namespace: argocd
  serviceAccount: {name: installer}
  source: {sourceType: Catalog, catalog: {packageName: argocd-operator, version: 0.6.0}}
`,
	"dev/account.yaml": "{apiVersion: v1, kind: ServiceAccount, metadata: {name: installer, namespace: argocd}}",
	"dev/binding.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: installer-dev}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: installer}
subjects: [{kind: ServiceAccount, name: installer, namespace: argocd}]
`,
	"prod/extension.yaml": `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: argocd}
spec: {namespace: argocd, serviceAccount: {name: installer}}
`,
	"prod/account.yaml": "{apiVersion: v1, kind: ServiceAccount, metadata: {name: installer, namespace: argocd}}",
	"prod/binding.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: installer-prod, namespace: argocd}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: missing}
subjects: [{kind: ServiceAccount, name: installer, namespace: argocd}]
`,
	"roles.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: installer}
rules:
- {apiGroups: [""], resources: [secrets], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: broken}
rules: everything
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator-controller-controller-manager, namespace: olmv1-system}
spec:
  template:
    spec:
      containers:
      - name: manager
        image: quay.io/operator-framework/operator-controller:v1.11.0
        args: [--feature-gates=BoxcutterRuntime=true]
`,
}

// ask evaluates an expression on an object of the repository; "undefined" if it has no value.
func ask(t *testing.T, w evalcontext.Context, object *objects.Object, expression string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	kinds := `kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads:
#     - ServiceAccount
#     - Pod
#     - rbac
#     - ValidatingAdmissionPolicy.admissionregistration.k8s.io
#     - ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io`
	source := strings.NewReplacer("kinds: [ConfigMap]", kinds, "{apiVersion: v1, kind: ConfigMap", "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, spec: {serviceAccount: {}}").Replace(header) +
		"package salint.rules.custom.x\n\nimport data.salint.lib\n\n" +
		"report contains lib.finding([], json.marshal(answer)) if {\n\tinput.resource\n\tanswer := " + expression + "\n}\n"
	write(t, filepath.Join(dir, "x.rego"), source)
	registry := load(t, dir)
	evaluator, err := registry.Evaluator(t.Context(), []string{"custom/x"})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := evaluator.Evaluate(t.Context(), w, object)
	if err != nil || len(reports) == 0 {
		return "undefined", err
	}
	return reports[0].Message, nil
}

func gitopsWorld(t *testing.T) (evalcontext.Context, *objects.Object) {
	t.Helper()
	w := worldOf(t, namesakes)
	for _, o := range w.Unit.Objects {
		for _, signal := range olm.ReadSignals(o.Node) {
			signal.Ref = o.Ref()
			w.Signals = append(w.Signals, signal)
		}
	}
	w.Mentions = func(_ context.Context, a objects.Account, _ *objects.Object) ([]uses.Place, error) {
		if a.Name == "lost" {
			return nil, errors.New("a disk is broken")
		}
		return []uses.Place{{File: "README.md", Line: 3}, {File: "a.yaml", Line: 7, Kind: "Pod", Ref: "a.yaml#0/", Path: []string{"spec", "x"}}}, nil
	}
	return w, w.Unit.Find(objects.Query{Kind: "ClusterExtension"})[0]
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	w, extension := gitopsWorld(t)
	const account = `{"kind": "ServiceAccount", "namespace": "argocd", "name": "installer"}`
	tests := map[string]string{
		// Objects.
		`salint.ref(input.resource)`:                                                          `"dev/extension.yaml#0/"`,
		`salint.ref(json.unmarshal(json.marshal(input.resource)))`:                            `"dev/extension.yaml#0/"`,
		`salint.ref({"kind": "Pod"})`:                                                         `undefined`,
		`salint.ref(3)`:                                                                       `undefined`,
		`[f.ref | some f in salint.find(` + account + `)]`:                                    `["dev/account.yaml#0/","prod/account.yaml#0/"]`,
		`[salint.ref(f.resource) | some f in salint.find(` + account + `)]`:                   `["dev/account.yaml#0/","prod/account.yaml#0/"]`,
		`[f.ref | some f in salint.find({"kind": "ServiceAccount", "group": "example.org"})]`: `[]`,
		`[f.ref | some f in salint.find({"kind": "ServiceAccount", "group": ""})]`:            `["dev/account.yaml#0/","prod/account.yaml#0/"]`,
		`[f.ref | some f in salint.lookup(` + account + `)]`:                                  `["dev/account.yaml#0/"]`,
		`salint.ties(` + account + `)`:                                                        `[]`,
		`[f.resource.metadata.name | some f in salint.anywhere({"kind": "ClusterRole"})]`:     `["installer","broken"]`,
		`salint.mentions({"namespace": "argocd", "name": "installer"})`:                       `[{"file":"README.md","line":3,"ref":"","template":false,"units":[],"use":"","what":""},{"file":"a.yaml","line":7,"ref":"a.yaml#0/","template":false,"units":[],"use":"","what":"Pod spec.x"}]`,
		// Values from manifests can be anything: they match nothing, and are no error.
		`salint.find({"kind": "ServiceAccount", "name": 7})`:  `undefined`,
		`salint.find({"kind": "ServiceAccount", "name": ""})`: `undefined`,
		`salint.find({"kind": ["ServiceAccount"]})`:           `undefined`,
		`salint.find({})`: `undefined`,
		`salint.bindings_of({"kind": "User", "name": null})`: `undefined`,
		`salint.identity("")`:                                `undefined`,
		`salint.mistyped({"kind": 3, "name": {}})`:           `undefined`,
		`salint.covers([7, {"verbs": "*"}], {"apiGroups": [""], "resources": ["x"], "verbs": ["get"]})`:                        `false`,
		`salint.extension({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "spec": 7}).account.state`: `"absent"`,
		// Extensions.
		`salint.extension(input.resource).account`:                                           `{"name":"installer","path":["spec","serviceAccount"],"state":"named"}`,
		`salint.extension({"kind": "Pod"})`:                                                  `undefined`,
		`salint.identity("argocd")`:                                                          `{"groups":["olm:clusterextensions","system:authenticated"],"user":"olm:clusterextension:argocd"}`,
		`salint.mistyped({"kind": "User", "name": "olm:clusterextensions:argocd"}).name`:     `"olm:clusterextension:argocd"`,
		`salint.mistyped_account({"kind": "Group", "name": "system:serviceaccount:a"}).name`: `"system:serviceaccounts:a"`,
		`salint.mistyped_account({"kind": 3, "name": {}})`:                                   `undefined`,
		`[[s.ref, s.path, s.target, s.gates] | some s in salint.signs(); s.kind == "gates"]`: `[["roles.yaml#2/",["spec","template","spec","containers",0,"args",0],"",{"BoxcutterRuntime":true}]]`,
		`salint.runtime("olm-1.9", {"BoxcutterRuntime": true}).finalizers`:                   `"clusterobjectsets"`,
		`input.target.name`: `"olm-1.11"`,
		`[input.model, input.unit.kind, input.unit.root, input.target.asked]`: `["ignored","plain",".",true]`,
		// Permissions.
		`[[b.ref, b.scope, b.role_ref, b.subject_index, b.via] | some b in salint.bindings_of(` + account + `)]`: `[["dev/binding.yaml#0/","","roles.yaml#0/",0,""]]`,
		`salint.effective_rules(` + account + `)`:                                                                            `{"cluster":[{"apiGroups":[""],"nonResourceURLs":[],"resourceNames":[],"resources":["secrets"],"verbs":["get","list"]}],"namespaces":{},"partial":[],"unknown":[]}`,
		`[[e.subject, e.binding.ref] | some e in salint.bindings_to("roles.yaml#0/")]`:                                       `[[{"kind":"ServiceAccount","name":"installer","namespace":"argocd"},"dev/binding.yaml#0/"]]`,
		`[r.verbs | some r in salint.role_rules("roles.yaml#0/")]`:                                                           `[["get","list"]]`,
		`salint.role_rules("roles.yaml#1/")`:                                                                                 `undefined`,
		`salint.covers(salint.role_rules("roles.yaml#0/"), {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]})`: `true`,
		`salint.covers(salint.role_rules("roles.yaml#0/"), {"apiGroups": [""], "resources": ["secrets"], "verbs": ["*"]})`:   `false`,
		`[r.verbs | some r in salint.granted_rules("dev/binding.yaml#0/").rules]`:                                            `[["get","list"]]`,
		`[r.verbs | some r in salint.granted_rules("roles.yaml#0/").rules]`:                                                  `[["get","list"]]`,
		`[r.name | some r in salint.granted_rules("prod/binding.yaml#0/").unknown]`:                                          `["missing"]`,
		`[r.name | some r in salint.granted_rules("roles.yaml#1/").unknown]`:                                                 `["broken"]`,
		`salint.granted_rules("dev/extension.yaml#0/")`:                                                                      `undefined`,
		// Questions.
		`[[a.allowed, [b.binding.name | some b in a.by]] | a := salint.can_i(` + account + `, {"verb": "get", "resource": "secrets", "namespace": "x"})][0]`:                  `[true,["installer-dev"]]`,
		`salint.can_i(` + account + `, {"verb": "get", "resource": "pods", "subresource": "log"})`:                                                                            `{"allowed":false,"by":[],"partial":[],"uncertain":[],"unknown":[]}`,
		`salint.can_i(` + account + `, {"verb": "get", "path": "/metrics"}).allowed`:                                                                                          `false`,
		`salint.can_i(` + account + `, {"verb": "get"})`:                                                                                                                      `undefined`,
		`salint.can_i({"kind": "User", "name": 3}, {"verb": "get", "resource": "pods"})`:                                                                                      `undefined`,
		`[[h.subject.name, h.binding.name, h.rule.verbs] | some h in salint.who_can({"verb": "list", "resource": "secrets"}).holders]`:                                        `[["installer","installer-dev",["get","list"]]]`,
		`salint.limits({"kind": "Group", "name": "developers"}, {"operation": "CREATE", "group": "olm.operatorframework.io", "resource": "clusterextensions"})`:               `{"reasons":[],"state":"open"}`,
		`salint.limits({"kind": "Group", "name": 1}, {"operation": "CREATE"})`:                                                                                                "undefined",
		`salint.is_administrator({"kind": "Group", "name": "system:masters"})`:                                                                                                `true`,
		`salint.is_administrator({"kind": "Group", "name": "developers"})`:                                                                                                    `false`,
		`salint.is_administrator({"kind": "Group", "name": "developers", "apiGroup": "", "index": 0})`:                                                                        `false`,
		`salint.is_administrator({"kind": "Group"})`:                                                                                                                          `undefined`,
		`[b.name | some b in salint.who_can({"verb": "list", "resource": "pods", "namespace": "argocd"}).unknown]`:                                                            `["installer-prod"]`,
		`[[r.verbs, r.resources] | some r in salint.missing(salint.role_rules("roles.yaml#0/"), [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "watch"]}])]`: `[[["watch"],["secrets"]]]`,
		`[r.verbs | some r in salint.missing([7, {"apiGroups": [""], "resources": ["x"], "verbs": ["*"]}], [{"apiGroups": [""], "resources": ["x"], "verbs": ["get"]}])]`:     `[]`,
		`salint.missing([], ["all"])`: `undefined`,
		`[r.verbs | some r in salint.compact([{"apiGroups": [""], "resources": ["x"], "verbs": ["list"], "nonResourceURLs": []}, {"apiGroups": [""], "resources": ["x"], "verbs": ["get"]}])]`: `[["get","list"]]`,
		`salint.compact([{"verbs": 3}])`:                                               `undefined`,
		`[r.verbs | some r in salint.granted_about("roles.yaml#0/", "", {"secrets"})]`: `[["get","list"]]`,
		`salint.granted_about("roles.yaml#0/", "", ["secrets/status", "pods"])`:        `[]`,
		`salint.granted_about("roles.yaml#0/", "*", ["*"])`:                            `[]`,
		`salint.granted_about("dev/extension.yaml#0/", "", ["secrets"])`:               `undefined`,
	}
	for expression, want := range tests {
		got, err := ask(t, w, extension, expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", expression, diff)
		}
	}
}

// TestFunctionsRefuseMistakes checks that mistakes of a policy end the evaluation, and that the error names function, rule,
// and object.
func TestFunctionsRefuseMistakes(t *testing.T) {
	t.Parallel()
	w, extension := gitopsWorld(t)
	for expression, want := range map[string]string{
		`salint.find({"kind": "Pod", "nam": "x"})`: `salint.find: unknown key "nam"; did you mean name?`,
		`salint.find({"kind": "Namespace"})`:       `salint.find: needs objects of the kind Namespace, which are not read for this rule: name it in custom.reads`,
		// It is among the kinds that the rule judges, but only documents with one of its words are read.
		`salint.lookup({"kind": "ClusterExtension"})`:                                     `salint.lookup: needs objects of the kind ClusterExtension`,
		`salint.role_rules("nowhere")`:                                                    `salint.role_rules: there is no object with the ref "nowhere"`,
		`salint.mentions({"name": "lost"})`:                                               `salint.mentions: a disk is broken`,
		`salint.covers([], {"verbs": "get"})`:                                             `salint.covers: the second argument must be a rule`,
		`salint.can_i({"kind": "User", "name": "x"}, {"verb": "get", "resorce": "pods"})`: `salint.can_i: unknown key "resorce"; did you mean resource?`,
		`salint.runtime("olm-9", {})`:                                                     `salint.runtime: unknown target "olm-9"`,
	} {
		_, err := ask(t, w, extension, expression)
		if err == nil {
			t.Errorf("%s is accepted", expression)
			continue
		}
		for _, part := range []string{"rule custom/x on ClusterExtension argocd (dev/extension.yaml:1:1): ", "x.rego:", want} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error is %v and lacks %q", expression, err, part)
			}
		}
	}
}

// TestFunctionsRefuseKindsThatAreNotRead checks that a query for a kind that the rule does not name is an error, because
// such objects are not read.
func TestFunctionsRefuseKindsThatAreNotRead(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	const subject = `({"kind": "User", "name": "jane"})`
	for expression, want := range map[string]string{
		`salint.find({"kind": "ConfigMap"})`:  "",
		`salint.anywhere({"kind": "Secret"})`: "kind Secret, which are not read",
		`salint.bindings_of` + subject:        "kind ClusterRoleBinding or RoleBinding, which are not read",
		`salint.effective_rules` + subject:    "kind ClusterRoleBinding or RoleBinding, which are not read",
		`salint.find({"kind": ""})`:           "",
		`salint.lookup({"kind": 3})`:          "",
	} {
		evaluator := policyOf(t, rules.Options{}, nil, "report contains lib.finding([], \"m\") if json.marshal("+expression+") == \"?\"\n")
		_, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: the error is %v, want %q", expression, err, want)
		}
	}
}
