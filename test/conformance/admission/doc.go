// Package admission compares salint with Kubernetes' own admission plugin, in the same process: the decisions of the
// policies that salint writes, and salint's verdicts about other policies.
package admission
