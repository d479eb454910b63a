package admission_test

import (
	"fmt"
	"strings"
	"testing"

	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/rbac"
)

const byName = "olm.operatorframework.io/metadata.name"

// scope limits a group, an account, and a user with a hostile name to four extensions and a catalog.
var scope = accesspolicy.Scope{
	Subjects: []rbac.Subject{
		{Kind: rbac.KindGroup, Name: "developers"},
		{Kind: rbac.KindServiceAccount, Namespace: "tools", Name: "deployer"},
		{Kind: rbac.KindUser, Name: "o'brien\\' || true || '\n---"},
	},
	Extensions: []accesspolicy.Extension{
		{Package: "loki", Namespace: "logging", Labels: []accesspolicy.Label{{Key: byName, Value: "community"}}, Version: "0.8.0"},
		{Package: "grafana", Namespace: "dashboards", Account: "installer", Expressions: []accesspolicy.Expression{{Key: byName, Operator: "In", Values: []string{"community", "own"}}}},
		{Package: "tempo", Namespace: "tracing"},
		{Package: "mimir", Namespace: "metrics", Settings: accesspolicy.Settings{
			Channels: []any{"stable", "o'brien"}, UpgradeConstraintPolicy: "SelfCertified",
			Config: map[string]any{"configType": "Inline", "inline": map[string]any{
				"watchNamespace": "metrics", "list": []any{"x", int64(3), 1.5, true, nil, map[string]any{}},
			}},
			Install: map[string]any{"preflight": map[string]any{"crdUpgradeSafety": map[string]any{"enforcement": "None"}}},
		}},
		{Package: "x' || true || '", Namespace: "${{}}"},
	},
	Catalogs: []accesspolicy.Catalog{{Name: "community", Image: "quay.io/community/catalog"}},
}

var (
	developer = &user.DefaultInfo{Name: "ada", Groups: []string{"developers", "system:authenticated"}}
	deployer  = &user.DefaultInfo{Name: "system:serviceaccount:tools:deployer", Groups: []string{"system:serviceaccounts", "system:authenticated"}}
	obrien    = &user.DefaultInfo{Name: scope.Subjects[2].Name, Groups: []string{"system:authenticated"}}
	operator  = &user.DefaultInfo{Name: "ada", Groups: []string{"developers", administrators, "system:authenticated"}}
	olm       = &user.DefaultInfo{Name: "system:serviceaccount:olmv1-system:operator-controller-controller-manager", Groups: []string{"developers"}}
	stranger  = &user.DefaultInfo{Name: "eve", Groups: []string{"system:authenticated"}}
)

const (
	loki     = `{namespace: logging, source: {sourceType: Catalog, catalog: {packageName: loki, version: 0.8.0, selector: {matchLabels: {olm.operatorframework.io/metadata.name: community}}}}}`
	selected = `selector: {matchExpressions: [{key: olm.operatorframework.io/metadata.name, operator: In, values: [community, own]}]}`
	tempo    = `{namespace: tracing, source: {sourceType: Catalog, catalog: {packageName: tempo}}}`
	mimir    = `{namespace: metrics, source: {sourceType: Catalog, catalog: {packageName: mimir, channels: [stable, "o'brien"], upgradeConstraintPolicy: SelfCertified}},
  config: {configType: Inline, inline: {watchNamespace: metrics, list: [x, 3, 1.5, true, null, {}]}},
  install: {preflight: {crdUpgradeSafety: {enforcement: None}}}}`
)

