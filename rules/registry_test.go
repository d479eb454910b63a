package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules"
)

// variant returns the policy of these tests with another name and other METADATA.
func variant(name string, replace ...string) string {
	text := header + "package salint.rules.custom.x\n" + body
	text = strings.ReplaceAll(text, "custom.x", "custom."+name)
	return strings.NewReplacer(replace...).Replace(text)
}

// besideGrafana is an example with an object that is bad, and one that connected_to names.
func besideGrafana(kind string) string {
	return `{apiVersion: v1, kind: ` + kind + `, metadata: {name: bad}}\n---\n{apiVersion: grafana.integreatly.org/v1beta1, kind: Grafana, metadata: {name: delta}}`
}

func customRegistry(t *testing.T, policies map[string]string) *rules.Registry {
	t.Helper()
	dir := t.TempDir()
	for name, source := range policies {
		write(t, filepath.Join(dir, name), source)
	}
	return load(t, dir)
}

func TestFind(t *testing.T) {
	t.Parallel()
	registry := customRegistry(t, map[string]string{"a.rego": variant("my_rule")})
	rule, _, ok := registry.Find("custom/my-rule")
	if !ok || rule.Family != "custom" || rule.Severity != finding.Warning || !rule.User || rule.Description != "It tests." {
		t.Errorf("found %v, %+v", ok, rule)
	}
	builtin, _, ok := registry.Find("olm/service-account-deprecated")
	if !ok || builtin.User || builtin.Description == "" || len(builtin.Examples) < 2 {
		t.Errorf("found %v, %+v", ok, builtin)
	}
	for name, want := range map[string]string{
		"olm/service-account-depricated": "olm/service-account-deprecated", "custom/my_rule": "custom/my-rule", "quite-another-thing": "",
	} {
		if _, meant, ok := registry.Find(name); ok || meant != want {
			t.Errorf("Find(%q) is %v and means %q, want %q", name, ok, meant, want)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	registry := customRegistry(t, map[string]string{
		"a.rego": variant("plain"),
		"b.rego": variant("shy", "fix: none", "fix: none\n#   opt_in: true"),
	})
	tests := []struct {
		enable, disable, want []string
		err                   string
	}{
		{want: []string{"custom/plain"}},
		{enable: []string{"custom/shy"}, want: []string{"custom/plain", "custom/shy"}},
		{enable: []string{"custom/*"}, want: []string{"custom/plain", "custom/shy"}},
		{enable: []string{"*"}, disable: []string{"custom/p*"}, want: []string{"custom/shy"}},
		{disable: []string{"custom/plain"}},
		{disable: []string{"*"}},
		{disable: []string{"custom/plane"}, err: `there is no rule "custom/plane": did you mean custom/plain?`},
		{enable: []string{"custm/*"}, err: `no rule matches "custm/*": see salint rules`},
		{enable: []string{"[*"}, err: `no rule matches "[*": see salint rules`},
	}
	for _, test := range tests {
		selected, err := registry.Select(test.enable, test.disable)
		var got []string
		for _, name := range selected {
			if strings.HasPrefix(name, "custom/") {
				got = append(got, name)
			}
		}
		message := ""
		if err != nil {
			message = err.Error()
		}
		if diff := cmp.Diff(test.want, got); diff != "" || message != test.err {
			t.Errorf("enable %v, disable %v: error %q, want %q\n%s", test.enable, test.disable, message, test.err, diff)
		}
	}
}

func TestInterest(t *testing.T) {
	t.Parallel()
	registry := customRegistry(t, map[string]string{
		"a.rego": variant("one", "[ConfigMap]", "[ConfigMap, Pod]", "fix: none", "fix: none\n#   words: [alpha, beta]", "name: bad}", "name: bad, labels: {a: alpha}}"),
		"b.rego": variant("two", "fix: none", "fix: none\n#   words: [gamma]\n#   reads: [Role.rbac.authorization.k8s.io]", "name: bad}", "name: bad, labels: {a: gamma}}"),
		"c.rego": variant("three", "[ConfigMap]", "[Deployment.apps, Pod]", "fix: none", "fix: none\n#   reads: [ServiceAccount]", "kind: ConfigMap", "kind: Pod"),
		"d.rego": variant("four", "[ConfigMap]", "[Secret]", "fix: none", "fix: none\n#   connected_to: {Grafana.grafana.integreatly.org: [delta]}",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}}", besideGrafana("Secret")),
		"e.rego": variant("five", "fix: none", "fix: none\n#   reads: [rbac, workloads]\n#   reads_all: [Namespace]"),
	})
	none := map[string][]string{}
	groups := registry.Interest([]string{"custom/five"}).Context
	for _, kind := range []string{"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "Deployment", "CronJob", "Namespace"} {
		if words, read := groups[kind]; !read || words != nil {
			t.Errorf("%s: read is %v, with the words %v", kind, read, words)
		}
	}
	tests := []struct {
		name           string
		enabled, kinds []string
		want           rules.Interest
	}{
		{"words are joined, and lost when a rule has none", []string{"custom/one", "custom/two", "custom/three"}, nil, rules.Interest{
			Judged:    map[string][]string{"ConfigMap": {"alpha", "beta", "gamma"}, "Pod": nil, "Deployment": nil},
			Context:   map[string][]string{"Role": nil, "ServiceAccount": nil},
			Connected: none,
		}},
		{"kinds that are there", []string{"custom/one", "custom/two", "custom/three"}, []string{"ConfigMap"}, rules.Interest{
			Judged:    map[string][]string{"ConfigMap": {"alpha", "beta", "gamma"}, "Pod": {"alpha", "beta"}},
			Context:   map[string][]string{"Role": nil},
			Connected: none,
		}},
		{"connected to another kind, which is read", []string{"custom/four"}, []string{"Grafana"}, rules.Interest{
			Judged:    map[string][]string{"Grafana": {"delta"}},
			Context:   map[string][]string{"Grafana": nil},
			Connected: map[string][]string{"Secret": nil},
		}},
		{"a built-in rule", []string{"olm/service-account-not-found"}, nil, rules.Interest{
			Judged: map[string][]string{"ClusterExtension": {"serviceAccount"}}, Context: none, Connected: map[string][]string{"ServiceAccount": nil},
		}},
		{"nothing", nil, nil, rules.Interest{Judged: none, Context: none, Connected: none}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, registry.Interest(test.enabled, test.kinds...)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestRulesOfTwoFoldersClash(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	write(t, filepath.Join(one, "a.rego"), variant("same"))
	write(t, filepath.Join(two, "b.rego"), variant("same")+"# other\n")
	_, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{one, two}})
	want := filepath.ToSlash(two) + "/b.rego:11: the rule custom/same already exists (" + filepath.ToSlash(one) + "/a.rego)"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestLoadSaysWhatIsWrongWithAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "")
	write(t, filepath.Join(dir, "big", "a.rego"), strings.Repeat("#", 1<<20+1))
	for path, want := range map[string]string{
		"missing": "there is no folder", "file": "is neither a folder nor a bundle", "big": "a policy can have at most 1048576",
	} {
		_, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{filepath.Join(dir, path)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", path, err, want)
		}
	}
}

// TestPoliciesUseEachOther checks that a user's rule can use helpers of the user, and the findings of a built-in rule.
func TestPoliciesUseEachOther(t *testing.T) {
	t.Parallel()
	registry := customRegistry(t, map[string]string{
		"lib/names.rego": "package salint.lib.names\n\nbad(name) if name == \"bad\"\n",
		"a.rego": header + `package salint.rules.custom.a

import data.salint.lib
import data.salint.lib.names

report contains lib.finding(["metadata", "name"], "bad") if names.bad(input.resource.metadata.name)
`,
		"b.rego": header + `package salint.rules.custom.b

import data.salint.lib
import data.salint.rules.custom.a
import data.salint.rules.olm.service_account_deprecated as deprecated

report contains lib.finding([], "both") if {
	some f in a.report
	f.message == "bad"
	count(deprecated.report) == 0
}
`,
	})
	rule, _, _ := registry.Find("custom/b")
	for _, example := range rule.Examples {
		if err := registry.CheckExample(t.Context(), rule, example); err != nil {
			t.Error(err)
		}
	}
}
