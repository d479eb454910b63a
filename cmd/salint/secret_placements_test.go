package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/test/long"
)

// secretMarker is what no output may contain. It is valid base64.
const secretMarker = "Hunter2Mark0"

// markedToken is a token of an account whose signature is the marker.
const markedToken = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50Iiwia3ViZXJuZXRlcy5pby9zZXJ2aWNlYWNjb3VudC9uYW1lc3BhY2UiOiJleHQiLCJrdWJlcm5ldGVzLmlvL3NlcnZpY2VhY2NvdW50L3NlY3JldC5uYW1lIjoiaW5zdGFsbGVyLXRva2VuIiwia3ViZXJuZXRlcy5pby9zZXJ2aWNlYWNjb3VudC9zZXJ2aWNlLWFjY291bnQubmFtZSI6Imluc3RhbGxlciIsInN1YiI6InN5c3RlbTpzZXJ2aWNlYWNjb3VudDpleHQ6aW5zdGFsbGVyIn0.MARK"

// tokenPlacements have a token of an account outside of Secrets.
var tokenPlacements = map[string]map[string]string{
	"token, kubeconfig":          {"kubeconfig.yaml": "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user: {token: " + markedToken + "}\n"},
	"token, kubeconfig file":     {"prod.kubeconfig": "users:\n- name: a\n  user:\n    token: " + markedToken + "\n"},
	"token, comment":             {"a.yaml": "# was " + markedToken + "\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: c\n  b: d\n"},
	"token, environment":         {"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ext}\nspec:\n  serviceAccount: installer\n  containers:\n  - name: a\n    env: [{name: a, value: " + markedToken + "}]\n"},
	"token, argument":            {"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ext}\nspec:\n  containers:\n  - name: a\n    args: ['--token=" + markedToken + "']\n"},
	"token, text of a ConfigMap": {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ext}\ndata:\n  login.sh: |\n    kubectl --token " + markedToken + " get sa x -o jsonpath='{.secrets[0].name}'\n"},
	"token, script":              {"login.sh": "kubectl --token " + markedToken + " get sa x -o jsonpath='{.secrets[0].name}'\n"},
	"token, environment file":    {".env": "TOKEN=" + markedToken + "\n"},
	"token, values":              {"c/Chart.yaml": chartFile, "c/values.yaml": "token: " + markedToken + "\ntoken: x\n", "c/templates/e.yaml": extensionNamed("ext")},
	"token, template":            {"c/Chart.yaml": chartFile, "c/values.yaml": "a: b\n", "c/templates/p.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.a }}}\nspec: {containers: [{name: a, env: [{name: a, value: " + markedToken + "}]}]}\n"},
	"token, cluster of Argo CD":  {"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  labels: {argocd.argoproj.io/secret-type: cluster}\nstringData:\n  config: '{\"bearerToken\": \"" + markedToken + "\"}'\n"},
}

// placements are repositories of one folder each, by name. Every one has the marker where a Secret has its data, beside an
// extension that a fix changes.
func placements() map[string]map[string]string {
	all := map[string]map[string]string{}
	for container, wrap := range secretContainers {
		for position, secret := range secretPositions {
			all[container+", "+position] = map[string]string{"secret.yaml": wrap(strings.ReplaceAll(secret, "MARK", secretMarker))}
		}
	}
	for _, others := range []map[string]map[string]string{kindPlacements, kustomizePlacements, chartPlacements, tokenPlacements} {
		for name, files := range others {
			marked := map[string]string{}
			for file, text := range files {
				marked[file] = strings.ReplaceAll(text, "MARK", secretMarker)
			}
			all[name] = marked
		}
	}
	return all
}

// extensionNamed is an extension whose account a fix removes.
func extensionNamed(name string) string {
	return "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: " + name + "\nspec:\n  namespace: " + name +
		"\n  serviceAccount:\n    name: installer\n  source:\n    sourceType: Catalog\n    catalog: {packageName: shop}\n"
}

func indented(by, text string) string {
	return by + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n"+by), by)
}

func item(text string) string { return "- " + strings.TrimPrefix(indented("  ", text), "  ") }

const (
	listHead = "apiVersion: v1\nkind: List\nitems:\n"
	listName = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
)

