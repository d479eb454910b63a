package answer

import (
	"io"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundlediff"
)

// The JSON answer. Names and structure are stable: only add fields.
type (
	jsonAnswer struct {
		SchemaVersion string       `json:"schemaVersion"`
		Old           jsonSide     `json:"old"`
		New           jsonSide     `json:"new"`
		Namespace     string       `json:"namespace"`
		Growth        []jsonChange `json:"growth"`
		Shrinkage     []jsonChange `json:"shrinkage"`
		Summary       jsonSummary  `json:"summary"`
		// NotCompared are permissions about which nothing is known.
		NotCompared []string `json:"notCompared"`
		// Blocked are CustomResourceDefinitions whose changes block the upgrade, unless the extension turns the check off.
		Blocked []jsonBlocked `json:"blocked,omitempty"`
		Notes   []string      `json:"notes"`
	}
	jsonBlocked struct {
		Definition string   `json:"definition"`
		Reasons    []string `json:"reasons"`
	}
	jsonSide struct {
		Path    string `json:"path"`
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonSummary struct {
		Growth    int `json:"growth"`
		Dangerous int `json:"dangerous"`
		Shrinkage int `json:"shrinkage"`
	}
	// jsonChange has the fields of its part.
	jsonChange struct {
		Part       bundlediff.Part     `json:"part"`
		Title      string              `json:"title"`
		Dangers    []string            `json:"dangers"`
		Subject    *jsonSubject        `json:"subject,omitempty"`
		NewSubject bool                `json:"newSubject,omitempty"`
		Role       string              `json:"role,omitempty"`
		Namespace  *string             `json:"namespace,omitempty"`
		Rules      []rbacv1.PolicyRule `json:"rules,omitempty"`
		Roles      []jsonSubject       `json:"roles,omitempty"`
		Webhook    *jsonWebhook        `json:"webhook,omitempty"`
		Object     *jsonObject         `json:"object,omitempty"`
		Powers     []string            `json:"powers,omitempty"`
	}
	jsonSubject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	jsonWebhook struct {
		Mutating   bool     `json:"mutating"`
		Conversion bool     `json:"conversion"`
		FailClosed bool     `json:"failClosed"`
		Selected   bool     `json:"selected"`
		Operations []string `json:"operations"`
		Resources  []string `json:"resources"`
	}
	jsonObject struct {
		Kind    string `json:"kind"`
		Name    string `json:"name"`
		Changed bool   `json:"changed"`
	}
)

func (a Answer) writeJSON(w io.Writer) error {
	var blocked []jsonBlocked
	for _, b := range a.Definitions.Blocked {
		blocked = append(blocked, jsonBlocked(b))
	}
	return safetext.JSON(w, jsonAnswer{
		SchemaVersion: "1", Old: jsonSide(a.Old), New: jsonSide(a.New), Namespace: a.Namespace,
		Growth: changesOf(a.Diff.Growth), Shrinkage: changesOf(a.Diff.Shrinkage),
		Summary:     jsonSummary{len(a.Diff.Growth), a.Diff.Dangerous(), len(a.Diff.Shrinkage)},
		NotCompared: words.NotNil(a.Diff.NotCompared), Notes: words.NotNil(a.allNotes()), Blocked: blocked,
	})
}

func changesOf(list []bundlediff.Change) []jsonChange {
	changes := []jsonChange{}
	for _, c := range list {
		changes = append(changes, changeOf(c))
	}
	return changes
}

func changeOf(c bundlediff.Change) jsonChange {
	out := jsonChange{
		Part: c.Part, Title: c.Title(), Dangers: words.NotNil(c.Dangers), NewSubject: c.NewSubject, Role: c.Role, Rules: c.Rules, Powers: c.Powers,
	}
	for _, role := range c.Roles {
		out.Roles = append(out.Roles, jsonSubject{role.Kind, role.Namespace, role.Name})
	}
	switch c.Part {
	case bundlediff.Webhook:
		out.Webhook = &jsonWebhook{
			c.Intercepted.Mutating, c.Intercepted.Conversion, c.Intercepted.Closed, c.Intercepted.Selected, c.Intercepted.Operations, c.Intercepted.Resources,
		}
	case bundlediff.Object, bundlediff.Definition, bundlediff.Pods:
		out.Object = &jsonObject{c.Kind, c.Name, c.Changed}
	default:
		out.Namespace = &c.Namespace
	}
	if c.Part == bundlediff.Grants {
		out.Subject = subjectOf(c.Subject)
	}
	return out
}

func subjectOf(s rbac.Subject) *jsonSubject { return &jsonSubject{s.Kind, s.Namespace, s.Name} }
