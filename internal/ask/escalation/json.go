package escalation

import (
	"io"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/rbac"
)

// schemaVersion changes only with breaking changes.
const schemaVersion = "1"

// The answer in JSON. Names and shape are promised to users: only add.
type (
	jsonAnswer struct {
		SchemaVersion string               `json:"schemaVersion"`
		Certain       bool                 `json:"certain"`
		Goal          string               `json:"goal"`
		Chains        []jsonChain          `json:"chains"`
		Assumptions   []string             `json:"assumptions"`
		Doubts        []access.DoubtAsJSON `json:"doubts"`
		Warnings      []string             `json:"warnings"`
	}
	jsonChain struct {
		Unit    string      `json:"unit"`
		Kind    string      `json:"kind"`
		Cluster string      `json:"cluster,omitempty"`
		Subject jsonSubject `json:"subject"`
		Steps   []jsonStep  `json:"steps"`
		// MoreSteps is how many steps follow those that are listed.
		MoreSteps int `json:"moreSteps,omitempty"`
	}
	jsonSubject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	jsonStep struct {
		Kind Kind   `json:"kind"`
		Text string `json:"text"`
		// To is the identity that the holder becomes; null if it stays the same, with more permissions.
		To     *jsonSubject          `json:"to"`
		Grants []*access.GrantAsJSON `json:"grants"`
		// Known is why the step is possible without a grant of the repository.
		Known string `json:"known,omitempty"`
		// NeedsPod is true if a running pod of the identity is needed, RunsAs an object of the repository with such pods.
		NeedsPod bool   `json:"needsPod"`
		RunsAs   string `json:"runsAs,omitempty"`
	}
)

// JSON writes an answer as JSON.
func (p Printer) JSON(w io.Writer, a Answer) error {
	out := jsonAnswer{
		SchemaVersion: schemaVersion, Certain: len(a.Doubts) == 0, Goal: a.Goal, Chains: []jsonChain{},
		Assumptions: a.Assumptions(), Doubts: p.DoubtsJSON(a.Doubts), Warnings: append([]string{}, a.Warnings...),
	}
	for _, u := range a.Units {
		for _, chain := range u.Chains {
			item := jsonChain{Unit: p.Rel(u.View.Shown().Root), Kind: string(u.View.Shown().Kind), Cluster: u.View.Cluster(), Subject: jsonSubject(chain.Subject)}
			for _, link := range chain.Links {
				item.Steps = append(item.Steps, p.stepJSON(link))
			}
			item.MoreSteps = chain.Steps - len(chain.Links)
			out.Chains = append(out.Chains, item)
		}
	}
	return safetext.JSON(w, out)
}

func (p Printer) stepJSON(link Link) jsonStep {
	step := jsonStep{Kind: link.Kind, Text: link.Sentence(), Grants: []*access.GrantAsJSON{}, Known: link.Known, NeedsPod: link.InPod}
	if link.To != (rbac.Subject{}) {
		to := jsonSubject(link.To)
		step.To = &to
	}
	if link.Runner != nil {
		step.RunsAs = p.runner(link.Runner)
	}
	for _, g := range link.Grants {
		step.Grants = append(step.Grants, p.GrantJSON(g))
	}
	return step
}
