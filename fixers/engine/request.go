package engine

import (
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Request asks for the fix of one finding.
type Request struct {
	// Fixer is the name of the fix.
	Fixer string
	Kind  finding.FixKind
	// Object and the path inside it are where the finding points.
	Object *objects.Object
	Path   manifest.Path
}

// PlanFunc works out the plan for a request. The error is a *Refusal, or about a file that could not be read.
type PlanFunc func(*Context, Request) (*Plan, error)
