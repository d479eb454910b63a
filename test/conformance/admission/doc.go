// Package admission asks Kubernetes' own admission plugin, in the same process, what the policies decide that salint writes,
// and whether it agrees with what salint says of the policies of others.
package admission
