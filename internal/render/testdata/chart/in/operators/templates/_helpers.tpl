{{- define "operators.account" -}}
{{ .account | default (printf "%s-installer" .name) }}
{{- end }}
