package metadata

import (
	"encoding/json"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// Rule holds the METADATA of a policy.
type Rule struct {
	// Name is family/name, as in olm/service-account-deprecated.
	Name   string `json:"name"`
	Family string `json:"family"`
	// Title is one line that states the problem.
	Title string `json:"title"`
	// Severity is the usual one; the policy can report another for a target.
	Severity finding.Severity `json:"severity"`
	// OptIn rules run only if they are enabled by name.
	OptIn bool `json:"optIn,omitempty"`
	// Kinds are the objects that the rule judges, as Kind.group (the core group: plain Kind).
	Kinds []string `json:"kinds,omitempty"`
	// Workloads is true if the rule also judges every kind that embeds a pod: these are added to Kinds when rules are
	// loaded.
	Workloads bool `json:"workloads,omitempty"`
	// All is true if the rule judges every object, of whatever kind.
	All bool `json:"all,omitempty"`
	// Words are byte strings without one of which the rule cannot fire on a document.
	Words []string `json:"words,omitempty"`
	// SkipUnless are conditions of package prefilter, one of which holds for every document in which the rule can find
	// something. Empty means that no document is skipped.
	SkipUnless []string `json:"skipUnless,omitempty"`
	// EvaluateIf are conditions, one of which holds for every object as it is applied about which the rule can find something. Empty
	// means that the rule is evaluated on each object.
	EvaluateIf []string `json:"evaluateIf,omitempty"`
	// Reads are the kinds that the rule looks up with the built-in functions. Of accounts, roles, and bindings, only those
	// objects are read that names connect with an object that some rule judges.
	Reads []string `json:"reads,omitempty"`
	// ReadsAll are further kinds that the rule looks up, and of which it needs all objects.
	ReadsAll []string `json:"readsAll,omitempty"`
	// ConnectedTo are kinds, each with its words: the rule judges only objects that names connect with one of them. Empty
	// means that the rule judges every object of its kinds.
	ConnectedTo map[string][]string `json:"connectedTo,omitempty"`
	// Needs is NeedsBundle or NeedsBase for a rule that is evaluated only where there is one; "" for others.
	Needs string `json:"needs,omitempty"`
	// Elsewhere reports that findings can be about another object than the one that is judged, or have their cause in other
	// files. It follows from the policy. Rules without it are not evaluated on objects that the user did not ask about.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Across reports that findings can be about an object of another deployment unit. It follows from the policy. Rules without it are
	// not evaluated in units that read none of the files that the user asked about.
	Across bool `json:"across,omitempty"`
	// Parameters is the JSON Schema of the parameters of a rule of a user; nil if it has none.
	Parameters json.RawMessage `json:"-"`
	// Scope is how often the policy is evaluated: ScopeObject, ScopeUnit, or ScopeProgram.
	Scope string  `json:"scope"`
	Fix   FixInfo `json:"fix,omitzero"`
	// File is the policy's file: rego/… for built-in rules, or on disk for a user's own.
	File string `json:"file"`
	// User is true for rules from a --policy folder.
	User bool `json:"-"`
	// ComputesFix reports whether a rule of a user calls lib.with_fix.
	ComputesFix bool `json:"-"`
	// Platform is true for rules of policies that narrow the settings of a repository.
	Platform bool `json:"-"`
	// ReadsWorkloads reports that Reads has every kind that embeds a pod.
	ReadsWorkloads bool `json:"-"`
	Texts
}

// Texts are the documentation of a rule.
type Texts struct {
	// Description states what is found, Rationale why it matters. Both are Markdown.
	Description string    `json:"description,omitempty"`
	Rationale   string    `json:"rationale,omitempty"`
	Examples    []Example `json:"examples,omitempty"`
	Links       []Link    `json:"links,omitempty"`
}

// The scopes of a rule.
const (
	// ScopeObject rules are evaluated once for every object of their kinds.
	ScopeObject = "object"
	// ScopeUnit rules are evaluated once for every deployment unit that has an object of their kinds.
	ScopeUnit = "unit"
	// ScopeProgram rules are implemented by the program itself, not by a policy; the METADATA only describes them.
	ScopeProgram = "program"
)

// The inputs that a rule can need in addition to manifests.
const (
	// NeedsBundle rules need the bundle of an extension.
	NeedsBundle = "bundle"
	// NeedsBase rules compare it with the bundle at the base revision.
	NeedsBase = "base"
)

// FixInfo names the fix of a rule. The zero value means that there is none.
type FixInfo struct {
	// Name is a fixer's name; Kind is safe, unsafe, or prune.
	Name string `json:"name,omitempty"`
	Kind string `json:"kind,omitempty"`
	// Args are its arguments, if the METADATA sets them.
	Args map[string]any `json:"args,omitempty"`
	// Description states in one sentence what the fix does.
	Description string `json:"description,omitempty"`
}

// Example is a manifest on which the rule fires (bad) or does not (good). Examples are executed by the tests.
type Example struct {
	Bad bool `json:"bad,omitempty"`
	// Text is one or several YAML documents.
	Text string `json:"text"`
	// Files are the files of an example that is a repository, by their paths; nil for an example of one file. Text has all of them.
	Files map[string]string `json:"files,omitempty"`
	// Target is the release or model for which it is evaluated; "" is the default of a run without signals.
	Target string `json:"target,omitempty"`
	// Bundle holds the manifests of a registry+v1 bundle, that of the extensions in the text; Base is the same bundle at
	// the revision to compare with. Most examples have neither.
	Bundle string `json:"bundle,omitempty"`
	Base   string `json:"base,omitempty"`
	// With are the parameters of the rule; nil if the example sets none.
	With map[string]any `json:"with,omitempty"`
	// Why is an optional caption.
	Why string `json:"why,omitempty"`
}

// Link is a reference to further documentation.
type Link struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
}

// PackagePrefix is the path of policies in Rego's data document.
const PackagePrefix = "data.salint.rules."

// Package is the rule's package in Rego, as in data.salint.rules.olm.service_account_deprecated.
func (r *Rule) Package() string {
	family, name, _ := strings.Cut(r.Name, "/")
	return PackagePrefix + strings.ReplaceAll(family, "-", "_") + "." + strings.ReplaceAll(name, "-", "_")
}
