// Package answer prints the result of a preflight: as text, as JSON, or as manifests to apply.
package answer
