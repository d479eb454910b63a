// Package gains compares what the subjects of bindings hold in two states of a deployment unit or a cluster, and says how a reviewer should judge what
// they gain.
package gains
