package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/testfiles"
)

func load(t *testing.T, text string) (*Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Load(file, regular.ReadFile)
}

func mustLoad(t *testing.T, text string) *Config {
	t.Helper()
	c, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var compare = cmp.Options{
	cmpopts.IgnoreFields(Config{}, "Path", "patterns", "targetAt", "baselineAt", "bundlesAt", "helmAt", "policiesAt", "limitsAt", "cacheAt", "extendsAt", "keysAt", "ignoresAt", "narrowedBy", "required", "ofCommand", "joined", "hasOtherRules"), cmpopts.IgnoreFields(RuleSetting{}, "at"),
	cmpopts.IgnoreFields(Override{}, "targetAt"), cmp.AllowUnexported(glob.Path{}),
}

func pattern(t *testing.T, text string) glob.Path {
	t.Helper()
	p, err := glob.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLoadEverything(t *testing.T) {
	t.Parallel()
	got := mustLoad(t, `
target: olm-1.11
failOn: never
grant: role=installer
exclude: ["**/testdata/**"]
tests: ["**/renderings/**", "!pkg/testdata/**"]
rules:
  pod/token-mounted: warning
  grafana/*: off
  acme/owner: {severity: error, with: {labels: [team], most: 3}}
  acme/*: {with: {strict: true}}
overrides:
  - paths: ["clusters/old/**"]
    target: required
    rules: {olm/*: off}
bundles: {argocd: bundles/argocd-operator}
helm:
  charts/ops/: {values: [a.yaml, [b.yaml, c.yaml]], apiVersions: [example.com/v1], kubeVersion: 1.30}
podSpecs: [{group: example.com, kind: Runner, path: spec.template}]
creators: [{group: example.com, kind: Runner, accounts: ["{name}-runner"], roles: ["{name}-*"], clusterRoles: [runners], namespace: runners}]
embedded: [{group: example.com, kind: Delivery, path: spec.resources.*}]
tokens: {audience: vault, expirationSeconds: 600}
grafana: {tokenLifetime: 2w1d}
limits: {fileSize: 1048576, renderTime: 1m30s, renderMemory: 1 GB, policyTime: 500ms, runTime: 2m}
policies: [policy/, {bundle: rules.tar.gz, sha256: 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a}]
baseline: known.json
cache: .cache/salint
extends: platform/salint.yaml
ignores: {max: 0, rules: {rbac/*: 3}}
`)
	want := &Config{
		Target: "olm-1.11", FailOn: finding.Off, Grant: "role=installer", Exclude: []glob.Path{pattern(t, "**/testdata/**")},
		Tests: []testfiles.Pattern{{Path: pattern(t, "**/renderings/**")}, {Path: pattern(t, "pkg/testdata/**"), Not: true}},
		Rules: []RuleSetting{{Pattern: "pod/token-mounted", Severity: finding.Warning}, {Pattern: "grafana/*", Severity: finding.Off},
			{Pattern: "acme/owner", Severity: finding.Error, With: map[string]any{"labels": []any{"team"}, "most": int64(3)}},
			{Pattern: "acme/*", SameSeverity: true, With: map[string]any{"strict": true}}},
		Overrides: []Override{{
			Paths: []glob.Path{pattern(t, "clusters/old/**")}, Target: "required",
			Rules: []RuleSetting{{Pattern: "olm/*", Severity: finding.Off}},
		}},
		Bundles:  map[string]string{"argocd": "bundles/argocd-operator"},
		Helm:     map[string]Chart{"charts/ops": {Values: [][]string{{"a.yaml"}, {"b.yaml", "c.yaml"}}, APIVersions: []string{"example.com/v1"}, KubeVersion: "1.30"}},
		PodSpecs: []PodSpec{{Group: "example.com", Kind: "Runner", Path: "spec.template"}},
		Creators: []Creator{{Group: "example.com", Kind: "Runner", Accounts: []string{"{name}-runner"}, Roles: []string{"{name}-*"}, ClusterRoles: []string{"runners"}, Namespace: "runners"}},
		Embedded: []EmbeddedKind{{Group: "example.com", Kind: "Delivery", Path: "spec.resources.*"}},
		Tokens:   Tokens{Audience: "vault", AudienceGiven: true, ExpirationSeconds: 600},
		Grafana:  Grafana{TokenLifetime: 15 * 24 * time.Hour},
		Limits:   Limits{FileSize: 1 << 20, RenderTime: 90 * time.Second, RenderMemory: 1e9, PolicyTime: 500 * time.Millisecond, RunTime: 2 * time.Minute},
		Policies: []string{"policy/", "rules.tar.gz@sha256:" + strings.Repeat("0a", 32)}, Baseline: "known.json",
		Cache: ".cache/salint", Extends: "platform/salint.yaml", Ignores: Ignores{Max: new(int), Rules: map[string]int{"rbac/*": 3}},
	}
	if diff := cmp.Diff(want, got, compare); diff != "" {
		t.Error(diff)
	}
}

func TestLoadNothing(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"an empty file": "", "comments": "# nothing\n", "a marker": "---\n", "a byte order mark": "\ufeff# nothing\r\n", "an empty mapping": "{}\n", "null": "null\n",
	} {
		got, err := load(t, text)
		if diff := cmp.Diff(Default(), got, compare); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestLoadMistakes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"an unknown key":                   {"targt: auto\n", `:1:1: unknown key in the configuration: "targt"; did you mean "target"?`},
		"a key like no other":              {"zzz: 1\n", `unknown key in the configuration: "zzz"; known values: baseline, bundles, cache, clusters, creators, embedded, exclude, extends, failOn,`},
		"another case":                     {"failon: note\n", `did you mean "failOn"?`},
		"in an override":                   {"overrides:\n  - path: [a]\n    paths: [a]\n", `:2:5: unknown key in an override: "path"; did you mean "paths"?`},
		"in a chart":                       {"helm:\n  charts/ops: {value: []}\n", `:2:16: unknown key in a chart: "value"; did you mean "values"?`},
		"in a pod spec":                    {"podSpecs: [{kid: a, kind: b, path: c}]\n", `:1:13: unknown key in a pod spec: "kid"; did you mean "kind"?`},
		"in tokens":                        {"tokens: {expirationSecond: 3600}\n", `:1:10: unknown key in tokens: "expirationSecond"; did you mean "expirationSeconds"?`},
		"in grafana":                       {"grafana: {lifetime: 1d}\n", `:1:11: unknown key in grafana: "lifetime"; known values: tokenLifetime`},
		"in limits":                        {"limits: {filesize: 1}\n", `:1:10: unknown key in limits: "filesize"; did you mean "fileSize"?`},
		"a severity":                       {"rules:\n  olm/apply-order: warn\n", `:2:20: unknown severity: "warn"; known values: error, warning, note, off`},
		"failOn":                           {"failOn: off\n", `unknown severity: "off"; known values: error, warning, note, never`},
		"grant":                            {"grant: carryover\n", `unknown value of grant: "carryover"; did you mean "carry-over"?`},
		"an empty role":                    {"grant: role=\n", `unknown value of grant: "role="`},
		"a duration without a unit":        {"grafana: {tokenLifetime: 90}\n", `"90" is not a duration`},
		"a duration of nothing":            {"grafana: {tokenLifetime: 0d}\n", `must be longer than zero`},
		"a duration without end":           {"grafana: {tokenLifetime: 99999999999w}\n", `is not a duration`},
		"a negative duration":              {"limits: {renderTime: -1s}\n", `"-1s" is not a duration`},
		"an empty duration":                {"limits: {renderTime: ''}\n", `"" is not a duration`},
		"a limit of ignores":               {"ignores: {max: -1}\n", `"-1" is not a number of findings`},
		"a limit of a rule":                {"ignores: {rules: {rbac/*: many}}\n", `"many" is not a number of findings`},
		"a size":                           {"limits: {fileSize: 32 M}\n", `"32 M" is not a size`},
		"a size of nothing":                {"limits: {fileSize: 0}\n", `must be larger than zero`},
		"a size without end":               {"limits: {fileSize: 9999999999GiB}\n", `is not a size`},
		"an expiration":                    {"tokens: {expirationSeconds: 60}\n", `at least 600`},
		"a pattern":                        {"exclude: ['a[b']\n", `:1:11: "a[b" is not a valid pattern`},
		"a pattern of rules":               {"rules: {'olm/[': off}\n", `:1:9: "olm/[" is not a valid pattern`},
		"a list for a value":               {"target: [auto]\n", `a single value is needed here, not a list`},
		"a value for a list":               {"exclude: a\n", `exclude must be a list ([a, b], or lines that begin with a dash), not "a"`},
		"a value for a mapping":            {"rules: off\n", `rules must be a mapping (key: value), not "off"`},
		"a list for the whole":             {"- target: auto\n", `the configuration must be a mapping (key: value), not a list`},
		"a key without value":              {"rules:\n\ntarget: auto\n", `:1:1: "rules" has no value`},
		"nothing in a list":                {"exclude: [~]\n", `a single value is needed here, not nothing`},
		"an alias":                         {"rules: &r {a/b: off}\noverrides: [{paths: [a], rules: *r}]\n", `not an alias: write the value out`},
		"a key twice":                      {"target: auto\ntarget: removed\n", `:2:1: `},
		"an override for nothing":          {"overrides: [{target: removed}]\n", `an override needs paths`},
		"an embedded kind without a path":  {"embedded: [{kind: a}]\n", `an embedded kind needs kind and path`},
		"a pod spec without a path":        {"podSpecs: [{kind: a}]\n", `a pod spec needs kind and path`},
		"a creator of nothing":             {"creators: [{group: a.b, kind: A}]\n", `a creator needs group, kind, and names`},
		"a creator of everything":          {"creators: [{group: a.b, kind: A, accounts: ['*']}]\n", `:1:45: "*" is not a name of accounts or roles`},
		"a creator with another variable":  {"creators: [{group: a.b, kind: A, roles: ['{nam}-x']}]\n", `"{nam}-x" is not a name of accounts or roles`},
		"a creator with an inner asterisk": {"creators: [{group: a.b, kind: A, clusterRoles: ['a*b']}]\n", `"a*b" is not a name of accounts or roles`},
		"a creator of a binding":           {"creators: [{group: rbac.authorization.k8s.io, kind: RoleBinding, roles: [x]}]\n", `is not a group of custom resources`},
		"a creator of Kubernetes":          {"creators: [{kind: ConfigMap, accounts: [x]}]\n", `a creator needs group, kind, and names`},
		"a creator of every kind":          {"creators: [{group: a.b, kind: '*', accounts: [x]}]\n", `"*" is not a kind`},
		"a creator in all namespaces":      {"creators: [{group: a.b, kind: A, accounts: [x], namespace: '*'}]\n", `"*" is not a namespace`},
		"a creator with an unknown key":    {"creators: [{group: a.b, kind: A, account: [x]}]\n", `unknown key in a creator: "account"; did you mean "accounts"?`},
		"an empty target":                  {"target: ''\n", `the value must not be empty`},
		"no YAML":                          {"target: [\n", ":"},
		"two documents":                    {"target: auto\n---\ntarget: removed\n", `:2:1: a configuration file must contain exactly one document`},
		"an umlaut counts once":            {"exclude: [ä, 'b[']\n", `:1:14: `},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, test.text)
			if err == nil || !strings.Contains(err.Error(), FileName+":") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestLoadNamesAllMistakes(t *testing.T) {
	t.Parallel()
	_, err := load(t, "failOn: maybe\ntarget: auto\nzzz: 1\nlimits:\n  fileSize: big\n")
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 {
		t.Fatal(err)
	}
	for i, at := range []string{":1:9: ", ":3:1: ", ":5:13: "} {
		if !strings.Contains(lines[i], at) {
			t.Errorf("%s is not at %s", lines[i], at)
		}
	}
	var one *Error
	if !errors.As(err, &one) || one.Line != 1 || one.Column != 9 {
		t.Errorf("%+v", one)
	}
}

// Configuration is untrusted input, because a pull request can change it.
func TestLoadHostile(t *testing.T) {
	t.Parallel()
	var keys strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for _, text := range []string{keys.String(), strings.Repeat("k", 500_000) + ": 1\n", "grant: " + strings.Repeat("k", 500_000)} {
		if _, err := load(t, text); err == nil || len(err.Error()) > 30_000 {
			t.Errorf("the messages have %d bytes", len(err.Error()))
		}
	}
}

func TestLoadRejectsFiles(t *testing.T) {
	t.Parallel()
	if _, err := Load(filepath.Join(t.TempDir(), "missing.yaml"), regular.ReadFile); err == nil || !strings.Contains(err.Error(), "missing.yaml") {
		t.Error(err)
	}
	if _, err := Load(t.TempDir(), regular.ReadFile); err == nil {
		t.Error("a folder was read")
	}
	if _, err := load(t, strings.Repeat("#", 2<<20)); err == nil {
		t.Error("a large file was read")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	root := filepath.Join(outer, "repo")
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(filepath.Join(deep, "c", FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(dir string) string {
		file := filepath.Join(dir, FileName)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	put(outer)
	if got := Find(deep, root); got != "" {
		t.Errorf("found %s beyond the git root", got)
	}
	if got := Find(deep, ""); got != "" {
		t.Errorf("found %s without a git root", got)
	}
	atRoot := put(root)
	if got := Find(filepath.Join(deep, "c"), root); got != atRoot {
		t.Errorf("found %q, a folder of that name does not count", got)
	}
	nearest := put(filepath.Join(root, "a"))
	if got := Find(deep, root); got != nearest {
		t.Errorf("found %q", got)
	}
	if got := Find(root, ""); got != atRoot {
		t.Errorf("found %q", got)
	}
}