// outside are specifications of extensions that no limited subject can write.
var outside = map[string]string{
	"a channel":                  strings.Replace(tempo, "packageName: tempo", "packageName: tempo, channels: [alpha]", 1),
	"forced upgrades":            strings.Replace(tempo, "packageName: tempo", "packageName: tempo, upgradeConstraintPolicy: SelfCertified", 1),
	"a configuration":            strings.Replace(tempo, "{namespace", "{config: {inline: {deploymentConfig: {env: []}}}, namespace", 1),
	"a check switched off":       strings.Replace(tempo, "{namespace", "{install: {preflight: {crdUpgradeSafety: {enforcement: None}}}, namespace", 1),
	"another configuration":      strings.Replace(mimir, "watchNamespace: metrics", "watchNamespace: kube-system", 1),
	"no configuration":           strings.Replace(mimir, "config: {configType", "other: {configType", 1),
	"more of a configuration":    strings.Replace(mimir, "watchNamespace: metrics", "watchNamespace: metrics, deploymentConfig: {}", 1),
	"another number":             strings.Replace(mimir, "[x, 3,", "[x, 4,", 1),
	"another package":            strings.Replace(loki, "packageName: loki", "packageName: argocd", 1),
	"another namespace":          strings.Replace(loki, "namespace: logging", "namespace: kube-system", 1),
	"a namespace of another":     strings.Replace(tempo, "namespace: tracing", "namespace: logging", 1),
	"another version":            strings.Replace(loki, "0.8.0", "0.9.0", 1),
	"a wider version":            strings.Replace(loki, "0.8.0", "'>=0.8.0'", 1),
	"no version":                 strings.Replace(loki, "version: 0.8.0, ", "", 1),
	"another catalog":            strings.Replace(loki, "name: community", "name: own", 1),
	"no selector":                strings.Replace(loki, ", selector: {matchLabels: {olm.operatorframework.io/metadata.name: community}}", "", 1),
	"an empty selector":          strings.Replace(loki, "selector: {matchLabels: {olm.operatorframework.io/metadata.name: community}}", "selector: {}", 1),
	"no labels":                  strings.Replace(loki, "{matchLabels: {olm.operatorframework.io/metadata.name: community}}", "{matchLabels: null}", 1),
	"an account":                 strings.Replace(tempo, "{namespace: tracing", "{namespace: tracing, serviceAccount: {name: cluster-admin}", 1),
	"more values":                `{namespace: dashboards, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + strings.Replace(selected, "own]", "own, evil]", 1) + `}}}`,
	"the contrary":               `{namespace: dashboards, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + strings.Replace(selected, "operator: In", "operator: NotIn", 1) + `}}}`,
	"another account":            `{namespace: dashboards, serviceAccount: {name: other}, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + selected + `}}}`,
	"another type of source":     strings.Replace(loki, "sourceType: Catalog", "sourceType: Image", 1),
	"no type of source":          strings.Replace(loki, "sourceType: Catalog, ", "", 1),
	"no source":                  `{namespace: logging}`,
	"null for a source":          `{namespace: logging, source: null}`,
	"null for a catalog":         `{namespace: logging, source: {sourceType: Catalog, catalog: null}}`,
	"null for a package":         strings.Replace(loki, "packageName: loki", "packageName: null", 1),
	"a list for a package":       strings.Replace(loki, "packageName: loki", "packageName: [loki]", 1),
	"a number for a namespace":   strings.Replace(loki, "namespace: logging", "namespace: 1", 1),
	"a text for a source":        `{namespace: logging, source: Catalog}`,
	"nothing":                    `{}`,
	"null":                       `null`,
	"a text":                     `loki`,
	"the package out of a quote": strings.Replace(tempo, "packageName: tempo", `packageName: "true"`, 1),
}

// inside are specifications that every limited subject can write.
var inside = map[string]string{
	"as in the repository":      loki,
	"selected more narrowly":    strings.Replace(loki, "name: community", "name: community, more: narrow", 1),
	"by an expression":          `{namespace: dashboards, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + selected + `}}}`,
	"with the account":          `{namespace: dashboards, serviceAccount: {name: installer}, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + selected + `}}}`,
	"by more expressions":       `{namespace: dashboards, source: {sourceType: Catalog, catalog: {packageName: grafana, ` + strings.Replace(selected, "[{", "[{key: a, operator: Exists}, {", 1) + `}}}`,
	"from any catalog":          tempo,
	"with its own settings":     mimir,
	"the default policy":        strings.Replace(tempo, "packageName: tempo", "packageName: tempo, upgradeConstraintPolicy: CatalogProvided", 1),
	"any version":               strings.Replace(tempo, "packageName: tempo", "packageName: tempo, version: 1.x", 1),
	"a package in strange text": `{namespace: "${{}}", source: {sourceType: Catalog, catalog: {packageName: "x' || true || '"}}}`,
}

func extension(t *testing.T, spec string) map[string]any {
	t.Helper()
	return object(t, "{metadata: {name: any}, spec: "+spec+"}")
}

func object(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

func TestWrittenPolicy(t *testing.T) {
	manifests, err := scope.Manifest(false)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, string(manifests))
	try := func(what string, who user.Info, resource string, o map[string]any, allowed bool) {
		t.Helper()
		for _, operation := range []k8sadmission.Operation{k8sadmission.Create, k8sadmission.Update} {
			err := p.write(who, operation, resource, o)
			if allowed != (err == nil) {
				t.Errorf("%s: %s of %s: %s: %v", who.GetName(), operation, resource, what, err)
			}
		}
	}
	for _, who := range []user.Info{developer, deployer, obrien} {
		for what, spec := range inside {
			try(what, who, "clusterextensions", extension(t, spec), true)
		}
		for what, spec := range outside {
			try(what, who, "clusterextensions", extension(t, spec), false)
		}
		try("no spec", who, "clusterextensions", object(t, "{metadata: {name: any}}"), false)
		try("nothing", who, "clusterobjectsets", extension(t, "{}"), false)
		for text, allowed := range catalogs {
			try(text, who, "clustercatalogs", object(t, text), allowed)
		}
	}
	for _, who := range []user.Info{operator, olm, stranger} { // RBAC denies the stranger
		for what, spec := range outside {
			try(what, who, "clusterextensions", extension(t, spec), true)
		}
		try("anything", who, "clusterobjectsets", extension(t, "{}"), true)
	}
}

var catalogs = map[string]bool{
	"{metadata: {name: community}, spec: {source: {image: {ref: 'quay.io/community/catalog:v1'}}}}":                  true,
	"{metadata: {name: community}, spec: {source: {image: {ref: 'quay.io/community/catalog@sha256:00'}}}}":           true,
	"{metadata: {name: community}, spec: {source: {image: {ref: 'quay.io/community/catalog-of-mine:v1'}}}}":          false,
	"{metadata: {name: community}, spec: {source: {image: {ref: 'evil.example.com/quay.io/community/catalog:v1'}}}}": false,
	"{metadata: {name: other}, spec: {source: {image: {ref: 'quay.io/community/catalog:v1'}}}}":                      false,
	"{metadata: {name: community}, spec: {source: null}}":                                                            false,
	"{metadata: {name: community}}": false,
}

// TestRefusalSaysWhy checks that a refusal names the rejected value and does not report a failed expression.
func TestRefusalSaysWhy(t *testing.T) {
	manifests, err := scope.Manifest(true)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, string(manifests))
	err = p.write(developer, k8sadmission.Create, "clusterextensions", extension(t, outside["an account"]))
	const want = `package "tempo" in namespace "tracing" with account "cluster-admin", as requested, is not allowed for ada`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	err = p.write(developer, k8sadmission.Create, "clusterobjectsets", extension(t, "{}"))
	if err == nil || !strings.HasSuffix(err.Error(), "only OLM can write ClusterObjectSets") {
		t.Error(err)
	}
}

// TestManyExtensions checks that expressions stay below the limits of the API server with many extensions.
func TestManyExtensions(t *testing.T) {
	many := accesspolicy.Scope{Subjects: scope.Subjects}
	for i := range 1000 {
		name := strings.Repeat("a", i%50) + "-" + strings.Repeat("b", i/50)
		many.Extensions = append(many.Extensions, accesspolicy.Extension{
			Package: name, Namespace: "namespace-" + name, Labels: []accesspolicy.Label{{Key: byName, Value: "community"}},
		})
	}
	manifests, err := many.Manifest(false)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, string(manifests))
	for i, e := range []accesspolicy.Extension{many.Extensions[0], many.Extensions[500], many.Extensions[999]} {
		spec := strings.Replace(loki, "packageName: loki", "packageName: "+e.Package, 1)
		if err := p.write(developer, k8sadmission.Create, "clusterextensions", extension(t, strings.Replace(spec, "logging", e.Namespace, 1))); err != nil {
			t.Error(i, err)
		}
		if err := p.write(developer, k8sadmission.Create, "clusterextensions", extension(t, spec)); err == nil {
			t.Error(i, "in another namespace")
		}
	}
}

// TestManySubjects checks the same with many subjects, as long as a policy is written.
func TestManySubjects(t *testing.T) {
	many := accesspolicy.Scope{Extensions: scope.Extensions}
	for i := range 2000 {
		many.Subjects = append(many.Subjects, rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: fmt.Sprintf("t%d", i), Name: "ci"})
	}
	manifests, err := many.Manifest(false)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, string(manifests))
	last := &user.DefaultInfo{Name: "system:serviceaccount:t1999:ci", Groups: []string{"system:serviceaccounts", "system:authenticated"}}
	if err := p.write(last, k8sadmission.Create, "clusterextensions", extension(t, tempo)); err != nil {
		t.Error(err)
	}
	if err := p.write(last, k8sadmission.Create, "clusterextensions", extension(t, outside["another package"])); err == nil {
		t.Error("another package")
	}
}
