package formats

import (
	"io"

	"github.com/salint/salint/internal/ask/plan"

	"github.com/salint/salint/internal/ask/plan/proposals"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// schemaVersion changes only with breaking changes.
const schemaVersion = "1"

// A plan in JSON. Names and shape are promised to users: only add.
type (
	jsonPlan struct {
		SchemaVersion string           `json:"schemaVersion"`
		Tool          jsonTool         `json:"tool"`
		Targets       []jsonTarget     `json:"targets"`
		Extensions    []jsonExtension  `json:"extensions"`
		Cluster       []jsonRemark     `json:"cluster"`
		Leftovers     []jsonRemark     `json:"leftovers"`
		Transitions   []jsonTransition `json:"transitions"`
		Unchanged     [][]string       `json:"unchanged"`
		Catalogs      []jsonRemark     `json:"catalogs,omitempty"`
		NotChecked    []jsonRemark     `json:"notChecked"`
		Summary       jsonSummary      `json:"summary"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonTarget struct {
		Name     string `json:"name"`
		Model    string `json:"model"`
		Proposed bool   `json:"proposed"`
		Source   string `json:"source"`
	}
	jsonExtension struct {
		Name      string      `json:"name"`
		Label     string      `json:"label"`
		Namespace string      `json:"namespace"`
		Package   string      `json:"package"`
		File      string      `json:"file"`
		Line      int         `json:"line"`
		Unit      jsonUnit    `json:"unit"`
		Account   jsonAccount `json:"account"`
		Today     *jsonToday  `json:"today"`
		Next      *jsonNext   `json:"next"`
		Cells     []jsonCell  `json:"cells"`
	}
	jsonUnit struct {
		Kind string `json:"kind"`
		Name string `json:"name"`
	}
	jsonAccount struct {
		State string `json:"state"`
		Name  string `json:"name"`
	}
	jsonToday struct {
		Name         string `json:"name"`
		Model        string `json:"model"`
		DetectedFrom string `json:"detectedFrom"`
	}
	jsonNext struct {
		Name  string `json:"name"`
		Model string `json:"model"`
	}
	jsonCell struct {
		Target   string        `json:"target"`
		Status   string        `json:"status"`
		Reason   string        `json:"reason"`
		Rule     string        `json:"rule"`
		When     string        `json:"when"`
		Command  string        `json:"command"`
		Refused  string        `json:"refused"`
		Shared   string        `json:"shared"`
		Findings []jsonFinding `json:"findings"`
	}
	jsonFinding struct {
		Rule     string   `json:"rule"`
		Severity string   `json:"severity"`
		Message  string   `json:"message"`
		File     string   `json:"file"`
		Line     int      `json:"line"`
		Path     string   `json:"path"`
		Fix      *jsonFix `json:"fix"`
	}
	jsonFix struct {
		Kind        string `json:"kind"`
		Description string `json:"description"`
	}
	jsonRemark struct {
		Target  string `json:"target"`
		Rule    string `json:"rule"`
		Message string `json:"message"`
		File    string `json:"file"`
		Line    int    `json:"line"`
	}
	jsonTransition struct {
		From       string      `json:"from"`
		To         string      `json:"to"`
		Via        string      `json:"via"`
		Direction  string      `json:"direction"`
		Extensions []string    `json:"extensions"`
		Steps      []jsonStep  `json:"steps"`
		Claims     []jsonClaim `json:"claims"`
	}
	jsonStep struct {
		Do         string       `json:"do"`
		Commit     bool         `json:"commit"`
		Title      string       `json:"title"`
		Why        string       `json:"why"`
		Commands   []string     `json:"commands"`
		Extensions []string     `json:"extensions"`
		Notes      []string     `json:"notes"`
		Effects    []jsonEffect `json:"effects"`
	}
	jsonEffect struct {
		Extension string `json:"extension"`
		Change    string `json:"change"`
		Sentence  string `json:"sentence"`
	}
	jsonClaim struct {
		Says   string `json:"says"`
		Where  string `json:"where"`
		Fact   string `json:"fact"`
		Source string `json:"source"`
	}
	jsonSummary struct {
		Extensions int `json:"extensions"`
		Works      int `json:"works"`
		Warns      int `json:"warns"`
		Breaks     int `json:"breaks"`
	}
)

// writeJSON writes a plan as JSON.
func writeJSON(w io.Writer, p *plan.Plan) error {
	return safetext.JSON(w, jsonPlan{
		SchemaVersion: schemaVersion, Tool: jsonTool{"salint", p.Version},
		Targets:    mapped(p.Targets, jsonTargetOf),
		Extensions: mapped(p.Extensions, jsonExtensionOf),
		Catalogs:   mapped(p.Catalogs, jsonRemarkOf),
		Cluster:    mapped(p.Cluster, jsonRemarkOf), NotChecked: mapped(p.NotChecked, jsonRemarkOf),
		Leftovers:   mapped(p.Leftovers, jsonRemarkOf),
		Transitions: mapped(p.Transitions, jsonTransitionOf),
		Unchanged:   append([][]string{}, p.Unchanged...),
		Summary:     jsonSummary{len(p.Extensions), p.Count(plan.Works), p.Count(plan.Warns), p.Count(plan.Breaks)},
	})
}

// mapped returns an empty list, not nil, for an empty list.
func mapped[A, B any](list []A, of func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = of(a)
	}
	return out
}

func jsonTargetOf(t olm.Target) jsonTarget {
	return jsonTarget{t.Name, string(t.Model), t.Proposed, t.Source}
}

func jsonExtensionOf(e plan.Extension) jsonExtension {
	out := jsonExtension{
		Name: e.Name, Label: e.Label, Namespace: e.Namespace, Package: e.Package, File: e.File, Line: e.Line,
		Unit: jsonUnit{e.UnitKind, e.Unit}, Account: jsonAccount{string(e.Account.State), e.Account.Name},
		Cells: mapped(e.Cells, jsonCellOf),
	}
	if e.Today != nil {
		out.Today = &jsonToday{e.Today.Name, string(e.Today.Model), e.DetectedFrom}
		if next, ok := e.Today.Next(); ok {
			out.Next = &jsonNext{next.Name, string(next.Model)}
		}
	}
	return out
}

func jsonCellOf(c plan.Cell) jsonCell {
	return jsonCell{c.Target.Name, string(c.Status), c.Reason, c.Rule, c.When, c.Command, c.Refused, c.Shared, mapped(c.Findings, jsonFindingOf)}
}

func jsonFindingOf(f finding.Finding) jsonFinding {
	out := jsonFinding{Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, File: f.File, Line: max(f.Range.Line, 1), Path: f.Path}
	if f.Fix != nil {
		out.Fix = &jsonFix{string(f.Fix.Kind), f.Fix.Description}
	}
	return out
}

func jsonRemarkOf(r plan.Remark) jsonRemark {
	return jsonRemark(r)
}

func jsonTransitionOf(t plan.Transition) jsonTransition {
	return jsonTransition{
		From: t.From.Name, To: t.To.Name, Via: t.Via, Direction: t.Direction, Extensions: t.Extensions,
		Steps: mapped(t.Steps, jsonStepOf), Claims: mapped(t.Corrections, jsonClaimOf),
	}
}

// jsonClaimOf keeps the names of the JSON output.
func jsonClaimOf(c proposals.Correction) jsonClaim {
	return jsonClaim{Says: c.Statement, Where: c.Section, Fact: c.Fact, Source: c.Source}
}

func jsonStepOf(s plan.Step) jsonStep {
	text := func(s string) string { return s }
	return jsonStep{s.Do, s.Commit, s.Title, s.Why, mapped(s.Commands, text), mapped(s.Extensions, text), mapped(s.Notes, text), mapped(s.Effects, jsonEffectOf)}
}

func jsonEffectOf(e plan.Effect) jsonEffect {
	return jsonEffect{e.Extension, string(e.Change), e.Sentence}
}