// secretContainers place the text of a Secret into a file, beside an extension.
var secretContainers = map[string]func(string) string{
	"document before":              func(s string) string { return s + "---\n" + extensionNamed("ext") },
	"document behind":              func(s string) string { return extensionNamed("ext") + "---\n" + s },
	"document without marker line": func(s string) string { return s },
	"CRLF":                         func(s string) string { return strings.ReplaceAll(extensionNamed("ext")+"---\n"+s, "\n", "\r\n") },
	"item before":                  func(s string) string { return listHead + item(s) + item(extensionNamed("ext")) },
	"item behind":                  func(s string) string { return listHead + item(extensionNamed("ext")) + item(s) },
	"SecretList": func(s string) string {
		return extensionNamed("ext") + "---\napiVersion: v1\nkind: SecretList\nitems:\n" + item(strings.ReplaceAll(s, "kind: Secret\n", ""))
	},
	"text of a ConfigMap": func(s string) string {
		return listName + "  a: |\n" + indented("    ", s) + "---\n" + extensionNamed("ext")
	},
	"OpenShift template": func(s string) string {
		return "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: a}\nobjects:\n" + item(s) + item(extensionNamed("ext"))
	},
	"policy": func(s string) string {
		return "apiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\nmetadata: {name: a}\nspec:\n  object-templates:\n  - complianceType: musthave\n    objectDefinition:\n" +
			indented("      ", s) + "  - complianceType: musthave\n    objectDefinition:\n" + indented("      ", extensionNamed("ext"))
	},
	"manifest work": func(s string) string {
		return "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: a, namespace: b}\nspec:\n  workload:\n    manifests:\n" +
			indented("    ", item(s)) + indented("    ", item(extensionNamed("ext")))
	},
}

const (
	secretHead = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: ext\n"
	tokenHead  = "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/service-account-token\nmetadata:\n  name: a\n  namespace: ext\n  annotations:\n    kubernetes.io/service-account.name: b\n"
)

