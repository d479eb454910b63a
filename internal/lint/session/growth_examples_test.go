package session

import (
	"github.com/salint/salint/rules/metadata"
)

// growthExample is an example that a fixer fixes, for the rule that requests the fix.
type growthExample struct {
	rule  string
	grant string
	metadata.Example
}

// growthExamples are for the fixers that fix none of the examples of the rules, because they need more than an example has. The names of
// all objects differ from the words of the manifests.
var growthExamples = map[string]growthExample{
	"remove-permissions": {rule: "grafana/schema", Example: metadata.Example{Bad: true, Text: `apiVersion: grafana.integreatly.org/v1beta1
kind: GrafanaServiceAccount
metadata:
  name: reporter
  namespace: metrics
spec:
  name: reporter
  instanceName: grafana
  role: Viewer
  permissions:
  - team: reports
    permission: View
`}},
	"add-service-account": {rule: "olm/service-account-missing", Example: metadata.Example{Bad: true, Target: "required", Text: `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor-system
  source:
    sourceType: Catalog
    catalog:
      packageName: harbor-operator
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-installing
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: admin
subjects:
- kind: User
  apiGroup: rbac.authorization.k8s.io
  name: olm:clusterextension:harbor
`}},
	"align-apply-order": {rule: "olm/apply-order", Example: metadata.Example{Bad: true, Target: "synthetic", Text: `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor-system
  source:
    sourceType: Catalog
    catalog:
      packageName: harbor-operator
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-late
  labels:
    app.kubernetes.io/managed-by: salint
  annotations:
    argocd.argoproj.io/sync-wave: "5"
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: admin
subjects:
- kind: User
  apiGroup: rbac.authorization.k8s.io
  name: olm:clusterextension:harbor
`}},
	"bind-synthetic-identity": {rule: "olm/synthetic-identity-unbound", grant: "role=installing", Example: metadata.Example{Bad: true, Target: "synthetic", Text: `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor-system
  source:
    sourceType: Catalog
    catalog:
      packageName: harbor-operator
`}},
	"complete-subject": {rule: "rbac/subject-invalid", Example: metadata.Example{Bad: true, Text: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: harbor
  namespace: harbor-system
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-viewing
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: view
subjects:
- kind: ServiceAccount
  name: harbor
`}},
	"project-token": {rule: "token/secret-mounted", Example: metadata.Example{Bad: true, Text: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: scraper
  namespace: monitoring
---
apiVersion: v1
kind: Secret
metadata:
  name: scraper-token
  namespace: monitoring
  annotations:
    kubernetes.io/service-account.name: scraper
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: Pod
metadata:
  name: scraping
  namespace: monitoring
spec:
  serviceAccountName: scraper
  containers:
  - name: main
    image: registry.example.com/main:1.0.0
    volumeMounts:
    - name: access
      mountPath: /var/run/access
  volumes:
  - name: access
    secret:
      secretName: scraper-token
`}},
	"replace-cluster-admin": {rule: "olm/cluster-admin-grant", grant: "least-privilege", Example: metadata.Example{Bad: true, Target: "olm-1.10", Text: `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor-system
  serviceAccount:
    name: harbor-installer
  source:
    sourceType: Catalog
    catalog:
      packageName: harbor-operator
      version: 1.2.0
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-everything
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: cluster-admin
subjects:
- kind: ServiceAccount
  name: harbor-installer
  namespace: harbor-system
`, Bundle: `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: harbor-operator.v1.2.0
spec:
  version: 1.2.0
  installModes:
  - {type: AllNamespaces, supported: true}
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: operator
        rules:
        - {apiGroups: [""], resources: [pods], verbs: [get]}
`}},
}
