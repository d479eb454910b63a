package rules

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

//go:generate go run ./gen

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
	Rule
	Severity string `json:"severity"`
}

// readIndex decodes the output of BuildIndex: the rules without their texts.
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

// readTextsJSON decodes the texts by name. The file is part of the program, and a test compares it with the METADATA.
func readTextsJSON() map[string]Texts {
	var texts map[string]Texts
	if err := json.Unmarshal(textsJSON, &texts); err != nil {
		panic(fmt.Sprintf("rules/texts.json: %v: run go generate ./rules", err))
	}
	return texts
}

// BuildIndex reads the METADATA of all policies below the root and returns index.json and texts.json, sorted by name.
func BuildIndex(policies fs.FS) (index, texts []byte, err error) {
	list, err := readRules(policies)
	if err != nil {
		return nil, nil, err
	}
	entries := make([]indexEntry, len(list))
	for i, r := range list {
		r.Texts = Texts{}
		entries[i] = indexEntry{Rule: r, Severity: r.Severity.String()}
	}
	if index, err = encode(entries); err != nil {
		return nil, nil, err
	}
	texts, err = encode(textsOf(list))
	return index, texts, err
}

func textsOf(list []Rule) map[string]Texts {
	texts := make(map[string]Texts, len(list))
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

// readRules reads the METADATA of all policies below the root, sorted by name.
func readRules(policies fs.FS) ([]Rule, error) {
	files, err := parsePolicies(policies, builtinDir, parseHere)
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
	if err := deriveFromPolicies(list, files); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Rule) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