// secretPositions are the texts of Secrets with the marker at one place.
var secretPositions = map[string]string{
	"value":                   secretHead + "data:\n  a: MARK\n",
	"key":                     secretHead + "data:\n  MARK: YQ==\n",
	"stringData value":        secretHead + "stringData:\n  a: MARK\n",
	"stringData key":          secretHead + "stringData: {MARK: b}\n",
	"misspelt field":          secretHead + "stringdata:\n  a: MARK\n",
	"block scalar":            secretHead + "stringData:\n  a: |\n    b\n    MARK\n",
	"folded scalar":           secretHead + "stringData:\n  a: >-\n    b\n\n    MARK\n",
	"last applied":            secretHead + "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"data\":{\"a\":\"MARK\"}}\ndata: {a: YQ==}\n",
	"other annotation":        secretHead + "  annotations:\n    note: was MARK\ndata: {a: YQ==}\n",
	"comment above":           "# was MARK\n" + secretHead + "data: {a: YQ==}\n",
	"comment in metadata":     "apiVersion: v1\nkind: Secret\nmetadata: # MARK\n  name: a\n  # MARK\ndata: {a: YQ==}\n",
	"comment beside":          secretHead + "data:\n  a: YQ== # was MARK\n",
	"comment below":           secretHead + "data:\n  a: YQ==\n# was MARK\n",
	"comment of kind":         "apiVersion: v1\nkind: Secret # MARK\nmetadata: {name: a}\n",
	"anchor":                  secretHead + "stringData:\n  a: &MARK b\n  c: *MARK\n",
	"unknown anchor":          secretHead + "stringData:\n  a: *MARK\n",
	"anchored value":          secretHead + "stringData:\n  a: &x MARK\n  b: *x\n",
	"duplicate key":           secretHead + "stringData:\n  MARK: a\n  MARK: b\n",
	"duplicate field":         secretHead + "stringData: {a: MARK}\nstringData: {a: MARK}\n",
	"unclosed quote":          secretHead + "stringData:\n  a: \"MARK\n",
	"unclosed quote, one":     secretHead + "stringData:\n  a: 'MARK\n",
	"unclosed brace":          secretHead + "stringData: {a: MARK\n",
	"second colon":            secretHead + "stringData:\n  a: b: MARK\n",
	"tab":                     secretHead + "stringData:\n\ta: MARK\n",
	"wrong indent":            secretHead + "stringData:\n    a: MARK\n  b: MARK\n",
	"unknown escape":          secretHead + "stringData:\n  a: \"\\MARK\"\n",
	"tag":                     secretHead + "stringData:\n  a: !MARK b\n",
	"unknown tag handle":      secretHead + "stringData:\n  a: !MARK!x b\n",
	"number tag":              secretHead + "stringData:\n  a: !!int MARK\n",
	"binary tag":              secretHead + "stringData:\n  a: !!binary MARK-\n",
	"directive":               secretHead + "stringData:\n  a: @MARK\n",
	"percent":                 secretHead + "stringData:\n  a: %MARK\n",
	"not UTF-8":               secretHead + "stringData:\n  a: MARK\xff\n",
	"a list":                  secretHead + "data:\n- MARK\n",
	"a text":                  secretHead + "data: MARK\n",
	"placeholder":             secretHead + "data: {{ MARK }}\n",
	"token, value":            tokenHead + "data: {token: MARK}\n",
	"token, comment":          tokenHead + "# MARK\n",
	"token, annotation":       tokenHead + "    note: MARK\n",
	"explicit key":            secretHead + "stringData:\n  ? MARK\n  : a\n",
	"merge key":               secretHead + "x: &x {MARK: MARK}\nstringData:\n  <<: *x\n",
	"merge of a text":         secretHead + "stringData:\n  <<: MARK\n",
	"kind behind":             "apiVersion: v1\nstringData:\n  a: MARK\nmetadata: {name: a}\nkind: Secret\n",
	"no name":                 "apiVersion: v1\nkind: Secret\nstringData:\n  a: MARK\n",
	"name and key alone":      "kind: Secret\nname: a\nkey: MARK\n",
	"wrong metadata":          "apiVersion: v1\nkind: Secret\nmetadata: MARK\n",
	"generated name":          "apiVersion: v1\nkind: Secret\nmetadata: {generateName: a}\ndata: {a: MARK}\n",
	"value beside, flow":      `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "MARK"}}` + "\n",
	"value beside, bad flow":  `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "MARK"}` + "\n",
	"value beside, twice set": `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"MARK": "a", "MARK": "b"}}` + "\n",
}

const dataMark = "metadata: {name: a}\nstringData:\n  a: MARK\n  b: &b c\n  MARK: d\n  MARK: e\n"

