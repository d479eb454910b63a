// Package settings reads .salint.yaml strictly and reports the position of every mistake.
package settings
