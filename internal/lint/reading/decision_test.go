package reading

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
)

// readerOf returns a reader of files that has walked them, for the rules of a pattern or for all.
func readerOf(t *testing.T, files filestest.Tree, pattern string) *Reader {
	t.Helper()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	config := settings.Default()
	enabled, err := registry.Select(config.Enabled(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if pattern != "" {
		enabled = slices.DeleteFunc(enabled, func(name string) bool { return !rules.Match(pattern, name) })
	}
	requested, err := loader.ReadRequestedTargets("olm-1.11", config)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(Options{
		Registry: registry, Enabled: enabled, Config: config, Requested: requested, Bundles: &bundles.Library{},
		Progress: &Progress{}, Parsed: &ParsedFiles{},
	}, loadertest.Repository{Tree: files})
	if err := r.walk(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := r.snapshot; !r.decider.limit(s.Tree, s.Collection, s.readAgain) {
		t.Fatal("no rule can find anything")
	}
	return r
}

// reasonsOf returns the reason of each document, by its file and its place in it.
func reasonsOf(r *Reader) map[string]Reason {
	reasons := map[string]Reason{}
	for name, f := range r.snapshot.Collection.Files {
		for n, doc := range f.Docs {
			decision := r.decider.decisions.of(doc)
			if decision.Reading != readings[decision.Why] {
				panic("a decision without its reason")
			}
			reasons[fmt.Sprintf("%s %d %s", strings.TrimSuffix(name, ".yaml"), n, doc.Kind())] = decision.Why
		}
	}
	return reasons
}

// TestDecisions checks which stage decides about a document, in repositories with documents of all sorts.
func TestDecisions(t *testing.T) {
	t.Parallel()
	const extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: cache}\n" +
		"spec: {namespace: shop, serviceAccount: {name: cache-runner}}\n---\n" +
		"apiVersion: v1\nkind: Service\nmetadata: {name: cache}\n"
	const release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s, namespace: shop}\n" +
		"spec:\n  chart:\n    spec:\n      chart: web\n      sourceRef:\n        kind: HelmRepository\n        name: charts\n"
	const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %s, namespace: shop}\n"
	for name, test := range map[string]struct {
		rules string
		files filestest.Tree
		want  map[string]Reason
	}{
		"names": {"olm/*", filestest.Tree{
			"extension.yaml": extension,
			"accounts.yaml":  fmt.Sprintf(account+"---\n"+account, "cache-runner", "runner"),
			"filled.yaml":    "apiVersion: example.com/v1\nkind: Runner\nmetadata: {name: a}\nspec: {serviceAccountName: ${ACCOUNT}}\n",
		}, map[string]Reason{
			"extension 0 ClusterExtension": RuleJudges, "extension 1 Service": NothingConcerns,
			"accounts 0 ServiceAccount": NameLeads, "accounts 1 ServiceAccount": NoNameLeads, "filled 0 Runner": AccountIsFilled,
		}},
		"places": {"", filestest.Tree{
			"extension.yaml": extension,
			"accounts.yaml":  fmt.Sprintf(account, "web"),
			"pod.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n" +
				"spec:\n  template:\n    spec:\n      serviceAccountName: web\n      containers: [{name: a, image: b}]\n",
			"first.yaml": fmt.Sprintf(release, "first"), "second.yaml": fmt.Sprintf(release, "second"),
			"values.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: operator, namespace: shop}\n" +
				"spec: {chart: {spec: {chart: operator, sourceRef: {kind: GitRepository, name: here}}}, valuesFrom: [{kind: ConfigMap, name: chosen}]}\n---\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: chosen, namespace: shop}\ndata: {values.yaml: \"a: b\"}\n---\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: others, namespace: shop}\ndata: {values.yaml: \"a: b\"}\n",
		}, map[string]Reason{
			"extension 0 ClusterExtension": RuleJudges, "extension 1 Service": NothingConcerns,
			"accounts 0 ServiceAccount": NoNameLeads, "pod 0 Deployment": NothingToFind,
			"first 0 HelmRelease": ReleaseOfPlace, "second 0 HelmRelease": AnonymousRelease,
			"values 0 HelmRelease": RulesAskForKind, "values 1 ConfigMap": SettingsApplied, "values 2 ConfigMap": NothingConcerns,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readerOf(t, test.files, test.rules)
			if err := r.decider.decide(t.Context(), r.snapshot.Collection.Files); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, reasonsOf(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if name != "names" {
				return
			}
			renamed := r.decider.byRenamedAccounts(map[string]bool{"east-runner": true}, nil)
			if len(renamed) == 0 || r.decider.decisions.of(renamed[0]).Why != AccountIsRenamed {
				t.Errorf("renamed accounts: %v", renamed)
			}
		})
	}
}

// TestDecisionsStay checks that a later stage does not change the reason why a document is parsed, and that a document without a decision
// is not needed.
func TestDecisionsStay(t *testing.T) {
	t.Parallel()
	docs := manifest.Scan("a.yaml", []byte("a: b\n---\nc: d\n")).Docs
	d := decisions{}
	d.decide(docs[0], NoNameLeads)
	d.decide(docs[0], NameLeads)
	d.decide(docs[0], SettingsApplied)
	if got := d.of(docs[0]); got.Why != NameLeads || !got.Reading.Parsed() {
		t.Errorf("got %v", got)
	}
	if got := d.of(docs[1]); got.Why != NothingConcerns || got.Reading.Parsed() {
		t.Errorf("got %v", got)
	}
}
