{{- define "platform.account" -}}
{{- if .root.Values.account.create -}}
{{ .item.package }}-{{ .root.Values.account.suffix }}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "platform.labels" }}
app.kubernetes.io/name: {{ include "naming.base" . }}
{{- range $key, $value := .Values.labels }}
{{ $key }}: {{ tpl $value $ }}
{{- end }}
{{- end }}
