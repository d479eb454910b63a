package silence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// baselineVersion is the version of the file's layout.
const baselineVersion = "1"

// Baseline holds the findings that a repository had when the baseline was written, by their fingerprints.
type Baseline struct{ counts map[string]int }

// baselineFile is the layout of the file. Rule and file are for readers; only the fingerprint counts.
type baselineFile struct {
	SchemaVersion string          `json:"schemaVersion"`
	Findings      []baselineEntry `json:"findings"`
}

type baselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	File        string `json:"file"`
	Count       int    `json:"count"`
}

// maxBaselineSize limits a baseline: some 100,000 findings.
const maxBaselineSize = 32 << 20

// ReadBaseline reads a file of WriteBaseline, with a function that reads it up to a size in bytes. The errors name path, and
// the flag that writes a new file.
func ReadBaseline(path string, read func(limit int64) ([]byte, error)) (*Baseline, error) {
	data, err := read(maxBaselineSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("baseline %s does not exist: create it with --write-baseline %s", path, path)
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	var file baselineFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("baseline %s cannot be read: %w; create it again with --write-baseline", path, err)
	}
	if file.SchemaVersion != baselineVersion {
		return nil, fmt.Errorf("baseline %s has schema version %s, but this version of salint supports %s: create it again with --write-baseline",
			path, quote(file.SchemaVersion), baselineVersion)
	}
	b := &Baseline{counts: map[string]int{}}
	for _, e := range file.Findings {
		b.counts[e.Fingerprint] += e.Count
	}
	return b, nil
}

// Apply separates the findings that the baseline contains. If more findings have one fingerprint than it counts, the first
// ones are the known ones. A nil baseline is empty.
func (b *Baseline) Apply(findings []finding.Finding) (kept, known []finding.Finding) {
	if b == nil {
		return findings, nil
	}
	seen := map[string]int{}
	for _, f := range findings {
		id := f.Fingerprint()
		if seen[id]++; seen[id] <= b.counts[id] {
			known = append(known, f)
		} else {
			kept = append(kept, f)
		}
	}
	return kept, known
}

// WriteBaseline writes the findings to a file. The bytes do not depend on the order of the findings. The file is replaced
// as a whole or not at all.
func WriteBaseline(path string, findings []finding.Finding) error {
	data, err := encodeBaseline(findings)
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	defer os.Remove(temp.Name())
	const mode = 0o644 // CreateTemp creates private files; a baseline is not a secret
	_, writeErr := temp.Write(data)
	if err := errors.Join(writeErr, temp.Chmod(mode), temp.Close()); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	return nil
}

func encodeBaseline(findings []finding.Finding) ([]byte, error) {
	entries := map[string]*baselineEntry{}
	for _, f := range findings {
		id := f.Fingerprint()
		if entries[id] == nil {
			entries[id] = &baselineEntry{Fingerprint: id, Rule: f.Rule, File: f.File}
		}
		entries[id].Count++
	}
	file := baselineFile{SchemaVersion: baselineVersion, Findings: []baselineEntry{}}
	for _, e := range entries {
		file.Findings = append(file.Findings, *e)
	}
	slices.SortFunc(file.Findings, func(a, b baselineEntry) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(file)
	return out.Bytes(), err
}
