package listing

import (
	"encoding/json"
	"io"

	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/rules/metadata"
)

type (
	jsonRules struct {
		SchemaVersion string     `json:"schemaVersion"`
		Rules         []jsonRule `json:"rules"`
	}
	jsonRule struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Severity    string          `json:"severity"`
		OptIn       bool            `json:"optIn"`
		Kinds       []string        `json:"kinds"`
		Fix         *jsonRuleFix    `json:"fix"`
		Description string          `json:"description"`
		Rationale   string          `json:"rationale"`
		HelpURI     string          `json:"helpUri"`
		Links       []metadata.Link `json:"links"`
	}
	jsonRuleFix struct {
		Kind        string `json:"kind"`
		Description string `json:"description"`
	}
)

// RulesJSON prints rules as JSON.
func RulesJSON(w io.Writer, list []metadata.Rule) error {
	out := jsonRules{SchemaVersion: "1"}
	for _, r := range list {
		described := jsonRule{
			Name: r.Name, Title: r.Title, Severity: r.Severity.String(), OptIn: r.OptIn, Kinds: append([]string{}, r.Kinds...),
			Description: r.Description, Rationale: r.Rationale, HelpURI: judging.HelpURI(r), Links: append([]metadata.Link{}, r.Links...),
		}
		if r.Fix.Name != "" {
			described.Fix = &jsonRuleFix{r.Fix.Kind, r.Fix.Description}
		}
		out.Rules = append(out.Rules, described)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
