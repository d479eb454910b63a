package plan

import (
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
)

// Status says what becomes of an extension on a target.
type Status string

// The statuses, from the best to the worst.
const (
	// Works has nothing to be done: lint finds nothing there but notes.
	Works Status = "works"
	// Warns goes on working, and lint warns.
	Warns Status = "warns"
	// Breaks is an error of lint: the API server or OLM refuses the extension.
	Breaks Status = "breaks"
)

// Plan is the whole of it. Files are relative to the working directory.
type Plan struct {
	Version string
	Targets []olm.Target
	// Named tells that the user named the targets, so that an extension which breaks there is not just an outlook.
	Named      bool
	Extensions []Extension
	// Cluster are findings about what tells the release, on one target and not on all.
	Cluster []Remark
	// Transitions are ways between targets; Unchanged are lists of releases that treat the field alike.
	Transitions []Transition
	Unchanged   [][]string
	// NotChecked is what was not read or not judged, so that it may hold extensions that the plan does not know.
	NotChecked []Remark
}

// Extension is one extension in one deployment unit.
type Extension struct {
	// Name is metadata.name as applied; Label tells it from others of its name.
	Name, Label string
	// NameTemplated tells that the name is filled in before the extension is applied.
	NameTemplated      bool
	Namespace, Package string
	File               string
	Line               int
	// Unit is what applies it, as messages call it, and "" for plain files. UnitKind is plain, kustomization, chart or application.
	Unit, UnitKind string
	Account        olm.Account
	// Today is the target that the configuration or the signs tell, nil where nothing does; DetectedFrom is the place of the sign.
	Today        *olm.Target
	DetectedFrom string
	// root is the folder of the unit, and applied are all units that apply what stands at the place.
	root    string
	unit    *objects.Unit
	applied []lint.Applied
	// Cells are in the order of Plan.Targets.
	Cells []Cell
}

// Cell is one extension on one target.
type Cell struct {
	Target olm.Target
	Status Status
	// Reason is why, in a sentence or a few.
	Reason string
	// Rule is the rule that decided, "" where the extension works.
	Rule string
	// Command is the command line that prepares for the target or, where nothing can be done by itself, shows what is to be
	// done; "" where nothing is. When says when to run it: Before or After the cluster changes.
	Command, When string
	// Origin tells that the ways of the extension only begin at the target, so that there is no command: what it would do to the
	// field is for nothing there, or against where they lead.
	Origin bool
	// Refused says why there is no fix although there could be one; else it is "".
	Refused string
	// Shared says that the file is applied elsewhere too, where the command would be wrong; else it is "".
	Shared   string
	Findings []finding.Finding
	// judgements are what the findings come from, the worst first.
	judgements []lint.Judgement
}

// Values of Cell.When.
const (
	Before = "before"
	After  = "after"
)

// Remark is a sentence about a place.
type Remark struct {
	Target, Rule, Message, File string
	Line                        int
}

// Transition is the way from one target to another.
type Transition struct {
	From, To olm.Target
	// Direction is upgrade, downgrade, reinstallation or change.
	Direction string
	// Via is a release that the way leads over, "" for none.
	Via string
	// Extensions are the labels of those that it is about.
	Extensions []string
	Steps      []Step
	// Claims are what proposals say about this way that is not so.
	Claims []Claim
}

// Step is one thing to do. Steps that change manifests are a commit each, applied before the next step begins.
type Step struct {
	// Do is what is done: upgrade, downgrade, install, field, account, grant, mend, prune or check.
	Do string
	// Commit tells that the step changes manifests.
	Commit     bool
	Title, Why string
	Commands   []string
	// Extensions are the labels of those that the step is about; Notes what stands in the way for some of them.
	Extensions, Notes []string
}

// Claim is a sentence of a proposal that is not safe to follow, and what really happens.
type Claim struct {
	// Says is what the proposal says, in short; Where the section.
	Says, Where string
	// Fact is what happens, Source how that is known.
	Fact, Source string
}

// Breaks tells whether an extension breaks on a target: on the last one of each way where the user named ways, else on any.
func (p *Plan) Breaks() bool {
	for _, e := range p.Extensions {
		for _, c := range e.Cells {
			if c.Status == Breaks && p.isGoal(c.Target) {
				return true
			}
		}
	}
	return false
}

func (p *Plan) isGoal(t olm.Target) bool {
	if !p.Named {
		return false
	}
	if len(p.Transitions) == 0 {
		return true
	}
	for _, way := range p.Transitions {
		if way.To.Name == t.Name {
			return true
		}
	}
	return false
}

// Count is how many cells have a status.
func (p *Plan) Count(status Status) int {
	n := 0
	for _, e := range p.Extensions {
		for _, c := range e.Cells {
			if c.Status == status {
				n++
			}
		}
	}
	return n
}
