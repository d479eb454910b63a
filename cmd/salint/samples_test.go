package main

// Samples are files of the repositories of several tests.
const (
	sampleChart     = "apiVersion: v2\nname: chart\nversion: 0.1.0\n"
	sampleExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: hubble}
spec:
  namespace: cilium
  serviceAccount: {name: cilium-installer}
  source: {sourceType: Catalog, catalog: {packageName: hubble}}
`
	samplePolicy = `# METADATA
# title: Sample
# description: Reports nothing.
# custom:
#   severity: warning
#   kinds: [v1/ConfigMap]
package salint.rules.custom.sample

import rego.v1

findings contains {"message": "never"} if false
`
)
