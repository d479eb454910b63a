package main

import (
	"fmt"
	"iter"
	"path"
)

// gitops is the number of overlays over one base, and of charts, to generate.
type gitops struct {
	Overlays, Charts int
}

// all yields a base with an extension and its overlays, which change it in one of three ways, and charts, every tenth of
// which renders extensions and the others workloads.
func (g gitops) all() iter.Seq[file] {
	var files []file
	if g.Overlays > 0 {
		files = append(files, base()...)
	}
	for i := range g.Overlays {
		files = append(files, overlay(i)...)
	}
	for i := range g.Charts {
		files = append(files, chart(i)...)
	}
	return counted(files)
}

// base is the extension with its account, role and binding, in a kustomization.
func base() []file {
	files := []file{{Path: "base/kustomization.yaml", Text: "resources:\n"}}
	for _, p := range extensionParts {
		files = append(files, file{Path: "base/" + p.name + ".yaml", Text: fmt.Sprintf(p.text, "operator")})
		files[0].Text += "  - " + p.name + ".yaml\n"
	}
	return files
}

// overlay is one of three kinds: a prefix, a strategic merge patch, a JSON patch.
func overlay(i int) []file {
	dir := fmt.Sprintf("overlays/cluster-%04d", i)
	text := "resources:\n  - ../../base\n"
	switch i % 3 {
	case 0:
		text += fmt.Sprintf("namePrefix: c%d-\n", i)
	case 1:
		text += "patches:\n  - path: account.yaml\n"
	default:
		text += fmt.Sprintf("patches:\n  - target: {kind: ClusterExtension}\n    patch: |\n"+
			"      - op: replace\n        path: /spec/serviceAccount/name\n        value: installer-%d\n", i)
	}
	files := []file{{Path: path.Join(dir, "kustomization.yaml"), Text: text}}
	if i%3 == 1 {
		files = append(files, file{Path: path.Join(dir, "account.yaml"), Text: fmt.Sprintf(`apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: operator
spec:
  serviceAccount:
    name: installer-%d
`, i)})
	}
	return files
}

// extensionEvery is how often a chart renders extensions.
const extensionEvery = 10

// chart has values, a set of values for its tests, helpers and a few templates.
func chart(i int) []file {
	dir := fmt.Sprintf("charts/chart-%03d", i)
	name := path.Base(dir)
	files := []file{
		{Path: "Chart.yaml", Text: fmt.Sprintf("apiVersion: v2\nname: %s\nversion: 1.0.0\n", name)},
		{Path: "values.yaml", Text: "replicas: 2\nimage: registry.example.com/app:1.0\nextensions:\n  - name: first\n  - name: second\n"},
		{Path: "ci/one-values.yaml", Text: "extensions:\n  - name: third\n"},
		{Path: "templates/_helpers.tpl", Text: `{{- define "chart.account" -}}{{ .name }}-installer{{- end -}}` + "\n"},
		{Path: "templates/deployment.yaml", Text: chartDeployment},
	}
	if i%extensionEvery == 0 {
		files = append(files, file{Path: "templates/extensions.yaml", Text: chartExtensions})
	}
	for j := range files {
		files[j].Path = path.Join(dir, files[j].Path)
	}
	return files
}

const chartDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: {{ .Release.Name }}}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}}
    spec:
      containers:
        - name: app
          image: {{ .Values.image }}
`

const chartExtensions = `{{- range .Values.extensions }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "chart.account" . }}
  namespace: {{ .name }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ include "chart.account" . }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
  - kind: ServiceAccount
    name: {{ include "chart.account" . }}
    namespace: {{ .name }}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: {{ .name }}
spec:
  namespace: {{ .name }}
  serviceAccount:
    name: {{ include "chart.account" . }}
  source:
    sourceType: Catalog
    catalog:
      packageName: {{ .name }}
{{- end }}
`
