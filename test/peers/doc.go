// Peers runs salint on the test inputs of other programs that check accounts and RBAC, and compares its answers with what these programs expect of
// themselves:
//
//	go run ./test/peers DIR
//
// DIR has checkouts of kube-linter, polaris, regolibrary (kubescape), trivy-checks, checkov, and KubiScan, in folders of these names. Nothing of them is in this
// repository. A role that no binding of an input names is bound to a user, because salint reports what holders gain.
//
// Each difference has a reason in the table of checks, or counts as missing.
package main
