// Package config groups the user's configuration and what is reported: .salint.yaml (settings), findings (finding), and
// their suppression (silence).
package config
