{{- define "sendwright.labels" -}}
app.kubernetes.io/name: sendwright
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "sendwright.selector" -}}
app.kubernetes.io/name: sendwright
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sendwright.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "sendwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "sendwright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "sendwright.environment" -}}
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: SENDWRIGHT_HOSTNAME, value: {{ .Values.hostname | quote }} }
- { name: SENDWRIGHT_CELL, value: {{ .Values.cell | quote }} }
- { name: SENDWRIGHT_SCHEMA, value: {{ .Values.schema | quote }} }
- { name: SENDWRIGHT_WORKERS, value: "1" }
- { name: SENDWRIGHT_METRICS_PORT, value: "9090" }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
