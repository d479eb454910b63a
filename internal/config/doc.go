// Package config groups what the user configures and what is reported: .salint.yaml (settings), findings (finding), and
// which of them are silenced (silence).
package config
