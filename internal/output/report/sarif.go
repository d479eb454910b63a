package report

import (
	"bufio"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/report/provenance"
	"github.com/salint/salint/internal/output/report/sarif"
)

func writeSARIF(w *bufio.Writer, r *finding.Result, o Options) error {
	properties := sarifProperties(r)
	if o.Headline != "" {
		properties = map[string]any{"headline": o.Headline, "summary": o.Summary}
	}
	return sarif.Write(w, r, properties)
}

// SARIFRun returns a run with the findings of a result, as the format sarif has it, for a [sarif.Log].
func SARIFRun(r *finding.Result) ([]byte, error) {
	sorted := *r
	sorted.Findings = sortedOf(r.Findings)
	return sarif.Run(&sorted, sarifProperties(&sorted))
}

// sarifProperties returns what SARIF has no place for: permissions, and the units whose applied objects change.
func sarifProperties(r *finding.Result) map[string]any {
	properties := map[string]any{}
	if permissions := jsonPermissionsOf(r.Permissions, paths{}); permissions != nil {
		properties["permissions"] = permissions
	}
	if units := jsonUnitsOf(r, paths{}); units != nil {
		properties["changedUnits"] = units
	}
	if run := provenance.RunOf(r.Run); run != nil {
		properties["run"], properties["tool"] = run, provenance.ToolOf(r)
	}
	if len(properties) == 0 {
		return nil
	}
	return properties
}
