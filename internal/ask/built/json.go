package built

import (
	"io"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/safetext"
)

type (
	jsonUnits struct {
		SchemaVersion string     `json:"schemaVersion"`
		Units         []jsonUnit `json:"units"`
	}
	jsonUnit struct {
		Name       string        `json:"name"`
		Kind       string        `json:"kind"`
		Tools      []string      `json:"tools"`
		Clusters   []string      `json:"clusters"`
		AppliedBy  []string      `json:"appliedBy"`
		Namespace  string        `json:"namespace"`
		Files      []string      `json:"files"`
		Built      bool          `json:"built"`
		NotKnown   []jsonProblem `json:"notKnown"`
		NotApplied []jsonProblem `json:"notApplied"`
		Objects    []jsonObject  `json:"objects"`
	}
	jsonProblem struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
	jsonObject struct {
		File   string         `json:"file"`
		Line   int            `json:"line"`
		Column int            `json:"column"`
		Object map[string]any `json:"object"`
	}
)

// JSON prints units as JSON; without their objects for a list.
func JSON(w io.Writer, units []Unit, list bool, rel func(string) string) error {
	out := jsonUnits{SchemaVersion: "1", Units: []jsonUnit{}}
	for _, u := range units {
		out.Units = append(out.Units, u.json(list, rel))
	}
	return safetext.JSON(w, out)
}

func (u Unit) json(list bool, rel func(string) string) jsonUnit {
	out := jsonUnit{
		Name: u.Name, Kind: string(u.Kind), Tools: append([]string{}, u.Tools...), Clusters: append([]string{}, u.Clusters...), AppliedBy: append([]string{}, u.AppliedBy...),
		Namespace: u.Namespace, Files: []string{}, Built: u.Built, NotKnown: problems(u.NotKnown, rel), NotApplied: problems(u.NotApplied, rel), Objects: []jsonObject{},
	}
	for _, file := range u.Files {
		out.Files = append(out.Files, rel(file))
	}
	if list {
		return out
	}
	for _, o := range u.Objects {
		source := o.Source()
		out.Objects = append(out.Objects, jsonObject{rel(source.File), source.Line, source.Column, o.Value()})
	}
	return out
}

func problems(all []loader.Problem, rel func(string) string) []jsonProblem {
	out := []jsonProblem{}
	for _, p := range all {
		out = append(out, jsonProblem{rel(p.Position.File), p.Position.Line, p.Position.Column, p.Message})
	}
	return out
}
