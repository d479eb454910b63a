package report

import (
	"bufio"
	"bytes"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/checksum"
	"github.com/salint/salint/internal/output/report/provenance"
)

// schemaVersion changes only with breaking changes.
const schemaVersion = "1"

// The JSON report. Names and shape are promised to users: only add.
type (
	jsonReport struct {
		SchemaVersion string          `json:"schemaVersion"`
		Tool          provenance.Tool `json:"tool"`
		// Checksum is that of all other members.
		Checksum string `json:"checksum"`
		// Source is missing if neither the repository nor the revision is known.
		Source *provenance.Source `json:"source,omitempty"`
		Target jsonTarget         `json:"target"`
		Run    *provenance.Run    `json:"run,omitempty"`
		// Extensions are missing if there are none.
		Extensions []jsonEvaluated `json:"extensions,omitempty"`
		// Roles and Bindings are missing if there are none.
		Roles    []jsonPowerRole   `json:"roles,omitempty"`
		Bindings []jsonOpenBinding `json:"openBindings,omitempty"`
		// Chains are missing without --chains.
		Chains   *jsonChains   `json:"chains,omitempty"`
		Findings []jsonFinding `json:"findings"`
		// Suppressed are missing if they are not to be shown, or if there are none.
		Suppressed []jsonSuppressed `json:"suppressed,omitempty"`
		Summary    jsonSummary      `json:"summary"`
		// Permissions are null if no fixes were verified.
		Permissions *jsonPermissions `json:"permissions"`
		// ChangedUnits are missing if the run changes nothing.
		ChangedUnits []jsonUnit `json:"changedUnits,omitempty"`
		// ChangedFiles are missing as well then.
		ChangedFiles []string `json:"changedFiles,omitempty"`
	}
	jsonEvaluated struct {
		Name    string `json:"name"`
		Package string `json:"package"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Target  string `json:"target"`
		Model   string `json:"model"`
		Account string `json:"account"`
		// The following are what a plan for many repositories lists.
		ServiceAccount string     `json:"serviceAccount"`
		Namespace      string     `json:"namespace"`
		Version        string     `json:"version"`
		Channels       []string   `json:"channels"`
		Clusters       []string   `json:"clusters"`
		Origin         jsonOrigin `json:"origin"`
		// AccountFile and AccountLine are missing if no account is set.
		AccountFile string `json:"accountFile,omitempty"`
		AccountLine int    `json:"accountLine,omitempty"`
	}
	jsonUnit struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	}
	jsonTarget struct {
		Name         string `json:"name"`
		Model        string `json:"model"`
		DetectedFrom string `json:"detectedFrom"`
	}
	jsonFinding struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		// RuleSeverity is missing if settings did not change the severity.
		RuleSeverity string       `json:"ruleSeverity,omitempty"`
		Message      string       `json:"message"`
		Target       string       `json:"target"`
		File         string       `json:"file"`
		Line         int          `json:"line"`
		Column       int          `json:"column"`
		EndLine      int          `json:"endLine"`
		EndColumn    int          `json:"endColumn"`
		Resource     jsonResource `json:"resource"`
		// Subject is missing in findings that are not about a subject of a binding.
		Subject *jsonSubject  `json:"subject,omitempty"`
		Path    string        `json:"path"`
		Fix     *jsonFix      `json:"fix"`
		Related []jsonRelated `json:"related"`
		Origin  jsonOrigin    `json:"origin"`
		// Unapplied is missing if a deployment applies the object, as far as is known.
		Unapplied   string `json:"unapplied,omitempty"`
		Fingerprint string `json:"fingerprint"`
	}
	jsonResource struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	}
	jsonFix struct {
		Kind        string `json:"kind"`
		Applied     bool   `json:"applied"`
		Description string `json:"description"`
		// Files are missing if the run does not verify fixes.
		Files []string `json:"files,omitempty"`
	}
	jsonRelated struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	jsonOrigin struct {
		Kustomization string `json:"kustomization"`
		Chart         string `json:"chart"`
		Template      string `json:"template"`
		Unit          string `json:"unit"`
	}
	jsonSummary struct {
		Files      int `json:"files"`
		Documents  int `json:"documents"`
		Errors     int `json:"errors"`
		Warnings   int `json:"warnings"`
		Notes      int `json:"notes"`
		Suppressed int `json:"suppressed"`
		Fixed      int `json:"fixed"`
		// NotShown is missing if all findings are listed.
		NotShown int `json:"notShown,omitempty"`
		// Unchanged is missing without --changed-since.
		Unchanged int `json:"unchanged,omitempty"`
		// Unchecked is missing if anything was checked.
		Unchecked string `json:"unchecked,omitempty"`
		// NotChecked is missing if all selected files were checked.
		NotChecked int `json:"notChecked,omitempty"`
		// Incomplete is missing if all checks were made.
		Incomplete bool `json:"incomplete,omitempty"`
	}
)

func writeJSON(w *bufio.Writer, r *finding.Result, o Options) error {
	p := pathsOf(r)
	report := jsonReport{
		SchemaVersion: schemaVersion,
		Tool:          provenance.ToolOf(r),
		Run:           provenance.RunOf(r.Run),
		Target:        jsonTarget{r.Target.Name, r.Target.Model, p.place(r.Target.DetectedFrom)},
		Findings:      make([]jsonFinding, len(r.Findings)),
		Source:        provenance.SourceOf(r.Origin),
		Suppressed:    jsonSuppressedOf(r.Suppressed, p),
		Summary:       jsonSummaryOf(r),
		Permissions:   jsonPermissionsOf(r.Permissions, p),
		ChangedUnits:  jsonUnitsOf(r, p),
	}
	for _, e := range r.Extensions {
		report.Extensions = append(report.Extensions, jsonEvaluated{
			Name: e.Name, Package: e.Package, File: p.rel(e.File), Line: e.Line, Target: e.Target, Model: e.Model, Account: e.Account,
			ServiceAccount: e.AccountName, Namespace: e.Namespace, Version: e.Version,
			Channels: words.NotNil(e.Channels), Clusters: words.NotNil(e.Clusters),
			Origin: jsonOriginOf(e.Origin, p), AccountFile: p.rel(e.AccountPlace.File), AccountLine: e.AccountPlace.Line,
		})
	}
	report.addInventory(r.Inventory, p)
	report.Chains = jsonChainsOf(o.Chains)
	for i, f := range r.Findings {
		report.Findings[i] = jsonFindingOf(f, p)
	}
	for _, c := range r.Changes {
		report.ChangedFiles = append(report.ChangedFiles, p.rel(c.File))
	}
	var text bytes.Buffer
	if err := safetext.JSON(&text, report); err != nil {
		return err
	}
	var err error
	if report.Checksum, err = checksum.Of(text.Bytes()); err != nil {
		return err
	}
	return safetext.JSON(w, report)
}

func jsonSummaryOf(r *finding.Result) jsonSummary {
	s := r.Summary
	return jsonSummary{
		Files: s.Files, Documents: s.Documents, Errors: s.Errors, Warnings: s.Warnings, Notes: s.Notes, Suppressed: s.Suppressed,
		Fixed: s.Fixed, NotShown: s.NotShown, Unchecked: s.Unchecked, NotChecked: s.NotChecked, Incomplete: r.Incomplete,
	}
}

func jsonOriginOf(o finding.Origin, p paths) jsonOrigin {
	return jsonOrigin{p.rel(o.Kustomization), p.rel(o.Chart), p.rel(o.Template), o.Unit}
}

func jsonFindingOf(f finding.Finding, p paths) jsonFinding {
	place := f.Range.Whole()
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, Target: f.Target,
		File: p.rel(f.File), Line: place.Line, Column: place.Column, EndLine: place.EndLine, EndColumn: place.EndColumn,
		Resource:    jsonResource(f.Resource),
		Path:        f.Path,
		Related:     make([]jsonRelated, len(f.Related)),
		Origin:      jsonOriginOf(f.Origin, p),
		Fingerprint: f.Fingerprint(),
	}
	if f.Subject != nil {
		subject := jsonSubject(*f.Subject)
		out.Subject = &subject
	}
	for i, r := range f.Related {
		out.Related[i] = jsonRelated{p.rel(r.File), max(r.Line, 1), r.Message}
	}
	if f.RuleSeverity != finding.Off && f.RuleSeverity != f.Severity {
		out.RuleSeverity = f.RuleSeverity.String()
	}
	if f.Unapplied != nil {
		if out.Unapplied = "tests"; f.Unapplied.Beside != "" {
			out.Unapplied = "unlisted"
		}
	}
	if f.Fix != nil {
		out.Fix = &jsonFix{Kind: string(f.Fix.Kind), Applied: f.Fix.Applied, Description: f.Fix.Description}
		for _, file := range f.Fix.Files {
			out.Fix.Files = append(out.Fix.Files, p.rel(file))
		}
	}
	return out
}

// jsonUnitsOf returns the units whose applied objects change; nil if there are none.
func jsonUnitsOf(r *finding.Result, p paths) []jsonUnit {
	var units []jsonUnit
	for _, u := range unitsOf(r, p) {
		units = append(units, jsonUnit(u))
	}
	return units
}
