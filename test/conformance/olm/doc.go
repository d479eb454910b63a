// Package olm runs operator-controller against a real API server on loopback, so that tests can compare what salint writes
// and reports with what OLM then does.
//
// [New] starts an empty cluster for a test, and [Cluster.Run] a version of operator-controller in it, with the definitions,
// the account, and the permissions of that release. A second Run replaces the version, as an upgrade or a downgrade does.
// [Cluster.Publish] puts bundles into a catalog and their images into a registry. [Cluster.Await] and its relatives wait
// for an extension, and [Cluster.Watch] records everything that happens to it.
//
// There is no kubelet, so no pod runs: an extension counts as installed when its Installed condition is true.
package olm
