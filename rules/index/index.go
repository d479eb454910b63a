package index

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/metadata"
)

// Data about the built-in rules that is available without parsing Rego, generated from their METADATA: index.json is read
// at every start of the program, texts.json only for details of a rule.
var (
	//go:embed index.json
	indexJSON []byte
	//go:embed texts.json
	textsJSON []byte
)

// indexEntry is a rule in the index, with its severity by name.
type indexEntry struct {
	metadata.Rule
	Severity string `json:"severity"`
}

// Rules returns the built-in rules without their texts.
func Rules() ([]metadata.Rule, error) {
	var entries []indexEntry
	if err := json.Unmarshal(indexJSON, &entries); err != nil {
		return nil, fmt.Errorf("rules/index/index.json: %w: run go generate ./rules", err)
	}
	list := make([]metadata.Rule, len(entries))
	for i, e := range entries {
		severity, err := finding.ParseSeverity(e.Severity)
		if err != nil {
			return nil, fmt.Errorf("rules/index/index.json: %s: %w: run go generate ./rules", e.Name, err)
		}
		list[i] = e.Rule
		list[i].Severity = severity
	}
	return list, nil
}

// Texts returns the texts of the built-in rules by name. The file is part of the program, and a test compares it with the METADATA.
func Texts() map[string]metadata.Texts {
	var texts map[string]metadata.Texts
	if err := json.Unmarshal(textsJSON, &texts); err != nil {
		panic(fmt.Sprintf("rules/index/texts.json: %v: run go generate ./rules", err))
	}
	return texts
}

// Encode returns index.json and texts.json of the built-in rules.
func Encode(list []metadata.Rule) (index, texts []byte, err error) {
	entries := make([]indexEntry, len(list))
	for i, r := range list {
		r.Texts = metadata.Texts{}
		entries[i] = indexEntry{Rule: r, Severity: r.Severity.String()}
	}
	if index, err = encode(entries); err != nil {
		return nil, nil, err
	}
	texts, err = encode(TextsOf(list))
	return index, texts, err
}

// TextsOf returns the texts of rules by their names.
func TextsOf(list []metadata.Rule) map[string]metadata.Texts {
	texts := make(map[string]metadata.Texts, len(list))
	for _, r := range list {
		texts[r.Name] = r.Texts
	}
	return texts
}

func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}
