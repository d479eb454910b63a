package random

// chart writes a chart whose templates depend on values, and returns its folder.
func (w *world) chart() string {
	folder := "charts/" + w.unique("app")
	w.write(folder+"/Chart.yaml", object{"apiVersion": "v2", "name": "app", "version": "1.0.0"})
	w.write(folder+"/values.yaml", object{
		"account": object{"name": "", "create": true}, "rbac": object{"admin": w.chance(30), "role": "view", "enabled": "yes"},
		"replicas": 1, "list": []string{"a"}, "extra": object{},
	})
	w.files[folder+"/templates/_helpers.tpl"] = helpers
	w.files[folder+"/templates/account.yaml"] = account
	w.files[folder+"/templates/rbac.yaml"] = rbac
	w.files[folder+"/templates/app.yaml"] = app
	if w.chance(30) {
		w.files[folder+"/templates/NOTES.txt"] = "Release {{ .Release.Name }}.\n"
	}
	if w.chance(30) {
		w.subchart(folder)
	}
	return folder
}

func (w *world) subchart(folder string) {
	dependency := object{"name": "sub", "version": "0.1.0"}
	if w.chance(50) {
		dependency["condition"] = "sub.enabled"
	}
	if w.chance(30) {
		dependency["alias"] = "other"
	}
	w.write(folder+"/Chart.yaml", object{"apiVersion": "v2", "name": "app", "version": "1.0.0", "dependencies": []object{dependency}})
	w.write(folder+"/charts/sub/Chart.yaml", object{"apiVersion": "v2", "name": "sub", "version": "0.1.0"})
	w.write(folder+"/charts/sub/values.yaml", object{"who": "sub", "enabled": w.chance(50)})
	w.files[folder+"/charts/sub/templates/account.yaml"] = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {{ .Release.Name }}-{{ .Chart.Name }}-{{ .Values.who }}\n"
}

const helpers = `{{- define "app.account" -}}
{{ .Values.account.name | default (printf "%s-%s" .Release.Name .Chart.Name) }}
{{- end }}
`

const account = `{{- if .Values.account.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "app.account" . }}
  {{- with .Values.extra.labels }}
  labels: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
`

const rbac = `{{- if .Values.rbac.enabled }}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ if .Values.rbac.admin }}ClusterRoleBinding{{ else }}RoleBinding{{ end }}
metadata:
  name: {{ .Release.Name }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ if .Values.rbac.admin }}cluster-admin{{ else }}{{ .Values.rbac.role }}{{ end }}
subjects:
- kind: ServiceAccount
  name: {{ include "app.account" . }}
  namespace: {{ .Release.Namespace }}
{{- end }}
{{- range .Values.list }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: list-{{ . }}
{{- end }}
`

const app = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      serviceAccountName: {{ include "app.account" . }}
      {{- if hasKey .Values.extra "automount" }}
      automountServiceAccountToken: {{ .Values.extra.automount }}
      {{- end }}
      containers:
      - name: main
        image: {{ .Values.extra.image | default "nginx" }}
`

// values returns some values for the chart.
func (w *world) values() object {
	v := object{}
	if w.chance(40) {
		v["account"] = object{"name": w.value(pick(w, names...))}
	}
	if w.chance(20) {
		v["account"] = object{"create": false}
	}
	if w.chance(50) {
		v["rbac"] = pick(w, object{"admin": true}, object{"admin": false}, object{"role": w.value("edit")}, object{"enabled": ""}, object{"enabled": nil})
	}
	if w.chance(30) {
		v["list"] = pick(w, []string{}, []string{"b", "c"})
	}
	if w.chance(20) {
		v["extra"] = pick(w, object{"automount": false}, object{"image": "registry.example.com/web"}, object{"labels": object{"team": "x"}})
	}
	if w.chance(20) {
		v["sub"] = object{"enabled": w.chance(50), "who": pick(w, names...)}
	}
	return v
}
