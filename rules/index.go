package rules

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/salint/salint/internal/finding"
)

//go:generate go run ./gen

// indexJSON is the list of built-in rules, generated from their METADATA: start-up reads it instead of parsing Rego.
//
//go:embed index.json
var indexJSON []byte

// indexEntry is a rule in the index, with its severity by name.
type indexEntry struct {
	Rule
	Severity string `json:"severity"`
}

// readIndex decodes what BuildIndex wrote.
func readIndex(data []byte) ([]Rule, error) {
	var entries []indexEntry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("rules/index.json: %w: run go generate ./rules", err)
	}
	list := make([]Rule, len(entries))
	for i, e := range entries {
		severity, err := finding.ParseSeverity(e.Severity)
		if err != nil {
			return nil, fmt.Errorf("rules/index.json: %s: %w: run go generate ./rules", e.Name, err)
		}
		list[i] = e.Rule
		list[i].Severity = severity
	}
	return list, nil
}

// BuildIndex reads the METADATA of all policies below the root and gives the index as JSON, sorted by name.
func BuildIndex(policies fs.FS) ([]byte, error) {
	list, err := readRules(policies)
	if err != nil {
		return nil, err
	}
	entries := make([]indexEntry, len(list))
	for i, r := range list {
		entries[i] = indexEntry{Rule: r, Severity: r.Severity.String()}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err = encoder.Encode(entries)
	return out.Bytes(), err
}

// readRules reads the METADATA of all policies below the root, sorted by name.
func readRules(policies fs.FS) ([]Rule, error) {
	files, err := parsePolicies(policies, builtinDir)
	if err != nil {
		return nil, err
	}
	var list []Rule
	for _, f := range files {
		if !f.isRule() {
			continue
		}
		r, err := f.rule()
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Rule) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
