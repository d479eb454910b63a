package accesspolicy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

func units(t *testing.T, text string) []*objects.Unit {
	t.Helper()
	return assembly.Units(objectstest.In(t, "a.yaml", text), nil)
}

func role(name, rules string) string {
	return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: " + name + "}\nrules: [" + rules + "]\n"
}

func bound(name, role, subjects string) string {
	return "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: " + name + "}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + role + "}\nsubjects: [" + subjects + "]\n"
}

const (
	developers = "{kind: Group, name: developers}"
	writes     = "{apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [create]}"
)

func TestSubjects(t *testing.T) {
	t.Parallel()
	all := "verbs: [create, delete, deletecollection, get, list, patch, update, watch]"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"creates", role("r", writes) + bound("b", "r", developers), []string{"developers"}},
		{"any group of resources", role("r", "{apiGroups: ['*'], resources: [clustercatalogs], verbs: [patch]}") + bound("b", "r", developers), []string{"developers"}},
		{"one object", role("r", "{apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [update], resourceNames: [a]}") + bound("b", "r", developers), []string{"developers"}},
		{"creates what has no name yet", role("r", "{apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [create], resourceNames: [a]}") + bound("b", "r", developers), nil},
		{"reads", role("r", "{apiGroups: [olm.operatorframework.io], resources: ['*'], verbs: [get, list, delete]}") + bound("b", "r", developers), nil},
		{"status", role("r", "{apiGroups: [olm.operatorframework.io], resources: [clusterextensions/status], verbs: [update]}") + bound("b", "r", developers), nil},
		{"aggregated", strings.Replace(role("r", writes), "{name: r}", "{name: r, labels: {rbac.authorization.k8s.io/aggregate-to-edit: 'true'}}", 1) + bound("b", "edit", developers), []string{"developers"}},
		{"cluster-admin", bound("b", "cluster-admin", developers), nil},
		{"cluster-admin by another binding", role("r", writes) + bound("a", "cluster-admin", developers) + bound("b", "r", developers), nil},
		{"all that can be done", role("r", "{apiGroups: ['*'], resources: ['*'], "+all+"}") + bound("b", "r", developers), nil},
		{"administrators", role("r", writes) + bound("b", "r", "{kind: Group, name: system:masters}, {kind: Group, name: system:cluster-admins}"), nil},
		{"OLM", role("r", writes) + bound("b", "r", "{kind: ServiceAccount, name: operator-controller-controller-manager, namespace: olmv1-system}, {kind: ServiceAccount, name: catalogd-controller-manager, namespace: openshift-catalogd}, {kind: ServiceAccount, name: cluster-olm-operator, namespace: '${OLM}'}"), nil},
		{"called like OLM", role("r", writes) + bound("b", "r", "{kind: ServiceAccount, name: operator-controller-controller-manager, namespace: x}"), []string{"operator-controller-controller-manager"}},
		{"cluster-admin by several bindings", role("r", writes) + role("q", "{apiGroups: ['*'], resources: ['*'], verbs: [create, delete, deletecollection, update]}") + role("s", "{apiGroups: ['*'], resources: ['*'], verbs: [get, list, patch, watch]}") +
			bound("a", "q", developers) + bound("b", "r", developers) + bound("c", "s", developers), nil},
		{"cluster-admin by a group", role("r", writes) + bound("a", "cluster-admin", "{kind: Group, name: 'system:serviceaccounts:tools'}") + bound("b", "r", "{kind: ServiceAccount, name: deployer, namespace: tools}"), nil},
		{"several, once", role("r", writes) + bound("a", "r", developers+", {kind: User, name: ada}") + bound("b", "r", developers), []string{"developers", "ada"}},
		{"in a namespace", role("r", writes) + strings.Replace(bound("b", "r", developers), "kind: ClusterRoleBinding\nmetadata: {", "kind: RoleBinding\nmetadata: {namespace: x, ", 1), nil},
		{"substituted later", role("r", writes) + bound("b", "r", "{kind: Group, name: '${TEAM}'}"), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range accesspolicy.Gather(units(t, test.text), accesspolicy.Options{}).Subjects {
				got = append(got, s.Name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func extension(name, spec string) string {
	return "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n"
}

func TestExtensions(t *testing.T) {
	t.Parallel()
	const selector = "selector: {matchLabels: {b: x, a: z}}"
	source := func(catalog string) string {
		return "namespace: n, source: {sourceType: Catalog, catalog: {packageName: p, " + catalog + "}}"
	}
	labels := []accesspolicy.Label{{Key: "a", Value: "z"}, {Key: "b", Value: "x"}}
	tests := []struct {
		name, text string
		pin        bool
		want       []accesspolicy.Extension
		notes      []string
	}{
		{"by labels", extension("e", source(selector+", version: 1.0.0")), false, []accesspolicy.Extension{{Package: "p", Namespace: "n", Labels: labels}}, nil},
		{"pinned", extension("e", source(selector+", version: 1.0.0")), true, []accesspolicy.Extension{{Package: "p", Namespace: "n", Version: "1.0.0", Labels: labels}}, nil},
		{"nothing to pin", extension("e", source(selector)), true, []accesspolicy.Extension{{Package: "p", Namespace: "n", Labels: labels}}, []string{"ClusterExtension e can have any version, because its manifest sets none"}},
		{"twice", extension("e", source(selector)) + extension("f", source(selector)), false, []accesspolicy.Extension{{Package: "p", Namespace: "n", Labels: labels}}, nil},
		{"account", extension("e", "serviceAccount: {name: a}, "+source(selector)), false, []accesspolicy.Extension{{Package: "p", Namespace: "n", Account: "a", Labels: labels}}, nil},
		{"any catalog", extension("e", source("channels: []")), false, []accesspolicy.Extension{{Package: "p", Namespace: "n", Settings: accesspolicy.Settings{Channels: []any{}}}}, []string{"ClusterExtension e can come from any catalog, because it selects none: set spec.source.catalog.selector"}},
		{"templated package", extension("e", strings.Replace(source(selector), "packageName: p", "packageName: '{{ p }}'", 1)), false, nil, []string{"ClusterExtension e is not allowed: {{ p }} is substituted later"}},
		{"settings", extension("e", "config: {inline: {watchNamespace: web, replicas: 3}}, "+source(selector+", channels: [stable], upgradeConstraintPolicy: SelfCertified")), false,
			[]accesspolicy.Extension{{Package: "p", Namespace: "n", Labels: labels, Settings: accesspolicy.Settings{
				Channels: []any{"stable"}, UpgradeConstraintPolicy: "SelfCertified",
				Config: map[string]any{"inline": map[string]any{"watchNamespace": "web", "replicas": int64(3)}},
			}}}, nil},
		{"templated settings", extension("e", "config: {inline: {watchNamespace: '${N}'}}, "+source(selector)), false, nil, []string{"ClusterExtension e is not allowed: its configuration, channels or checks are substituted later"}},
		{"templated selector", extension("e", source("selector: {matchLabels: {'${A}': b}}")), false, nil, []string{"ClusterExtension e is not allowed: its catalog selector is invalid or substituted later"}},
		{"broken selector", extension("e", source("selector: [a]")), false, nil, []string{"ClusterExtension e is not allowed: its catalog selector is invalid or substituted later"}},
		{"no package", extension("e", "namespace: n"), false, nil, []string{"ClusterExtension e is not allowed: it sets no package or no namespace"}},
		{"null source", extension("e", "namespace: n, source: null"), false, nil, []string{"ClusterExtension e is not allowed: it sets no package or no namespace"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			scope := accesspolicy.Gather(units(t, test.text), accesspolicy.Options{Pin: test.pin})
			if diff := cmp.Diff(test.want, scope.Extensions); diff != "" {
				t.Error(diff)
			}
			var notes []string
			for _, n := range scope.Notes {
				notes = append(notes, n.Message)
			}
			if diff := cmp.Diff(test.notes, notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCatalogs(t *testing.T) {
	t.Parallel()
	for ref, image := range map[string]string{
		"quay.io/a/b:latest":               "quay.io/a/b",
		"quay.io/a/b@sha256:00":            "quay.io/a/b",
		"quay.io/a/b:v1@sha256:00":         "quay.io/a/b",
		"registry.example.com:5000/a":      "registry.example.com:5000/a",
		"registry.example.com:5000/a:v1.0": "registry.example.com:5000/a",
		"'${IMAGE}'":                       "",
		"''":                               "",
	} {
		text := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {name: c}\nspec: {source: {image: {ref: " + ref + "}}}\n"
		var want []accesspolicy.Catalog
		if image != "" {
			want = []accesspolicy.Catalog{{Name: "c", Image: image}}
		}
		if diff := cmp.Diff(want, accesspolicy.Gather(units(t, text), accesspolicy.Options{}).Catalogs); diff != "" {
			t.Errorf("%s: %s", ref, diff)
		}
	}
}

func TestNoSubjectToLimit(t *testing.T) {
	t.Parallel()
	scope := accesspolicy.Gather(nil, accesspolicy.Options{})
	if _, err := scope.Manifest(false); err == nil {
		t.Error("no error")
	}
	scope = accesspolicy.Gather(nil, accesspolicy.Options{Subjects: []rbac.Subject{{Kind: rbac.KindUser, Name: "ada"}}})
	if text, err := scope.Manifest(false); err != nil || !strings.Contains(string(text), "request.userInfo.username in ['ada']") {
		t.Error(err, string(text))
	}
}

func TestTooManyToLimit(t *testing.T) {
	t.Parallel()
	var scope accesspolicy.Scope
	for i := range 5000 {
		scope.Subjects = append(scope.Subjects, rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: fmt.Sprintf("team-%d", i), Name: "deployer"})
	}
	if _, err := scope.Manifest(false); !errors.Is(err, accesspolicy.ErrTooMany) {
		t.Error(err)
	}
	scope.Subjects = scope.Subjects[:1000]
	if _, err := scope.Manifest(false); err != nil {
		t.Error(err)
	}
}
