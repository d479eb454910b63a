package main

import (
	"fmt"
	"path"
)

// extensionParts are the files of one extension, in order.
var extensionParts = []struct{ name, text string }{
	{"extension", `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: %[1]s
spec:
  namespace: %[1]s-system
  serviceAccount:
    name: %[1]s-installer
  source:
    sourceType: Catalog
    catalog:
      packageName: %[1]s
      version: 1.2.x
`},
	{"account", `apiVersion: v1
kind: ServiceAccount
metadata:
  name: %[1]s-installer
  namespace: %[1]s-system
`},
	{"role", `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: %[1]s-installer
rules:
  - apiGroups: [olm.operatorframework.io]
    resources: [clusterextensions/finalizers]
    verbs: [update]
    resourceNames: [%[1]s]
  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    verbs: [create, list, watch, get, update, patch, delete]
`},
	{"binding", `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: %[1]s-installer
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: %[1]s-installer
subjects:
  - kind: ServiceAccount
    name: %[1]s-installer
    namespace: %[1]s-system
`},
}

// extensionFile is one part of the extension whose first file has the given number.
func extensionFile(first, part int) file {
	p := extensionParts[part]
	name := fmt.Sprintf("operator-%05d", first)
	return file{
		Path:      path.Join(folder(first), fmt.Sprintf("%s-%s.yaml", name, p.name)),
		Text:      fmt.Sprintf(p.text, name),
		Documents: 1,
	}
}