// kindPlacements write the kind in other ways. The data has a key twice, so that a report shows the place.
var kindPlacements = map[string]map[string]string{
	"escaped kind":                   {"a.yaml": "apiVersion: v1\nkind: \"\\x53ecret\"\n" + dataMark + "---\n" + extensionNamed("ext")},
	"escaped field":                  {"a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n\"d\\x61ta\": {a: MARK}\n\"d\\x61ta\": {MARK: b}\n"},
	"escaped kind u":                 {"a.yaml": "apiVersion: v1\n\"k\\u0069nd\": \"\\u0053ecret\"\n" + dataMark},
	"folded kind":                    {"a.yaml": "apiVersion: v1\nkind: \"Sec\\\n  ret\"\n" + dataMark},
	"binary kind":                    {"a.yaml": "apiVersion: v1\nkind: !!binary U2VjcmV0\n" + dataMark},
	"aliased kind":                   {"a.yaml": "apiVersion: v1\nx: &k Secret\nkind: *k\n" + dataMark},
	"merged kind":                    {"a.yaml": "apiVersion: v1\nx: &k {kind: Secret}\n<<: *k\n" + dataMark},
	"folded text kind":               {"a.yaml": "apiVersion: v1\nkind: >-\n  Secret\n" + dataMark},
	"kind with space":                {"a.yaml": "apiVersion: v1\nkind: Secret \n" + dataMark},
	"lower case":                     {"a.yaml": "apiVersion: v1\nkind: secret\n" + dataMark},
	"explicit kind":                  {"a.yaml": "apiVersion: v1\n? kind\n: Secret\n" + dataMark},
	"kind twice":                     {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nkind: Secret\nmetadata: {name: a}\nstringData: {a: MARK}\n"},
	"broken kind":                    {"a.yaml": "apiVersion: v1\nkind: \"Secret\nmetadata: {name: a}\nstringData: {a: MARK}\n"},
	"comment of the document before": {"a.yaml": extensionNamed("ext") + "# MARK\n---\n" + secretHead + "data: {a: YQ==}\n"},
	"JSON":                           {"a.json": `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "MARK", "MARK": 1, "MARK": 2}}`},
	"JSON, escaped":                  {"a.json": `{"apiVersion": "v1", "kind": "\u0053ecret", "metadata": {"name": "a"}, "data": {"a": "MARK", "MARK": 1, "MARK": 2}}`},
	"JSON, broken":                   {"a.json": `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "MARK`},
	"JSON list":                      {"a.json": `{"apiVersion": "v1", "kind": "SecretList", "items": [{"metadata": {"name": "a"}, "data": {"a": "MARK", "MARK": 1, "MARK": 2}}]}`},
}

// kustomizePlacements are kustomizations that use Secrets and, most of them, cannot be built.
var kustomizePlacements = map[string]map[string]string{
	"generator, literal":              {"kustomization.yaml": "resources: [e.yaml]\nnamePrefix: x-\nsecretGenerator:\n- name: a\n  literals: [a=MARK]\n"},
	"generator, bad literal":          {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals: [MARK]\n"},
	"generator, two bad literals":     {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals:\n  - a=MARK\n  - a=MARK\n"},
	"generator, bad key":              {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals: ['MARK /=b']\n"},
	"generator, no file":              {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  files: [MARK=missing]\n  literals: [a=MARK]\n"},
	"generator, bad env":              {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  envs: [a.env]\n", "a.env": "a=b\n=MARK\n"},
	"generator, bad env key":          {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  envs: [a.env]\n", "a.env": "MARK/x=b\n"},
	"generator, env not UTF-8":        {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  envs: [a.env]\n", "a.env": "a=MARK\xff\n"},
	"generator, unknown field":        {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  MARK: b\n  literals: [a=MARK]\n"},
	"generator, wrong type":           {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals: MARK\n"},
	"generator, not a list":           {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator: {a: MARK}\n"},
	"generator, broken":               {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals: [\"a=MARK]\n"},
	"generator, unknown anchor":       {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  literals: [*MARK]\n"},
	"generator, key twice":            {"kustomization.yaml": "resources: [e.yaml]\nsecretGenerator:\n- name: a\n  MARK: a\n  MARK: b\n"},
	"generator, comment":              {"kustomization.yaml": "resources: [e.yaml]\n# was MARK\nsecretGenerator: # MARK\n- name: a\n  literals: [a=b] # MARK\nbad: x\n"},
	"generator file":                  {"kustomization.yaml": "resources: [e.yaml]\ngenerators: [g.yaml]\n", "g.yaml": "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: a}\nliterals: [MARK]\n"},
	"generator file, twice":           {"kustomization.yaml": "resources: [e.yaml]\ngenerators: [g.yaml]\n", "g.yaml": "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: a}\nMARK: a\nMARK: b\n"},
	"resource, duplicate key":         {"kustomization.yaml": "resources: [e.yaml, s.yaml]\n", "s.yaml": secretHead + "stringData:\n  MARK: a\n  MARK: b\n"},
	"resource, unknown anchor":        {"kustomization.yaml": "resources: [e.yaml, s.yaml]\n", "s.yaml": secretHead + "stringData:\n  a: *MARK\n"},
	"resource, broken":                {"kustomization.yaml": "resources: [e.yaml, s.yaml]\nnamePrefix: a-\n", "s.yaml": secretHead + "stringData:\n  a: b: MARK\n"},
	"resource, no name":               {"kustomization.yaml": "resources: [e.yaml, s.yaml]\nnamePrefix: a-\n", "s.yaml": "apiVersion: v1\nkind: Secret\nstringData:\n  a: MARK\n"},
	"resource, twice":                 {"kustomization.yaml": "resources: [e.yaml, s.yaml, t.yaml]\nnamePrefix: a-\n", "s.yaml": secretHead + "stringData: {a: MARK}\n", "t.yaml": secretHead + "stringData: {a: MARK}\n"},
	"resource, data is a text":        {"kustomization.yaml": "resources: [e.yaml, s.yaml]\nnamePrefix: a-\nreplacements:\n- source: {kind: Secret, name: a, fieldPath: data.a}\n  targets:\n  - select: {kind: ClusterExtension}\n    fieldPaths: [spec.none.x]\n", "s.yaml": secretHead + "data: MARK\n"},
	"replacement of a value":          {"kustomization.yaml": "resources: [e.yaml, s.yaml]\nreplacements:\n- source: {kind: Secret, name: a, fieldPath: stringData.a}\n  targets:\n  - select: {kind: ClusterExtension}\n    fieldPaths: [spec.none.x]\n", "s.yaml": secretHead + "stringData: {a: MARK}\n"},
	"patch":                           {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a, namespace: ext}\n    stringData: {a: MARK}\n", "s.yaml": secretHead},
	"patch without target":            {"kustomization.yaml": "resources: [e.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: zz}\n    stringData: {a: MARK}\n"},
	"patch, broken":                   {"kustomization.yaml": "resources: [e.yaml]\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: zz}\n    stringData: {a: *MARK}\n"},
	"patch, key twice":                {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a, namespace: ext}\n    stringData: {MARK: a, MARK: b}\n", "s.yaml": secretHead},
	"patch file":                      {"kustomization.yaml": "resources: [e.yaml]\npatches:\n- path: p.yaml\n", "p.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: zz}\nstringData: {a: MARK}\n"},
	"patch file, broken":              {"kustomization.yaml": "resources: [e.yaml]\npatches:\n- path: p.yaml\n", "p.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: zz}\nstringData: {a: MARK\n"},
	"patchesStrategicMerge":           {"kustomization.yaml": "resources: [e.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: Secret\n  metadata: {name: zz}\n  stringData: {a: MARK}\n"},
	"patchesStrategicMerge, broken":   {"kustomization.yaml": "resources: [e.yaml]\npatchesStrategicMerge:\n- |-\n  kind: Secret\n  stringData: {a: MARK\n"},
	"JSON patch":                      {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    - op: add\n      path: /stringData/b\n      value: MARK\nbad: x\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch, no path":             {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    - op: replace\n      path: /stringData/MARK/x\n      value: MARK\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch, test":                {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: '[{\"op\": \"test\", \"path\": \"/stringData/a\", \"value\": \"MARK\"}]'\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch, broken":              {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: '[{\"op\": \"add\", \"path\": \"/stringData/a\", \"value\": \"MARK}]'\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch, wrong operation":     {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: '[{\"op\": \"MARK\", \"path\": \"/stringData/a\", \"value\": \"MARK\"}]'\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch, key twice":           {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  path: p.yaml\n", "p.yaml": "- op: add\n  path: /stringData/b\n  value: MARK\n  value: MARK\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch file":                 {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  path: p.yaml\n", "p.yaml": "- op: add\n  path: /data/b/c\n  value: MARK\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"JSON patch file, unknown anchor": {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatches:\n- target: {kind: Secret}\n  path: p.yaml\n", "p.yaml": "- op: add\n  path: /data/b\n  value: *MARK\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"patchesJson6902":                 {"kustomization.yaml": "resources: [e.yaml, s.yaml]\npatchesJson6902:\n- target: {version: v1, kind: Secret, name: a}\n  patch: |-\n    - op: move\n      path: /data/MARK\n      value: MARK\n", "s.yaml": secretHead + "stringData: {a: b}\n"},
	"component":                       {"kustomization.yaml": "resources: [e.yaml]\ncomponents: [c]\n", "c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nsecretGenerator:\n- name: a\n  behavior: merge\n  literals: [a=MARK]\n"},
	"base":                            {"kustomization.yaml": "resources: [e.yaml, b]\nnamePrefix: a-\n", "b/kustomization.yaml": "resources: [s.yaml]\n", "b/s.yaml": secretHead + "stringData:\n  MARK: a\n  MARK: b\n"},
}

const (
	chartFile      = "apiVersion: v2\nname: chart\nversion: 0.1.0\n"
	secretTemplate = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\nstringData:\n  a: {{ .Values.password }}\n"
)

func secretChart(template, values string) map[string]string {
	return map[string]string{"c/Chart.yaml": chartFile, "c/values.yaml": values, "c/templates/s.yaml": template, "c/templates/e.yaml": extensionNamed("ext")}
}

// chartPlacements are charts with a Secret, most of which cannot be rendered.
var chartPlacements = map[string]map[string]string{
	"chart, value":            secretChart(secretTemplate, "password: MARK\n"),
	"chart, broken value":     secretChart(secretTemplate, "password: 'a: MARK: b'\n"),
	"chart, two lines":        secretChart(secretTemplate, "password: \"a\\n  b: c: MARK\"\n"),
	"chart, anchor in value":  secretChart(secretTemplate, "password: '*MARK'\n"),
	"chart, values broken":    secretChart(secretTemplate, "password: \"MARK\n"),
	"chart, values no map":    secretChart(secretTemplate, "MARK\n"),
	"chart, values anchor":    secretChart(secretTemplate, "password: *MARK\n"),
	"chart, values key twice": secretChart(secretTemplate, "MARK: a\nMARK: b\n"),
	"chart, key twice":        secretChart("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  {{ .Values.password }}: a\n  {{ .Values.password }}: b\n", "password: MARK\n"),
	"chart, fail":             secretChart(secretTemplate+"{{ fail .Values.password }}\n", "password: MARK\n"),
	"chart, fail with text":   secretChart(secretTemplate+"{{ fail (printf \"not a password: %s\" .Values.password) }}\n", "password: MARK\n"),
	"chart, atoi":             secretChart(secretTemplate+"{{ mustToDate \"2006\" .Values.password }}\n", "password: MARK\n"),
	"chart, tpl":              secretChart(secretTemplate+"{{ tpl .Values.password . }}\n", "password: '{{ MARK }}'\n"),
	"chart, include":          secretChart(secretTemplate+"{{ include .Values.password . }}\n", "password: MARK\n"),
	"chart, index":            secretChart(secretTemplate+"{{ index .Values.password \"x\" 1 }}\n", "password: {x: MARK}\n"),
	"chart, fromYaml":         secretChart(secretTemplate+"  b: {{ fromYaml .Values.password }}\n", "password: 'a: *MARK'\n"),
	"chart, literal":          secretChart("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: {{ \"MARK\" | nothing }}}\n", "a: b\n"),
	"chart, literal as value": secretChart("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: {{ atoi \"MARK\" | required 1 2 3 }}}\n", "a: b\n"),
	"chart, literal in text":  secretChart("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: {{ MARK }}}\n", "a: b\n"),
	"chart, literal outside":  secretChart("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  a: b: MARK\n", "a: b\n"),
	"chart, schema": {"c/Chart.yaml": chartFile, "c/values.yaml": "password: MARK\n", "c/templates/s.yaml": secretTemplate,
		"c/values.schema.json": `{"type": "object", "properties": {"password": {"type": "string", "pattern": "^[a-z]+$"}}}`},
	"chart, schema enum": {"c/Chart.yaml": chartFile, "c/values.yaml": "password: MARK\n", "c/templates/s.yaml": secretTemplate,
		"c/values.schema.json": `{"type": "object", "properties": {"password": {"type": "string", "enum": ["a"]}}, "additionalProperties": false, "required": ["x"]}`},
	"chart, property name": {"c/Chart.yaml": chartFile, "c/values.yaml": "MARK: a\n", "c/templates/s.yaml": secretTemplate,
		"c/values.schema.json": `{"type": "object", "additionalProperties": false}`},
	"chart, values of the configuration": {".salint.yaml": "helm: {c: {values: [[v.yaml]]}}\n", "v.yaml": "password: *MARK\n",
		"c/Chart.yaml": chartFile, "c/templates/s.yaml": secretTemplate},
	"chart of a kustomization": {"kustomization.yaml": "helmGlobals: {chartHome: .}\nhelmCharts:\n- name: c\n  releaseName: a\n  valuesInline: {password: MARK}\n",
		"c/Chart.yaml": chartFile, "c/templates/s.yaml": secretTemplate + "{{ fail .Values.password }}\n"},
	"Argo CD, values": {"app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  destination: {namespace: ext}\n  source:\n    repoURL: https://example.org/r\n    path: c\n    helm:\n      valuesObject: {password: MARK}\n",
		"c/Chart.yaml": chartFile, "c/templates/s.yaml": secretTemplate + "{{ fail .Values.password }}\n", ".git/config": "[remote \"origin\"]\nurl = https://example.org/r\n"},
	"Flux, values": {"hr.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: ext}\nspec:\n  chart: {spec: {chart: ./c, sourceRef: {kind: GitRepository, name: a}}}\n  values: {password: MARK}\n",
		"c/Chart.yaml": chartFile, "c/templates/s.yaml": secretTemplate + "{{ fail .Values.password }}\n"},
}

// secretLines are the command lines that read a repository. Reports in other formats go to files outside of it.
func secretLines(reports string) []string {
	lint := "lint --enable * --target olm-1.11 --verbose"
	for _, format := range []string{"json", "sarif", "github", "junit", "markdown", "html"} {
		lint += " --output " + format + "=" + filepath.Join(reports, format)
	}
	return []string{
		lint, "lint --enable * --format github", "lint --enable * --format sarif --diff --unsafe-fixes --prune --target olm-1.11",
		"lint --enable * --diff --format markdown", "lint --enable * --diff --unsafe-fixes --prune --verbose --target olm-1.11 --grant group",
		"plan", "plan --to olm-1.11 --format markdown", "plan --to olm-1.11 --format json", "plan --all-targets --format html",
		"can-i get secrets --as olm:clusterextension:ext", "can-i get secrets --as olm:clusterextension:ext --format json", "who-can get secrets", "who-can get secrets --format json", "who-can --become cluster-admin", "who-can --become cluster-admin --format json",
		"graph", "graph --format json", "graph --format html", "preflight", "preflight --format json", "init access-policy", "bundle-diff . .", "bundle-diff --format json . .",
		"lint --enable * --fix --unsafe-fixes --prune --verbose --target olm-1.11 --output html=" + filepath.Join(reports, "fixed"),
	}
}

// TestNoOutputHasSecrets places a marker wherever a Secret can have data, and looks for it in the output of every command in
// every format. The short run takes a part of the places.
func TestNoOutputHasSecrets(t *testing.T) {
	t.Parallel()
	all := placements()
	if len(all) < 120 {
		t.Fatalf("%d placements", len(all))
	}
	for _, name := range long.Part(all, 4) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, reports := t.TempDir(), t.TempDir()
			makePlacement(t, dir, all[name])
			lines := secretLines(reports)
			if container, _, ok := strings.Cut(name, ", "); ok && secretContainers[container] != nil && container != "document before" {
				lines = lines[:3]
			}
			for _, line := range lines {
				reportLeak(t, line, runLine(dir, line))
			}
			for name, text := range filesIn(t, reports) {
				reportLeak(t, "--output "+name, text)
			}
		})
	}
}

// markerForms are the marker as it is, as bytes in a message of Go, and in base64.
var markerForms = []string{
	secretMarker, strings.Trim(fmt.Sprint([]byte(secretMarker)), "[]"), base64.StdEncoding.EncodeToString([]byte(secretMarker)),
}

// reportLeak reports the first line of an output with the marker.
func reportLeak(t *testing.T, where, output string) {
	t.Helper()
	for line := range strings.Lines(output) {
		for _, form := range markerForms {
			if at := strings.Index(line, form); at >= 0 {
				t.Errorf("%.60s: %.300s", where, line[max(0, at-200):])
				return
			}
		}
	}
}

// makePlacement writes a repository with an installer and its permissions, and with what a placement adds.
func makePlacement(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	makeRepository(t, dir)
	rest := map[string]string{
		"installer.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: installer, namespace: ext}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n" +
			"metadata: {name: installer}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\nsubjects: [{kind: ServiceAccount, name: installer, namespace: ext}]\n",
		"e.yaml": extensionNamed("ext"),
	}
	if strings.Contains(files["secret.yaml"]+files["a.yaml"]+files["c/templates/e.yaml"], "ClusterExtension") {
		delete(rest, "e.yaml")
	}
	for _, all := range []map[string]string{rest, files} {
		for name, text := range all {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
