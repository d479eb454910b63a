package report

import (
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

type (
	jsonRoleRef struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	jsonPowerRole struct {
		Role   jsonRoleRef `json:"role"`
		Admin  bool        `json:"clusterAdmin"`
		Powers []string    `json:"powers"`
		File   string      `json:"file"`
		Line   int         `json:"line"`
	}
	jsonOpenBinding struct {
		Binding string      `json:"binding"`
		Scope   string      `json:"scope"`
		Role    jsonRoleRef `json:"role"`
		Subject jsonSubject `json:"subject"`
		File    string      `json:"file"`
		Line    int         `json:"line"`
	}
	jsonChains struct {
		Goal    string      `json:"goal"`
		Chains  []jsonChain `json:"identities"`
		Unknown []string    `json:"unknown"`
	}
	jsonChain struct {
		Subject string     `json:"subject"`
		Steps   []jsonStep `json:"steps"`
	}
	jsonStep struct {
		Text string   `json:"text"`
		By   []string `json:"by"`
	}
)

func (j *jsonReport) addInventory(i *finding.Inventory, p paths) {
	if i == nil {
		return
	}
	for _, r := range i.Roles {
		j.Roles = append(j.Roles, jsonPowerRole{jsonRoleRef(r.Role), r.Admin, strings.Split(r.Powers, "\n"), p.rel(r.File), r.Line})
	}
	for _, b := range i.Bindings {
		j.Bindings = append(j.Bindings, jsonOpenBinding{b.Binding, b.Scope, jsonRoleRef(b.Role), jsonSubject(b.Subject), p.rel(b.File), b.Line})
	}
}

// jsonChainsOf returns nil if nothing was asked.
func jsonChainsOf(c *Chains) *jsonChains {
	if c == nil {
		return nil
	}
	out := &jsonChains{Goal: c.Goal, Chains: []jsonChain{}, Unknown: words.NotNil(c.Unknown)}
	for _, entry := range c.Entries {
		chain := jsonChain{Subject: entry.Subject, Steps: []jsonStep{}}
		for _, step := range entry.Steps {
			of := jsonStep{Text: step.Text, By: []string{}}
			for _, grant := range step.By {
				of.By = append(of.By, grant.Text)
			}
			if step.Known != "" {
				of.By = append(of.By, step.Known)
			}
			chain.Steps = append(chain.Steps, of)
		}
		out.Chains = append(out.Chains, chain)
	}
	return out
}
