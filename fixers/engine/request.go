package engine

import (
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Request asks for the fix of one finding.
type Request struct {
	// Fixer is the name of the fixer.
	Fixer string
	Kind  finding.FixKind
	// Object and Path are the place of the finding.
	Object *objects.Object
	Path   manifest.Path
	// Rule is the rule of the finding.
	Rule string
	// Units are the deployment units in which a rule requests this fix of the object. Only general fixes depend on them.
	Units []*objects.Unit
	// Args are the arguments of the fixer, as package fixes has checked them; nil for most fixers.
	Args map[string]any
}

// PlanFunc works out the plan for a request. The error is a *Refusal, or about a file that could not be read.
type PlanFunc func(*Context, Request) (*Plan, error)
