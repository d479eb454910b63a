// Package bundles answers for the extensions of a repository what their bundles need, each read once: the bundle of an
// extension is the folder that the configuration or the command line names for it.
package bundles
