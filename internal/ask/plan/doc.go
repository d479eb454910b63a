// Package plan says what becomes of every extension on every target, and in which order manifests and cluster are changed
// on the way from one target to another. What an extension does on a target is what lint finds there; the steps follow from
// what the two targets do with the field. It changes nothing.
package plan
