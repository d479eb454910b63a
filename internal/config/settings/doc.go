// Package settings reads .salint.yaml: what a repository wants of salint, strictly, with the position of every mistake.
package settings
