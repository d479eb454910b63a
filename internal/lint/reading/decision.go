package reading

import (
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
)

// Decision is whether a document is parsed, and why.
type Decision struct {
	Reading loader.Reading
	Why     Reason
}

// Reason is what decided about a document, in words that follow "because".
type Reason string

// The reasons why a document is parsed.
const (
	RuleJudges       Reason = "a rule judges it"
	RulesAskForKind  Reason = "rules ask about all objects of its kind"
	AccountIsFilled  Reason = "it names an account by a placeholder, so no search finds it"
	NameLeads        Reason = "a chain of names leads to it from a document that is parsed"
	SettingsApplied  Reason = "an application takes values or variables from it"
	ReleaseOfPlace   Reason = "it is the first release that can install something where a rule asks"
	AccountIsRenamed Reason = "the account can be applied under a name that an extension uses"
)

// The reasons why a document is not parsed.
const (
	NothingConcerns  Reason = "no rule concerns its kind and its words"
	NothingToFind    Reason = "its bytes show that rules find nothing in it"
	AnonymousRelease Reason = "of the release, nothing matters but where it installs something"
	NoNameLeads      Reason = "no name leads to it"
)

// readings are what the reasons decide.
var readings = map[Reason]loader.Reading{
	RuleJudges: loader.Requested, RulesAskForKind: loader.Context, AccountIsFilled: loader.Context, NameLeads: loader.Connected,
	SettingsApplied: loader.AppliedSettings, ReleaseOfPlace: loader.Context, AccountIsRenamed: loader.RenamedAccount,
	NothingConcerns: loader.NotNeeded, NothingToFind: loader.Skippable, AnonymousRelease: loader.Skippable, NoNameLeads: loader.Unconnected,
}

// decisions has one decision about each document of the files that are kept. Documents of other files are not needed.
type decisions map[*manifest.Document]Decision

// decide makes the decision about a document, unless an earlier stage has decided to parse it.
func (d decisions) decide(doc *manifest.Document, why Reason) {
	if !d.parses(doc) {
		d[doc] = Decision{readings[why], why}
	}
}

// of returns the decision about a document.
func (d decisions) of(doc *manifest.Document) Decision {
	if decision, known := d[doc]; known {
		return decision
	}
	return Decision{loader.NotNeeded, NothingConcerns}
}

// parses reports whether a document is parsed.
func (d decisions) parses(doc *manifest.Document) bool { return d[doc].Reading.Parsed() }

// in returns the decisions about the documents of some files.
func (d decisions) in(files map[string]*manifest.File) decisions {
	kept := decisions{}
	for _, f := range files {
		for _, doc := range f.Docs {
			if decision, known := d[doc]; known {
				kept[doc] = decision
			}
		}
	}
	return kept
}
