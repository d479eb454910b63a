// Package answer prints the answer of a preflight: for a person, for a pipeline, or as manifests to be applied.
package answer
