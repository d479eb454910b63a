package silence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/encoding"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/regular"
)

// baselineVersion is the version of the file's layout.
const baselineVersion = "2"

// Baseline holds the findings that a repository had when the baseline was written, by their fingerprints.
type Baseline struct {
	// File is the baseline relative to the root of the repository; "" if it is outside.
	File    string
	entries []BaselineEntry
	// counts and used are how many findings of a fingerprint the baseline has, and how many of them the run has.
	counts, used map[string]int
	// worst is the greatest severity of the entries of a fingerprint.
	worst map[string]finding.Severity
	// IsGone reports whether a file that an entry names no longer exists; nil if that is not known. The entries of a file that was renamed hold
	// for the same findings in another file.
	IsGone func(file string) bool
	// gone are the files of the entries of a rule that no longer exist, as far as they were asked for.
	gone map[string][]string
}

// baselineFile is the layout of the file.
type baselineFile struct {
	SchemaVersion string          `json:"schemaVersion"`
	Findings      []BaselineEntry `json:"findings"`
}

// BaselineEntry is one or more findings with the same fingerprint.
type BaselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	// Rule and File are for readers, and to decide whether a run could have had the finding.
	Rule string `json:"rule"`
	File string `json:"file"`
	// Target is the release or model to which the finding applies; "" if it applies to all, or in an older file.
	Target string `json:"target,omitempty"`
	// Severity is the greatest severity of the findings, "" for errors and in an older file: a warning that became an error is reported.
	Severity string `json:"severity,omitempty"`
	Count    int    `json:"count"`
	// Line is the line of the entry in the baseline.
	Line int `json:"-"`
}

// maxBaselineSize limits a baseline: some 100,000 findings.
const maxBaselineSize = 32 << 20

// maxCount limits the findings of an entry, so that sums of them can be computed.
const maxCount = 1_000_000

// maxEntryText limits the file and the rule of an entry, which messages contain.
const maxEntryText = 4096

// severity returns the greatest severity of the findings of an entry.
func (e BaselineEntry) severity() (finding.Severity, error) {
	if e.Severity == "" {
		return finding.Error, nil
	}
	return finding.ParseSeverity(e.Severity)
}

