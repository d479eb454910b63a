package clients

import "fmt"

// withAccount is a ClusterExtension that names a service account, which olm-1.11 ignores and --fix removes.
func withAccount(name string) string {
	return fmt.Sprintf(`apiVersion: olm.operatorframework.io/v1
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
      packageName: %[1]s-operator
`, name)
}

// withoutAccount is the same extension after the fix.
func withoutAccount(name string) string {
	return fmt.Sprintf(`apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: %[1]s
spec:
  namespace: %[1]s-system
  source:
    sourceType: Catalog
    catalog:
      packageName: %[1]s-operator
`, name)
}
