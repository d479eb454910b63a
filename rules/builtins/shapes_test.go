package builtins

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// ordinary has an object of each kind that the functions read, with the fields that they read.
var ordinary = []string{
	`{apiVersion: v1, kind: ServiceAccount, metadata: {name: robot, namespace: shop}, automountServiceAccountToken: false, secrets: [{name: key}], imagePullSecrets: [{name: key}]}`,
	`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader, labels: {to: admin}}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: reader}, matchExpressions: [{key: to, operator: In, values: [reader]}]}]}, rules: [{apiGroups: [""], resources: [secrets], resourceNames: [key], verbs: [get]}, {nonResourceURLs: [/metrics], verbs: [get]}]}`,
	`{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]}`,
	`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: readers}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}, subjects: [{apiGroup: "", kind: ServiceAccount, name: robot, namespace: shop}]}`,
	`{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: readers, namespace: shop}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "olm:clusterextension:shop"}]}`,
	`{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, metadata: {name: shop, annotations: {argocd.argoproj.io/sync-options: Force=true}}, spec: {namespace: shop, serviceAccount: {name: robot}, install: {serviceAccount: {name: robot}, namespace: shop}, packageName: shop, version: 1.2.3, source: {sourceType: Catalog, catalog: {packageName: shop, version: 1.2.3}}}}`,
	`{apiVersion: apps/v1, kind: Deployment, metadata: {name: operator-controller-controller-manager, namespace: shop}, spec: {template: {spec: {serviceAccountName: robot, serviceAccount: robot, automountServiceAccountToken: true, imagePullSecrets: [{name: key}], volumes: [{name: v, secret: {secretName: key}, projected: {sources: [{secret: {name: key}, serviceAccountToken: {path: x}}]}}], containers: [{name: manager, image: "quay.io/operator-framework/operator-controller:v1.11.0", args: [--feature-gates=BoxcutterRuntime=true], env: [{name: x, valueFrom: {secretKeyRef: {name: key, key: x}}}], envFrom: [{secretRef: {name: key}}], volumeMounts: [{name: v, mountPath: /x}]}]}}}}`,
	`{apiVersion: v1, kind: Pod, metadata: {name: one, namespace: shop, annotations: {kubernetes.io/config.mirror: x}}, spec: {serviceAccountName: robot, containers: [{name: a, image: b}]}}`,
	`{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly, namespace: shop}, spec: {jobTemplate: {spec: {template: {spec: {serviceAccountName: robot, containers: []}}}}}}`,
	`{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: shop, annotations: {kubernetes.io/service-account.name: robot}}, type: kubernetes.io/service-account-token, stringData: {a: b}}`,
	`{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: key, namespace: shop}, spec: {target: {name: key, template: {type: Opaque, metadata: {annotations: {a: b}}}}}}`,
	`{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}, data: {a: b}}`,
	`{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {a: b}}}`,
	`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: limit}, spec: {failurePolicy: Fail, matchConstraints: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: ["*"], operations: [CREATE], resources: [clusterextensions], resourceNames: [shop], scope: "*"}], namespaceSelector: {matchLabels: {a: b}}}, matchConditions: [{name: a, expression: "true"}], variables: [{name: v, expression: "1"}], paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "request.userInfo.username == 'a'", message: no}]}}`,
	`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: limit}, spec: {policyName: limit, validationActions: [Deny], paramRef: {name: settings, namespace: shop, parameterNotFoundAction: Deny}, matchResources: {namespaceSelector: {matchLabels: {a: b}}}}}`,
	`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: shop, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "1"}}, spec: {project: shop, destination: {name: x, server: "https://kubernetes.default.svc", namespace: shop}, source: {repoURL: "https://example.com/x", path: ., helm: {values: "a: b"}}, sources: [{path: .}], syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [Replace=true], managedNamespaceMetadata: {labels: {a: b}}}}}`,
	`{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: shops, namespace: argocd}, spec: {generators: [{list: {elements: [{a: b}]}}, {git: {directories: [{path: "*"}]}}], template: {metadata: {name: "x-{{a}}"}, spec: {project: shop, destination: {namespace: shop}, source: {path: .}}}}}`,
	`{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: shop, namespace: argocd}, spec: {destinations: [{server: "*", namespace: "*"}], sourceRepos: ["*"], clusterResourceWhitelist: [{group: "*", kind: "*"}], destinationServiceAccounts: [{server: "*", namespace: shop, defaultServiceAccount: robot}]}}`,
	`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: shop, namespace: shop}, spec: {path: ., prune: true, force: true, serviceAccountName: robot, targetNamespace: shop, dependsOn: [{name: other, namespace: shop}], sourceRef: {kind: GitRepository, name: x}, kubeConfig: {secretRef: {name: key}}}}`,
	`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: shop, namespace: shop}, spec: {serviceAccountName: robot, targetNamespace: shop, releaseName: shop, dependsOn: [{name: other}], chart: {spec: {chart: ., sourceRef: {kind: GitRepository, name: x}}}, values: {a: b}, install: {crds: Skip}}}`,
	`{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, metadata: {name: shop, namespace: shop}, spec: {name: shop, channel: stable, source: x, sourceNamespace: y}}`,
	`{apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: {name: shop, namespace: shop}, spec: {serviceAccountName: robot, targetNamespaces: [shop]}}`,
	`{apiVersion: grafana.integreatly.org/v1beta1, kind: Grafana, metadata: {name: shop, namespace: shop}, spec: {config: {a: {b: c}}}}`,
	`{apiVersion: grafana.integreatly.org/v1beta1, kind: GrafanaServiceAccount, metadata: {name: robot, namespace: shop}, spec: {instanceName: shop, role: Admin, tokens: [{name: a, secretName: key, expires: "2030-01-01T00:00:00Z"}]}}`,
}