// ReadBaseline reads a file of WriteBaseline, with a function that reads it up to a size in bytes. The errors name path, and
// the flag that writes a new file, and wrap fs.ErrNotExist if there is none.
func ReadBaseline(path string, read func(limit int64) ([]byte, error)) (*Baseline, error) {
	data, err := read(maxBaselineSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &missingBaseline{path}
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	var file baselineFile
	var shape *json.UnmarshalTypeError
	if err := json.Unmarshal(encoding.UTF8(data), &file); errors.As(err, &shape) {
		return nil, fmt.Errorf("baseline %s cannot be read: unexpected JSON %s, so salint did not write it; create it again with --write-baseline", path, shape.Value)
	} else if err != nil {
		return nil, fmt.Errorf("baseline %s cannot be read: %w; create it again with --write-baseline", path, err)
	}
	if file.SchemaVersion != baselineVersion {
		return nil, fmt.Errorf("baseline %s has schema version %s, but this version of salint supports %s: create it again with --write-baseline",
			path, quote(file.SchemaVersion), baselineVersion)
	}
	b := &Baseline{entries: file.Findings, counts: map[string]int{}, used: map[string]int{}, worst: map[string]finding.Severity{}}
	for i, e := range file.Findings {
		severity, err := e.severity()
		if len(e.File) > maxEntryText || len(e.Rule) > maxEntryText || e.Fingerprint == "" || e.Count < 1 || e.Count > maxCount || err != nil {
			return nil, fmt.Errorf("baseline %s: entry %d has no valid fingerprint, count, severity, rule, or file: create it again with --write-baseline", path, i+1)
		}
		b.counts[e.Fingerprint] += e.Count
		b.worst[e.Fingerprint] = max(b.worst[e.Fingerprint], severity)
	}
	b.findLines(data)
	return b, nil
}

// findLines sets the lines of the entries. Fingerprints are hexadecimal, so that they are written without escape sequences.
func (b *Baseline) findLines(data []byte) {
	at, line := 0, 1
	for i := range b.entries {
		e := &b.entries[i]
		next := bytes.Index(data[at:], []byte(`"`+e.Fingerprint+`"`))
		if next < 0 {
			return
		}
		line += bytes.Count(data[at:at+next], []byte("\n"))
		at, e.Line = at+next, line
	}
}

// missingBaseline is the error for a baseline that does not exist; it wraps fs.ErrNotExist.
type missingBaseline struct{ path string }

func (e *missingBaseline) Error() string {
	return fmt.Sprintf("baseline %[1]s does not exist: create it with --write-baseline %[1]s", e.path)
}

func (e *missingBaseline) Unwrap() error { return fs.ErrNotExist }

// Apply separates the findings that the baseline contains, and sets their Suppression. If more findings have one fingerprint than it
// counts, the first ones are the known ones. A finding that is more severe than its entry is kept, and uses it up. A nil baseline is
// empty.
func (b *Baseline) Apply(findings []finding.Finding) (kept, known []finding.Finding) {
	if b == nil {
		return findings, nil
	}
	clear(b.used)
	clear(b.gone)
	for _, f := range findings {
		id := b.findRenamed(f, b.find(&f))
		if b.used[id] == b.counts[id] {
			kept = append(kept, f)
			continue
		}
		b.used[id]++
		if f.Severity > b.worst[id] {
			kept = append(kept, f)
			continue
		}
		f.Suppression = &finding.Suppression{By: finding.ByBaseline, File: b.File}
		known = append(known, f)
	}
	return kept, known
}

// find returns the fingerprint of a finding in the baseline. A run for some paths can have one of several findings that the baseline
// distinguishes by what applies the object; it gets the AppliedBy of its entry.
func (b *Baseline) find(f *finding.Finding) string {
	id := f.Fingerprint()
	if b.counts[id] > 0 || f.AppliedBy != "" || f.Variant == "" {
		return id
	}
	distinguished := *f
	distinguished.AppliedBy = f.Variant
	if other := distinguished.Fingerprint(); b.counts[other] > 0 {
		*f = distinguished
		return other
	}
	return id
}

// mostGone limits the files in which a finding is looked for, because each pair costs a fingerprint.
const mostGone = 200

// findRenamed returns the fingerprint that a finding had in a file that no longer exists; id if the baseline has none that is left.
func (b *Baseline) findRenamed(f finding.Finding, id string) string {
	if b.counts[id] > 0 || f.ObjectFile != "" {
		return id
	}
	for _, file := range b.goneFiles(f.Rule) {
		f.File = file
		if other := f.Fingerprint(); b.used[other] < b.counts[other] {
			return other
		}
	}
	return id
}

// goneFiles returns the files of the entries of a rule that no longer exist.
func (b *Baseline) goneFiles(rule string) []string {
	files, known := b.gone[rule]
	if known || b.IsGone == nil {
		return files
	}
	if b.gone == nil {
		b.gone = map[string][]string{}
	}
	for _, e := range b.entries {
		if e.Rule == rule && len(files) < mostGone && !slices.Contains(files, e.File) && b.IsGone(e.File) {
			files = append(files, e.File)
		}
	}
	b.gone[rule] = files
	return files
}

// Unmatched returns the entries that no finding of the last Apply matched, in the order of the file. The count of an entry that some
// findings matched is what is left. A nil baseline has none.
func (b *Baseline) Unmatched() []BaselineEntry {
	if b == nil {
		return nil
	}
	used := maps.Clone(b.used)
	var left []BaselineEntry
	for _, e := range b.entries {
		matched := min(used[e.Fingerprint], e.Count)
		used[e.Fingerprint] -= matched
		if e.Count -= matched; e.Count > 0 {
			left = append(left, e)
		}
	}
	return left
}

// WriteBaseline writes the findings and further entries to a file. The bytes do not depend on their order. The file is replaced as a
// whole or not at all.
func WriteBaseline(path string, findings []finding.Finding, further ...BaselineEntry) error {
	data, err := encodeBaseline(findings, further)
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	if err := regular.WriteFile(path, data); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	return nil
}

// moreSevere returns the greater one of two severities of entries.
func moreSevere(a, b string) string {
	if a == finding.Note.String() {
		return b
	}
	if b == "" {
		return ""
	}
	return a
}

func encodeBaseline(findings []finding.Finding, further []BaselineEntry) ([]byte, error) {
	entries := map[string]*BaselineEntry{}
	add := func(e BaselineEntry) {
		if known := entries[e.Fingerprint]; known != nil {
			known.Count += e.Count
			known.Severity = moreSevere(known.Severity, e.Severity)
			return
		}
		entries[e.Fingerprint] = &e
	}
	for _, f := range findings {
		target := f.Target
		if target == "auto" { // the rule does not depend on it
			target = ""
		}
		severity := ""
		if f.Severity < finding.Error {
			severity = f.Severity.String()
		}
		add(BaselineEntry{Fingerprint: f.Fingerprint(), Rule: f.Rule, File: f.File, Target: target, Severity: severity, Count: 1})
	}
	for _, e := range further {
		add(e)
	}
	file := baselineFile{SchemaVersion: baselineVersion, Findings: []BaselineEntry{}}
	for _, e := range entries {
		file.Findings = append(file.Findings, *e)
	}
	slices.SortFunc(file.Findings, func(a, b BaselineEntry) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(file)
	return out.Bytes(), err
}
