// Package provenance writes how a report was made: the record of a run as the JSON report has it, and the same as pairs of names and values.
package provenance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// The record in JSON. Names and shape are promised to users: only add.
type (
	// Tool is the program.
	Tool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		// Commit is missing if it is unknown.
		Commit string `json:"commit,omitempty"`
	}
	// Source is the repository.
	Source struct {
		Repository string `json:"repository"`
		Revision   string `json:"revision"`
	}
	// Run is how the report was made.
	Run struct {
		Date         string   `json:"date"`
		Paths        []string `json:"paths"`
		Only         []string `json:"only"`
		ChangedSince string   `json:"changedSince"`
		RulesOff     []string `json:"rulesOff"`
		Exclude      []string `json:"exclude"`
		Tests        []string `json:"tests"`
		Baseline     baseline `json:"baseline"`
		Ignored      int      `json:"ignored"`
		Settings     string   `json:"settings"`
		// Platform are the files that narrow the settings.
		Platform []narrowing `json:"platform"`
		Policies string      `json:"policies"`
		WorkTree workTree    `json:"workTree"`
		// Repositories are missing if the run read one.
		Repositories []member `json:"repositories,omitempty"`
	}
	member struct {
		Name       string   `json:"name"`
		Folder     string   `json:"folder"`
		Repository string   `json:"repository"`
		Revision   string   `json:"revision"`
		Settings   string   `json:"settings"`
		WorkTree   workTree `json:"workTree"`
	}
	narrowing struct {
		File   string `json:"file"`
		Origin string `json:"origin"`
		SHA256 string `json:"sha256"`
	}
	baseline struct {
		File     string `json:"file"`
		Findings int    `json:"findings"`
	}
	workTree struct {
		Compared bool `json:"compared"`
		Changed  int  `json:"changed"`
		LeftOut  int  `json:"leftOut"`
	}
)

// ToolOf returns the program that made a result.
func ToolOf(r *finding.Result) Tool {
	tool := Tool{Name: "salint", Version: r.Version}
	if r.Run != nil {
		tool.Commit = r.Run.Commit
	}
	return tool
}

// SourceOf returns the repository; nil if neither it nor the revision is known.
func SourceOf(o finding.Provenance) *Source {
	if o.Repository == "" && o.Revision == "" {
		return nil
	}
	return &Source{o.Repository, o.Revision}
}

// RunOf returns the record of a run; nil if there is none, or only what the text format needs of it.
func RunOf(r *finding.Run) *Run {
	if r == nil || r.Date == "" {
		return nil
	}
	list := func(items []string) []string { return append([]string{}, items...) }
	platform := []narrowing{}
	for _, n := range r.Platform {
		platform = append(platform, narrowing(n))
	}
	var repositories []member
	for _, m := range r.Repositories {
		repositories = append(repositories, member{m.Name, m.Folder, m.Repository, m.Revision, m.Settings, workTree(m.WorkTree)})
	}
	return &Run{
		Repositories: repositories,
		Date:         r.Date, Paths: list(r.Paths), Only: list(r.Only), ChangedSince: r.ChangedSince,
		RulesOff: list(r.RulesOff), Exclude: append(list(r.Exclude), r.Implied...), Tests: list(r.Tests), Baseline: baseline{r.Baseline, r.Known}, Ignored: r.Ignored,
		Settings: r.Settings, Platform: platform, Policies: r.Policies, WorkTree: workTree(r.WorkTree),
	}
}

// Record returns the record of a run that was read from JSON: the inverse of [RunOf].
func (r Run) Record() *finding.Run {
	record := &finding.Run{
		Date: r.Date, Selection: finding.Selection{Paths: r.Paths, Only: r.Only, ChangedSince: r.ChangedSince},
		Silencing: finding.Silencing{
			RulesOff: r.RulesOff, Exclude: r.Exclude, Tests: r.Tests, Baseline: r.Baseline.File, Known: r.Baseline.Findings, Ignored: r.Ignored,
		},
		Settings: r.Settings, Policies: r.Policies, WorkTree: finding.WorkTree(r.WorkTree),
	}
	for _, n := range r.Platform {
		record.Platform = append(record.Platform, finding.Narrowing(n))
	}
	for _, m := range r.Repositories {
		record.Repositories = append(record.Repositories, finding.RunRepository{
			Name: m.Name, Folder: m.Folder, Provenance: finding.Provenance{Repository: m.Repository, Revision: m.Revision}, Settings: m.Settings,
			WorkTree: finding.WorkTree(m.WorkTree),
		})
	}
	return record
}

// Property is a fact of the record: a name such as run.baseline.file, and its value as text.
type Property struct{ Name, Value string }

// Properties returns the record of a result as pairs that are sorted by name, for formats that have no nested values; nil if there is no
// record. Empty texts and lists are left out.
func Properties(r *finding.Result) []Property {
	run := RunOf(r.Run)
	if run == nil {
		return nil
	}
	record := map[string]any{
		"tool": ToolOf(r), "source": SourceOf(r.Origin), "run": run,
		"summary": map[string]int{
			"files": r.Summary.Files, "documents": r.Summary.Documents, "notChecked": r.Summary.NotChecked, "notShown": r.Summary.NotShown,
		},
	}
	text, err := json.Marshal(record)
	var parts any
	if err == nil {
		err = json.Unmarshal(text, &parts)
	}
	if err != nil {
		panic(err) // texts, numbers, and lists of them are JSON
	}
	all := flat("", parts)
	slices.SortFunc(all, func(a, b Property) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// flat returns the values in a part. A list of texts is one value, and one of mappings has their numbers in the names.
func flat(name string, value any) (all []Property) {
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			all = append(all, flat(strings.TrimPrefix(name+"."+key, "."), part)...)
		}
	case []any:
		var texts []string
		for i, item := range value {
			if text, ok := item.(string); ok {
				texts = append(texts, text)
				continue
			}
			all = append(all, flat(fmt.Sprintf("%s.%d", name, i), item)...)
		}
		if len(texts) > 0 {
			all = append(all, Property{name, strings.Join(texts, ", ")})
		}
	case nil:
	default:
		if text := fmt.Sprint(value); text != "" {
			all = append(all, Property{name, text})
		}
	}
	return all
}
