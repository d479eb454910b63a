// Package plan shows how each extension behaves on each target, and in which order to change manifests and cluster between
// two targets. The behavior on a target is what lint finds for it; the steps follow from how the two targets treat the
// field. It changes nothing.
package plan
