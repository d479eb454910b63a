package fleetplan

import (
	"io"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
)

// A plan in JSON. Names and shape are promised to users: only add.
type (
	jsonPlan struct {
		SchemaVersion string           `json:"schemaVersion"`
		Tool          jsonTool         `json:"tool"`
		Summary       jsonSummary      `json:"summary"`
		Extensions    []jsonExtension  `json:"extensions"`
		Repositories  []jsonRepository `json:"repositories"`
		Ways          []jsonWay        `json:"ways"`
		WithoutChains []string         `json:"withoutChains"`
		Missing       []jsonMissing    `json:"missing"`
		Problems      []jsonProblem    `json:"problems"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonSummary struct {
		Repositories int `json:"repositories"`
		Extensions   int `json:"extensions"`
		Now          int `json:"now"`
		ClusterFirst int `json:"clusterFirst"`
		Unknown      int `json:"targetUnknown"`
		Done         int `json:"done"`
	}
	jsonExtension struct {
		Wave           string   `json:"wave"`
		Repository     string   `json:"repository"`
		Name           string   `json:"name"`
		Namespace      string   `json:"namespace"`
		Package        string   `json:"package"`
		Channels       []string `json:"channels"`
		Version        string   `json:"version"`
		Account        string   `json:"account"`
		ServiceAccount string   `json:"serviceAccount"`
		Target         string   `json:"target"`
		Model          string   `json:"model"`
		Clusters       []string `json:"clusters"`
		File           string   `json:"file"`
		Line           int      `json:"line"`
		Fix            string   `json:"fix"`
		Remark         string   `json:"remark"`
	}
	jsonRepository struct {
		Repository   string   `json:"repository"`
		State        string   `json:"state"`
		Now          int      `json:"now"`
		ClusterFirst int      `json:"clusterFirst"`
		Unknown      int      `json:"targetUnknown"`
		Done         int      `json:"done"`
		Leftovers    int      `json:"leftovers"`
		Packages     []string `json:"packages"`
		Channels     []string `json:"channels"`
		Accounts     []string `json:"accounts"`
		UnknownWays  []string `json:"unknownWays"`
	}
	jsonWay struct {
		Kind       string   `json:"kind"`
		Repository string   `json:"repository"`
		Subject    string   `json:"subject"`
		File       string   `json:"file"`
		Line       int      `json:"line"`
		Rule       string   `json:"rule"`
		Steps      []string `json:"steps"`
	}
	jsonMissing struct {
		Repository string `json:"repository"`
		Why        string `json:"why"`
	}
	jsonProblem struct {
		Report  string `json:"report"`
		Problem string `json:"problem"`
	}
)

func (p *Plan) json(w io.Writer, version string) error {
	t := p.Fleet.Totals()
	out := jsonPlan{
		SchemaVersion: "1", Tool: jsonTool{"salint", version},
		Summary:    jsonSummary{t.Repositories, len(p.Entries), p.Count(Now), p.Count(ClusterFirst), p.Count(TargetUnknown), p.Count(Done)},
		Extensions: []jsonExtension{}, Repositories: []jsonRepository{}, Ways: []jsonWay{}, WithoutChains: words.NotNil(p.WithoutChains),
		Missing: []jsonMissing{}, Problems: []jsonProblem{},
	}
	for _, e := range p.Entries {
		out.Extensions = append(out.Extensions, jsonExtension{
			string(e.Wave), e.Repository, e.Name, e.Namespace, e.Package, words.NotNil(e.Channels), e.Version, e.Account, e.ServiceAccount, e.Target, e.Model,
			words.NotNil(e.Clusters), e.File, e.Line, e.Fix, e.Reason,
		})
	}
	for _, r := range p.Repositories() {
		out.Repositories = append(out.Repositories, jsonRepository{
			r.Name, r.State, r.Counts[Now], r.Counts[ClusterFirst], r.Counts[TargetUnknown], r.Counts[Done], r.Leftovers,
			words.NotNil(r.Packages), words.NotNil(r.Channels), words.NotNil(r.Accounts), words.NotNil(r.Unknown),
		})
	}
	for _, way := range p.Ways {
		out.Ways = append(out.Ways, jsonWay{way.Kind, way.Repository, way.Subject, way.File, way.Line, way.Rule, words.NotNil(way.Steps)})
	}
	for _, m := range p.Fleet.Missing {
		out.Missing = append(out.Missing, jsonMissing{m.Name, m.Why})
	}
	for _, problem := range p.Fleet.Problems {
		out.Problems = append(out.Problems, jsonProblem{problem.File, problem.Text})
	}
	return safetext.JSON(w, out)
}
