package answer

import (
	"io"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
)

// The JSON answer. Names and structure are stable: only add fields.
type (
	jsonAnswer struct {
		// SchemaVersion is "1".
		SchemaVersion string `json:"schemaVersion"`

		Extension string             `json:"extension"`
		Namespace string             `json:"namespace"`
		Identity  jsonIdentity       `json:"identity"`
		Missing   []preflight.Scoped `json:"missing"`
		Unneeded  []preflight.Scoped `json:"unneeded"`
		// Needed is set with --all.
		Needed     []preflight.Scoped   `json:"needed,omitempty"`
		Escalation preflight.Escalation `json:"escalation,omitempty"`
		// Condition is the condition under which OLM acts as the identity.
		Condition    string      `json:"condition,omitempty"`
		Target       *jsonTarget `json:"target,omitempty"`
		UnknownRoles []jsonRole  `json:"unknownRoles"`
		Notes        []string    `json:"notes"`
		Errors       *jsonErrors `json:"errors,omitempty"`
		// Others are the answers for other users of an error text.
		Others []jsonAnswer `json:"others,omitempty"`
	}
	jsonIdentity struct {
		User   string   `json:"user"`
		Groups []string `json:"groups"`
	}
	jsonTarget struct {
		Name         string `json:"name"`
		Model        string `json:"model"`
		Runtime      string `json:"runtime"`
		DetectedFrom string `json:"detectedFrom"`
	}
	// jsonRole is a role with unknown rules, with what uses it: the identity, to which it is bound, or the installed
	// content, which binds it.
	jsonRole struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		BoundBy   string `json:"boundBy"`
	}
	jsonErrors struct {
		Unread    []string `json:"unread"`
		Truncated bool     `json:"truncated"`
		// Granted are permissions that are missing according to the text, and granted in the repository.
		Granted  []preflight.Scoped `json:"granted"`
		Owners   []jsonOwner        `json:"owners"`
		Accounts []string           `json:"accounts"`
		// Fields are messages about spec.serviceAccount, explained.
		Fields []FieldMessage `json:"fields"`
		// Advice is what to do instead of granting what is missing.
		Advice []string `json:"advice,omitempty"`
		// Complete is set if a pre-authorization lists all that is missing.
		Complete  bool     `json:"complete"`
		Admission []string `json:"admission"`
	}
	// jsonOwner is a permission that is missing on the owner of an object.
	jsonOwner struct {
		Object      string `json:"object"`
		Verb        string `json:"verb"`
		Subresource string `json:"subresource"`
	}
)

func (a Answer) writeJSON(w io.Writer) error { return safetext.JSON(w, a.json()) }

func (a Answer) json() jsonAnswer {
	out := jsonAnswer{
		SchemaVersion: "1", Extension: a.Extension, Namespace: a.Namespace, Condition: a.Condition,
		Identity: jsonIdentity{a.Identity.User, words.NotNil(a.Identity.Groups)},
		Missing:  words.NotNil(a.Result.Missing), Unneeded: words.NotNil(a.Result.Unneeded),
		Escalation: a.Escalation, UnknownRoles: a.unknownRoles(), Notes: words.NotNil(a.notes()),
	}
	if a.NothingNeeded {
		out.Notes = append([]string{a.Reason}, out.Notes...)
		out.Identity = jsonIdentity{"", []string{}} // not the one in the extension
	}
	if a.All {
		out.Needed = a.Result.Needed
	}
	if a.Target.Name != "" {
		out.Target = &jsonTarget{a.Target.Name, a.Target.Model, a.Target.Runtime, a.Target.DetectedFrom}
	}
	if a.Errors != nil {
		out.Escalation = ""
		out.Errors = a.Errors.json()
	}
	for _, other := range a.Others {
		out.Others = append(out.Others, other.json())
	}
	return out
}

func (e Errors) json() *jsonErrors {
	out := &jsonErrors{
		Unread: words.NotNil(e.Unread), Truncated: e.Truncated, Granted: words.NotNil(e.Granted), Fields: words.NotNil(e.Fields), Complete: e.Complete, Advice: e.Advice, Accounts: words.NotNil(e.Accounts), Admission: words.NotNil(e.Admission), Owners: []jsonOwner{},
	}
	for _, o := range e.Owners {
		out.Owners = append(out.Owners, jsonOwner(o))
	}
	return out
}

func (a Answer) unknownRoles() []jsonRole {
	roles := []jsonRole{}
	add := func(refs []rbac.RoleRef, by string) {
		for _, ref := range refs {
			roles = append(roles, jsonRole{ref.Kind, ref.Namespace, ref.Name, by})
		}
	}
	add(a.Result.Effective.Unknown, "identity")
	add(a.referred(func(n preflight.Need) bool { return n.Unknown }), "content")
	return roles
}