// shapes are the values that a field has instead of its own.
var shapes = map[string]any{
	"absent": absent{}, "null": nil, "empty text": "", "text": "x", "number": 7, "boolean": true, "empty list": []any{}, "list": []any{nil, "x", 7, map[string]any{}, []any{}},
	"empty mapping": map[string]any{}, "mapping": map[string]any{"x": nil, "name": 7},
}

// absent removes a field.
type absent struct{}

// variants returns copies of a decoded value, in each of which one field at any depth, or one item, has another value.
func variants(value, other any) (all []any) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			for _, v := range append(variants(value[key], other), other) {
				changed := maps.Clone(value)
				if changed[key] = v; v == any(absent{}) {
					delete(changed, key)
				}
				all = append(all, changed)
			}
		}
	case []any:
		for i := range value {
			for _, v := range append(variants(value[i], other), other) {
				if changed := slices.Clone(value); v != any(absent{}) {
					changed[i] = v
					all = append(all, changed)
				}
			}
		}
	}
	return all
}

// oddWorld returns the context of a repository with the ordinary objects, and with the manifests that are tried.
func oddWorld(t *testing.T, tried []any) (s world, odd []*objects.Object) {
	t.Helper()
	const file = "tried.yaml"
	var text strings.Builder
	for _, manifest := range tried {
		written, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString("---\n" + string(written) + "\n")
	}
	all := objectstest.Objects(t, filestest.Tree{"ordinary.yaml": strings.Join(ordinary, "\n---\n"), file: text.String()})
	unit := assembly.Units(all, nil)[0]
	applied := gitops.Read(all, gitops.Options{})
	w := evalcontext.Context{
		Unit: unit, Units: []*objects.Unit{unit}, Target: olm.UnknownTarget(), Shared: new(evalcontext.Shared),
		Delivery: delivery.New([]*objects.Unit{unit}, applied, func(*objects.Unit) []*gitops.Application { return applied.Applications }),
		Mentions: func(context.Context, objects.Account, *objects.Object) ([]uses.Place, error) {
			return make([]uses.Place, 1), nil
		},
		CreatedInTexts: func(context.Context, objects.Account) ([]objects.Position, error) {
			return make([]objects.Position, 1), nil
		},
		Former: evalcontext.Former{Of: func(_ *objects.Unit, o *objects.Object) (now, before *objects.Object) { return o, o }},
	}
	reads := map[string]bool{}
	for _, o := range all {
		reads[o.Kind] = true
		for _, signal := range olm.ReadSignals(o.Node) {
			signal.Ref = o.Ref()
			w.Signals = append(w.Signals, signal)
		}
		if o.File == file {
			odd = append(odd, o)
		}
	}
	return world{w, reads, &values.Cache{}}, odd
}

// world is the context of the calls, with the kinds that are read.
type world struct {
	evalcontext.Context
	reads  map[string]bool
	values *values.Cache
}

// about returns the evaluation for the rules about an object.
func (w world) about(o *objects.Object) *evalcontext.Evaluation {
	return evalcontext.New(w.Context, o, w.values).ForRule(w.reads)
}

// examples are arguments by name; others get one by type.
var examples = map[string]any{
	"query": map[string]any{"kind": "ClusterRole"}, "secret": map[string]any{"namespace": "shop", "name": "key"},
	"request": map[string]any{"verb": "get", "resource": "secrets", "namespace": "shop"},
	"attempt": map[string]any{"operation": "CREATE", "group": "olm.operatorframework.io", "resource": "clusterextensions", "name": "shop"},
	"subject": account("ServiceAccount"), "subjects": []any{account("ServiceAccount"), map[string]any{"kind": "User", "name": "olm:clusterextension:shop"}},
	"rule": secretRule, "rules": []any{secretRule}, "wanted": []any{secretRule}, "gates": map[string]any{"BoxcutterRuntime": true},
	"target_name": "olm-1.11", "time": "2030-01-01T00:00:00Z",
}

