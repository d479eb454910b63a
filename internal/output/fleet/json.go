package fleet

import (
	"io"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// A fleet in JSON. Names and shape are promised to users: only add.
type (
	jsonFleet struct {
		SchemaVersion string           `json:"schemaVersion"`
		Tool          jsonTool         `json:"tool"`
		Summary       jsonSummary      `json:"summary"`
		Repositories  []jsonRepository `json:"repositories"`
		ClusterAdmins []jsonAdmin      `json:"clusterAdmins"`
		Unlisted      []jsonUnlisted   `json:"unlistedAdmins"`
		Possible      []jsonPossible   `json:"possible"`
		Missing       []jsonMissing    `json:"missing"`
		Problems      []jsonProblem    `json:"problems"`
		Trend         []jsonPoint      `json:"trend"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonSummary struct {
		Repositories int  `json:"repositories"`
		Clean        int  `json:"clean"`
		Failed       int  `json:"failed"`
		Unchecked    int  `json:"unchecked"`
		CleanExcept  int  `json:"cleanExcept"`
		Partial      int  `json:"partial"`
		Stale        int  `json:"stale"`
		Missing      int  `json:"missing"`
		Errors       int  `json:"errors"`
		Warnings     int  `json:"warnings"`
		Notes        int  `json:"notes"`
		Safe         int  `json:"safe"`
		Unsafe       int  `json:"unsafe"`
		Prune        int  `json:"prune"`
		Suppressed   int  `json:"suppressed"`
		NotShown     int  `json:"notShown"`
		Compared     bool `json:"compared"`
		New          int  `json:"new"`
		Open         int  `json:"open"`
		Gone         int  `json:"gone"`
		NotCompared  int  `json:"notCompared"`
	}
	jsonRepository struct {
		Repository string   `json:"repository"`
		Revision   string   `json:"revision"`
		Report     string   `json:"report"`
		Version    string   `json:"version"`
		Target     string   `json:"target"`
		Model      string   `json:"model"`
		State      string   `json:"state"`
		Unchecked  string   `json:"unchecked"`
		SHA256     string   `json:"hash"`
		Stale      string   `json:"stale"`
		Selected   string   `json:"selected"`
		Date       string   `json:"date"`
		RulesOff   []string `json:"rulesOff"`
		Exclude    []string `json:"exclude"`
		Tests      []string `json:"tests"`
		Settings   string   `json:"settings"`
		// Platform are the files that narrow the settings.
		Platform    []jsonNarrowing `json:"platform"`
		Policies    string          `json:"policies"`
		Changed     int             `json:"changedFiles"`
		NotChecked  int             `json:"notChecked"`
		Files       int             `json:"files"`
		Documents   int             `json:"documents"`
		Suppressed  int             `json:"suppressed"`
		NotShown    int             `json:"notShown"`
		Compared    bool            `json:"compared"`
		Gone        int             `json:"gone"`
		GoneUnknown bool            `json:"goneUnknown"`
		Counts      []jsonCount     `json:"counts"`
		Extensions  []jsonRelease   `json:"extensions"`
	}
	jsonCount struct {
		Target   string `json:"target"`
		Rule     string `json:"rule"`
		Errors   int    `json:"errors"`
		Warnings int    `json:"warnings"`
		Notes    int    `json:"notes"`
		Safe     int    `json:"safe"`
		Unsafe   int    `json:"unsafe"`
		Prune    int    `json:"prune"`
		New      int    `json:"new"`
	}
	jsonRelease struct {
		Target     string `json:"target"`
		Model      string `json:"model"`
		Extensions int    `json:"extensions"`
	}
	jsonAdmin struct {
		Subject    jsonSubject `json:"subject"`
		Repository string      `json:"repository"`
		Target     string      `json:"target"`
		Binding    string      `json:"binding"`
		File       string      `json:"file"`
		Line       int         `json:"line"`
		Rule       string      `json:"rule"`
		Since      string      `json:"since"`
	}
	jsonUnlisted struct {
		Repository string `json:"repository"`
		Why        string `json:"why"`
	}
	jsonPossible struct {
		Subject      jsonSubject `json:"subject"`
		Repository   string      `json:"repository"`
		Binding      string      `json:"binding"`
		Scope        string      `json:"scope"`
		File         string      `json:"file"`
		Line         int         `json:"line"`
		Role         jsonRoleRef `json:"role"`
		DefinedIn    string      `json:"definedIn"`
		ClusterAdmin bool        `json:"clusterAdmin"`
		Powers       []string    `json:"powers"`
		Clusters     []string    `json:"clusters"`
	}
	jsonRoleRef struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	jsonMissing struct {
		Repository string `json:"repository"`
		Why        string `json:"why"`
	}
	jsonProblem struct {
		Report  string `json:"report"`
		Problem string `json:"problem"`
	}
	jsonPoint struct {
		Name         string `json:"name"`
		Repositories int    `json:"repositories"`
		Errors       int    `json:"errors"`
		Warnings     int    `json:"warnings"`
		Notes        int    `json:"notes"`
	}
)

func (f *Fleet) json(w io.Writer, version string) error {
	t := f.Totals()
	out := jsonFleet{
		SchemaVersion: "1", Tool: jsonTool{"salint", version},
		Summary: jsonSummary{
			Repositories: t.Repositories, Clean: t.Clean, Failed: t.Failed, Unchecked: t.Unchecked, Missing: t.Missing,
			CleanExcept: t.CleanExcept, Partial: t.Partial, Stale: t.Stale,
			Errors: t.Errors, Warnings: t.Warnings, Notes: t.Notes, Safe: t.Safe, Unsafe: t.Unsafe, Prune: t.Prune,
			Suppressed: t.Suppressed, NotShown: t.NotShown, Compared: f.Compared, New: t.New, Open: f.open(), Gone: t.Gone, NotCompared: t.NotCompared,
		},
		Repositories: []jsonRepository{}, ClusterAdmins: []jsonAdmin{}, Unlisted: []jsonUnlisted{}, Possible: []jsonPossible{}, Missing: []jsonMissing{}, Problems: []jsonProblem{}, Trend: []jsonPoint{},
	}
	for _, r := range f.Repositories {
		out.Repositories = append(out.Repositories, jsonRepositoryOf(r))
	}
	for _, a := range f.Admins {
		out.ClusterAdmins = append(out.ClusterAdmins, jsonAdmin{jsonSubject(a.Subject), a.Repository, a.Target, a.Binding, a.File, a.Line, a.Rule, a.Since})
	}
	for _, u := range f.Unlisted() {
		out.Unlisted = append(out.Unlisted, jsonUnlisted(u))
	}
	for _, p := range f.Possible() {
		out.Possible = append(out.Possible, jsonPossible{
			jsonSubject(p.Binding.Subject), p.Repository, p.Binding.Binding, p.Binding.Scope, p.Binding.File, p.Binding.Line,
			jsonRoleRef(p.Binding.Role), p.DefinedIn, p.Admin(), words.NotNil(p.Role.Powers), words.NotNil(p.Clusters),
		})
	}
	for _, m := range f.Missing {
		out.Missing = append(out.Missing, jsonMissing{m.Name, m.Why})
	}
	for _, p := range f.Problems {
		out.Problems = append(out.Problems, jsonProblem{p.File, p.Text})
	}
	for _, p := range f.Trend {
		out.Trend = append(out.Trend, jsonPoint(p))
	}
	return safetext.JSON(w, out)
}

// jsonNarrowing is a [finding.Narrowing].
type jsonNarrowing struct {
	File   string `json:"file"`
	Origin string `json:"origin"`
	SHA256 string `json:"sha256"`
}

func jsonRepositoryOf(r *Repository) jsonRepository {
	out := jsonRepository{
		Repository: r.Name, Revision: r.Revision, Report: r.File, Version: r.Version, Target: r.Target, Model: r.Model, State: r.State(),
		Unchecked: r.Unchecked, Files: r.Files, Documents: r.Documents, Suppressed: r.Suppressed, NotShown: r.NotShown,
		Compared: r.Compared, Gone: r.Gone, GoneUnknown: r.GoneUnknown, Counts: []jsonCount{}, Extensions: []jsonRelease{},
	}
	out.SHA256, out.Stale, out.Selected, out.NotChecked, out.RulesOff = r.Hash, r.Stale, r.selection().String(), r.NotChecked, []string{}
	out.Exclude, out.Tests, out.Platform = []string{}, []string{}, []jsonNarrowing{}
	if r.Run != nil {
		out.Date, out.Settings, out.Policies, out.Changed = r.Run.Date, r.Run.Settings, r.Run.Policies, r.Run.WorkTree.Changed
		out.Exclude, out.Tests = append(out.Exclude, r.Run.Exclude...), append(out.Tests, r.Run.Tests...)
		out.RulesOff = append(out.RulesOff, r.Run.RulesOff...)
		for _, n := range r.Run.Platform {
			out.Platform = append(out.Platform, jsonNarrowing(n))
		}
	}
	for _, key := range r.sortedKeys() {
		c := r.counts[key]
		out.Counts = append(out.Counts, jsonCount{key.target, key.rule, c.Errors, c.Warnings, c.Notes, c.Safe, c.Unsafe, c.Prune, c.New})
	}
	for _, on := range (&Fleet{Repositories: []*Repository{r}}).Releases() {
		out.Extensions = append(out.Extensions, jsonRelease{on.Target, on.Model, on.Extensions})
	}
	return out
}

// open returns the number of findings that were there before.
func (f *Fleet) open() int {
	n := 0
	for _, r := range f.Repositories {
		if r.Compared {
			n += r.All() - r.New
		}
	}
	return n
}

// Worst returns the highest severity of an open finding; Off if there is none.
func (f *Fleet) Worst() finding.Severity {
	switch t := f.Totals(); {
	case t.Errors > 0:
		return finding.Error
	case t.Warnings > 0:
		return finding.Warning
	case t.Notes > 0:
		return finding.Note
	}
	return finding.Off
}
