{{- define "names.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
team: {{ .Values.global.team }}
{{- end }}
