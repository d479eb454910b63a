// Package plugins reads the configurations of generators, transformers, and validators of kustomizations: which program each is for, and which
// files it names.
package plugins
