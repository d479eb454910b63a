package usage

import (
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Effect is what a place means for deleting what it names.
type Effect string

// The effects, in the order of their weight.
const (
	// Needs is a place that uses it.
	Needs Effect = "uses"
	// May is a place that names it and may use it.
	May Effect = "unknown"
	// Belongs is a place that is without effect once it is deleted, such as a binding of an account.
	Belongs Effect = "belongs"
)

// Use is a place that uses something or names it.
type Use struct {
	// Object is nil for a place in a file that is no manifest.
	Object   *objects.Object
	Position objects.Position
	Path     manifest.Path
	// How continues a sentence that begins with the object or the place.
	How    string
	Effect Effect
	// Accounts are those as which the pods of the object run.
	Accounts []objects.Account
	// Pods are, for a binding, the objects whose pods run as its subjects.
	Pods []*objects.Object
}

// Account is an account that is asked about, or as which pods run that use it, with what is granted to it.
type Account struct {
	objects.Account
	Grants []access.Grant
}

// Subject is one thing that was asked about: of one name, there can be several in different namespaces.
type Subject struct {
	Question
	// Defined are the objects that create it, as they are applied.
	Defined  []*objects.Object
	Uses     []Use
	Accounts []Account
}

// Deletable is whether something can be deleted.
type Deletable int

// The answers.
const (
	Unknown Deletable = iota
	Yes
	No
)

// Answer is the answer to `uses`.
type Answer struct {
	Question Question
	Subjects []Subject
	// Doubts are what was not read and can name it.
	Doubts []access.Doubt
}

// with returns the places of an effect.
func (s Subject) with(effect Effect) []Use {
	return slices.DeleteFunc(slices.Clone(s.Uses), func(u Use) bool { return u.Effect != effect })
}

// isMissing reports whether the repository neither creates nor names it. An audience is created nowhere.
func (s Subject) isMissing() bool {
	return s.Kind != audience && len(s.Defined) == 0 && len(s.Uses) == 0
}

// deletable returns whether one subject can be deleted.
func (a Answer) deletable(s Subject) Deletable {
	switch {
	case len(s.with(Needs)) > 0:
		return No
	case len(s.with(May)) > 0, len(a.Doubts) > 0, s.isMissing():
		return Unknown
	}
	return Yes
}

// Deletable returns whether all subjects can be deleted: no if one is used.
func (a Answer) Deletable() Deletable {
	result := Yes
	for _, s := range a.Subjects {
		switch a.deletable(s) {
		case No:
			return No
		case Unknown:
			result = Unknown
		}
	}
	return result
}
