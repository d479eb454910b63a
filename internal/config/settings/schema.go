package settings

import _ "embed"

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema (draft 7) of .salint.yaml, for editors.
func Schema() []byte { return schema }

//go:embed template.yaml
var template string

// Template returns the commented file that `salint init` writes. It changes nothing until its lines are uncommented.
func Template() string { return template }