var secretRule = map[string]any{"apiGroups": []any{""}, "resources": []any{"secrets"}, "resourceNames": []any{}, "nonResourceURLs": []any{}, "verbs": []any{"get"}}

func account(kind string) map[string]any {
	return map[string]any{"kind": kind, "namespace": "shop", "name": "robot"}
}

// example returns an argument that fits its declaration, about an object.
func example(s *evalcontext.Evaluation, argument types.Type, o *objects.Object) ast.Value {
	named := argument.(*types.NamedType)
	if value, ok := examples[named.Name]; ok {
		return values.Of(value)
	}
	switch named.Type.(type) {
	case types.String:
		if named.Name == "ref" {
			return ast.String(o.Ref())
		}
		return ast.String(o.Name)
	case types.Any, *types.Array, *types.Set:
		if !strings.HasPrefix(named.Name, "resource") || named.Type.String() != types.A.String() {
			return ast.NewArray(ast.StringTerm(o.Ref()))
		}
	case *types.Object:
		if named.Name != "extension" {
			return values.Of(map[string]any{"namespace": o.Namespace, "name": o.Name})
		}
	}
	return s.Values.Of(o)
}

// calls returns the arguments with which a function is called about an object: those of the examples, and queries for its kind.
func calls(s *evalcontext.Evaluation, b *policy.Builtin, o *objects.Object) (calls [][]ast.Value) {
	var args []ast.Value
	for _, argument := range b.Decl.NamedFuncArgs().Args {
		args = append(args, example(s, argument, o))
	}
	if len(args) != 1 || b.Decl.NamedFuncArgs().Args[0].(*types.NamedType).Name != "query" {
		return [][]ast.Value{args}
	}
	for _, key := range fieldquery.Keys {
		calls = append(calls, []ast.Value{values.Of(map[string]any{"kind": o.Kind, key: o.Name})})
	}
	return append(calls, []ast.Value{values.Of(map[string]any{"kind": o.Kind})})
}

// mistakes are the beginnings or parts of errors about the call itself: a policy that gets one is wrong.
var mistakes = []string{
	"unknown key", "needs objects of the kind", "there is no object with the ref", "unknown target", "must be a rule", "needs the repository",
}

// call evaluates a function, and reports a panic and an error that is no mistake of the policy.
func call(ctx context.Context, t *testing.T, b *policy.Builtin, args []ast.Value) {
	t.Helper()
	terms := make([]*ast.Term, len(args))
	for i, value := range args {
		terms[i] = ast.NewTerm(value)
	}
	defer func() {
		if failure := recover(); failure != nil {
			t.Fatalf("%s%v: %v\n%s", b.Name, args, failure, debug.Stack())
		}
	}()
	_, err := b.Eval(ctx, terms)
	if err != nil && !slices.ContainsFunc(mistakes, func(part string) bool { return strings.Contains(err.Error(), part) }) {
		t.Errorf("%s%v: %v", b.Name, args, err)
	}
}

// TestFunctionsAcceptAnyObject calls every function about objects in which any field has any value.
func TestFunctionsAcceptAnyObject(t *testing.T) {
	t.Parallel()
	for _, text := range ordinary {
		var manifest map[string]any
		if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
			t.Fatal(err)
		}
		for name, shape := range shapes {
			t.Run(fmt.Sprint(manifest["kind"], "/", name), func(t *testing.T) {
				t.Parallel()
				s, odd := oddWorld(t, variants(manifest, shape))
				for _, o := range odd {
					about := s.about(o)
					for _, b := range All() {
						for _, args := range calls(about, b, o) {
							call(about.Attach(t.Context()), t, b, args)
						}
					}
				}
			})
		}
	}
}

// TestFunctionsAcceptAnyArgument calls every function with arguments of any value, and with any value in them, in a repository and
// without one.
func TestFunctionsAcceptAnyArgument(t *testing.T) {
	t.Parallel()
	s, _ := oddWorld(t, nil)
	for _, o := range s.Unit.Objects[:6] {
		about := s.about(o)
		for _, b := range All() {
			for _, args := range calls(about, b, o) {
				for i, arg := range args {
					decoded, err := ast.JSON(arg)
					if err != nil {
						t.Fatal(err)
					}
					for _, shape := range shapes {
						for _, value := range append(variants(decoded, shape), shape) {
							if value == any(absent{}) {
								continue
							}
							odd := slices.Clone(args)
							odd[i] = values.Of(value)
							call(about.Attach(t.Context()), t, b, odd)
							call(t.Context(), t, b, odd)
						}
					}
				}
			}
		}
	}
}
