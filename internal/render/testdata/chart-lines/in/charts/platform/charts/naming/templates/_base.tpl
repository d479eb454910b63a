{{- define "naming.base" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end -}}
